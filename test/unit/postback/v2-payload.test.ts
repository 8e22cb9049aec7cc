/** The payload of a webhook (Reading 33). */
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { V2Payload } from '../../../lib/model/delivery.ts';
import type { ResultItem } from '../../../lib/model/result.ts';
import { V2Task } from '../../../lib/model/v2-task.ts';
import { type Delivered, v2Payload } from '../../../lib/postback/v2-payload.ts';

const task = (fields: Partial<V2Task> = {}) => ({
  ...v.parse(V2Task, {
    id: 7,
    user_id: 1,
    status: 'success',
    keyword: 'coffee',
    location_name: 'Germany',
    iso_code: 'DE',
    language_code: 'de',
    created_on: '2026-01-01',
    created_at: 100,
    succeed_at: 110,
    ttl: 86_500,
    ...fields,
  }),
  complete: true,
});

const item = (fields: Partial<ResultItem> & Pick<ResultItem, 'type'>): ResultItem => ({
  position: '1',
  title: '',
  url: '',
  breadcrumb: '',
  snippet: '',
  absolute_position: 1,
  ...fields,
});

const stored = (left: ResultItem[], more: Partial<Delivered> = {}): Delivered => ({
  result: { left, right: [] },
  tracking: null,
  total_results: '',
  search_time: null,
  ...more,
});

const page = { title: 'A', url: 'https://a.example/', domain: 'a.example' };

test.each<[string, ResultItem, object]>([
  [
    'organic items',
    item({ type: 'organic', position: '12', ...page, snippet: 'text' }),
    { organic: [{ position: 12, ...page, description: 'text' }] },
  ],
  [
    'ads',
    item({ type: 'ad', position: '2', ...page, snippet: 'buy' }),
    { ads: [{ position: 2, ...page, description: 'buy' }] },
  ],
  [
    'places',
    item({ type: 'local_pack', title: 'Café', snippet: 'Street 1', rating: '4,6', reviews: '(12)' }),
    { local_pack: [{ position: 1, title: 'Café', address: 'Street 1', rating: '4,6', reviews: '(12)' }] },
  ],
  [
    'places without a rating',
    item({ type: 'local_pack', title: 'Café' }),
    { local_pack: [{ position: 1, title: 'Café', address: '', rating: '', reviews: '' }] },
  ],
  [
    'the featured snippet',
    item({ type: 'featured_snippet', ...page, snippet: 'because' }),
    { featured_snippet: { ...page, description: 'because' } },
  ],
  ['nothing of other types', item({ type: 'shopping_ad', ...page }), {}],
])('lays out %s', (_, given, expected) => {
  const payload = v2Payload(task(), stored([given]), '');

  expect(payload.result).toEqual({
    organic: [],
    ads: [],
    local_pack: [],
    featured_snippet: null,
    total_results: '',
    search_time: 0,
    ...expected,
  });
  expect(v.parse(V2Payload, payload)).toEqual(payload);
});

test.each<[string, Partial<ResultItem>, string]>([
  ['its own, if it has one', { url: 'https://www.engine.example/goto', domain: 'a.example' }, 'a.example'],
  ['its own, even if it is empty', { url: 'https://a.example/', domain: '' }, ''],
  ['that of its URL', { url: 'https://www.a.example/x' }, 'a.example'],
  [
    'that of its URL, with a first label that only ends with www',
    { url: 'https://awww.a.example/x' },
    'awww.a.example',
  ],
  ['empty, if its URL is not that of its target', { url: page.url, url_resolution: 'opaque' }, ''],
  ['empty, without a URL', { url: '' }, ''],
])('the domain of a featured snippet is %s', (_, fields, domain) => {
  const snippet = item({ type: 'featured_snippet', ...fields });
  expect(v2Payload(task(), stored([snippet]), '').result?.featured_snippet?.domain).toBe(domain);
});

test('has the fields of the request and of the crawl', () => {
  const echoed = {
    depth: 20,
    device: 'mobile' as const,
    post_id: 'p',
    keyword_id: 3,
    reused: true,
    crawled_at: 90,
    warnings: ['foo is ignored.'],
  };
  const payload = v2Payload(
    task(echoed),
    stored([], { total_results: 'About 12 results', search_time: 0.31, top_10: ['a.example'] }),
    'https://here.example/pages/x',
  );

  expect(payload).toMatchObject({
    ...echoed,
    id: 7,
    status: 'success',
    keyword: 'coffee',
    location_name: 'Germany',
    iso_code: 'DE',
    language_code: 'de',
    created_at: 100,
    succeed_at: 110,
    result: { total_results: 'About 12 results', search_time: 0.31 },
    top_domains: ['a.example'],
    html_url: 'https://here.example/pages/x',
    error_message: null,
    complete: true,
  });
});

test('a task without warnings gives an empty list, and so does a copy that was parked without the field', () => {
  const { warnings: _, ...row } = task();
  const payload = v2Payload(row, stored([]), '');
  const { warnings: __, ...parked } = payload;

  expect(payload.warnings).toEqual([]);
  expect(v.parse(V2Payload, parked)).toEqual(payload);
});

test('keeps the layout in domain tracking, and adds the tracking of each domain', () => {
  const tracking: Delivered['tracking'] = {
    'a.example': {
      type: 'owner',
      keyword_id: null,
      results: { organic: { position: '1', type: 'organic', title: 'A', url: page.url, snippet: '' } },
    },
  };
  const payload = v2Payload(
    task({ domain: 'a.example' }),
    stored([item({ type: 'organic', ...page })], { tracking }),
    '',
  );

  expect(payload).toMatchObject({ domain: 'a.example', tracking, result: { organic: [{ position: 1 }] } });
});

test.each(['error', 'dead_letter'] as const)('delivers %s as error, without a result', (status) => {
  const failed = task({ status, error_message: 'captcha: every attempt was blocked', succeed_at: 0 });
  const payload = v2Payload(failed, stored([item({ type: 'organic', ...page })]), '');

  expect(payload).toMatchObject({
    status: 'error',
    error_message: 'captcha: every attempt was blocked',
    result: null,
    tracking: null,
    top_domains: [],
  });
});

test.each<[('left' | 'right')[] | null, string[]]>([
  [null, []],
  [[], []],
  [['left'], ['left']],
  [
    ['left', 'right'],
    ['left', 'right'],
  ],
])('has the columns that `postback_fields` %j asks for', (postback_fields, columns) => {
  const result = { left: [item({ type: 'organic' })], right: [item({ type: 'knowledge_panel' })] };
  const payload = v2Payload(task({ postback_fields }), stored([], { result }), '');

  const sent = v.parse(V2Payload, payload).result ?? {};
  const shown = Object.entries(sent).filter(([name]) => name === 'left' || name === 'right');
  expect(Object.fromEntries(shown)).toEqual(
    Object.fromEntries(Object.entries(result).filter(([name]) => columns.includes(name))),
  );
});

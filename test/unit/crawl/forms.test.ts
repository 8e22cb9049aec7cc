/** The forms of a task as text. */
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { csvOf, inForm, jsonLines } from '../../../lib/crawl/forms.ts';
import { TextReply } from '../../../lib/model/forms.ts';
import type { ResultItem } from '../../../lib/model/result.ts';
import { noSearchOptions } from '../../../lib/model/search-options.ts';
import type { V2Task } from '../../../lib/model/v2-task.ts';

const organic: ResultItem = {
  type: 'organic',
  position: '1',
  absolute_position: 1,
  title: 'Coffee, "ground"',
  url: 'https://www.example.com/coffee',
  breadcrumb: 'example.com › coffee',
  snippet: 'Line one\nand two',
  domain: 'example.com',
};
const related: ResultItem = {
  type: 'related_search',
  position: '1',
  absolute_position: 2,
  title: '',
  url: '',
  breadcrumb: '',
  snippet: '',
  items: ['coffee mill', 'coffee <b>bean</b>'],
};
const panel: ResultItem = { ...organic, type: 'knowledge_panel', title: 'Coffee' };

const ranking = { position: '3', type: 'organic', title: 'Shop', url: 'https://shop.example/', snippet: 's' };
const absent = { position: '1000', type: 'organic', title: '-', url: '-', snippet: '-' };

const taskWith = (fields: Partial<V2Task> = {}): V2Task => ({
  ...noSearchOptions,
  id: 7,
  user_id: 1,
  sharding: 0,
  status: 'success',
  keyword: 'coffee',
  location_name: 'Germany',
  iso_code: 'DE',
  language_code: 'de',
  domain: null,
  business_name: null,
  competitors: null,
  engine_domain: 'google.com',
  device: 'desktop',
  postback_url: null,
  post_id: 'p',
  keyword_id: null,
  priority: 1,
  frequency: 24,
  se_id: 0,
  depth: 10,
  pages: [],
  result: { left: [organic, related], right: [panel] },
  top_10: ['example.com'],
  postback_retries_count: 0,
  retries_count: 0,
  created_on: '2026-01-01',
  created_at: 0,
  succeed_at: 1,
  ttl: 2,
  error_message: null,
  crawled_at: 1,
  reused: false,
  complete: true,
  waiting_until: null,
  warnings: [],
  total_results: '',
  search_time: 0,
  html_url: '',
  postback_fields: null,
  stop_on_match: false,
  ...fields,
});

const tracked = taskWith({
  domain: 'shop.example',
  result: {
    'shop.example': { type: 'owner', keyword_id: 5, results: { organic: ranking, local_pack: absent } },
    'other.example': { type: 'competitor', keyword_id: null, results: { organic: absent } },
  },
});
const failed = taskWith({ status: 'error', result: null, error_message: 'captcha: blocked' });

const textOf = (
  task: V2Task,
  format: 'csv' | 'jsonl' | 'markdown' | 'md' | undefined,
  fields = '',
  accept = '',
): TextReply => {
  const reply = inForm(task, { format, fields }, accept);
  if (!(reply instanceof TextReply)) throw new Error('The reply is JSON');
  return reply;
};
const rowsOf = (csv: string): Record<string, string>[] => parse(csv, { columns: true });

describe('CSV', () => {
  test('has a row for each result, in page order, with the columns of the task', () => {
    const { type, body } = textOf(taskWith(), 'csv');

    expect(type).toBe('text/csv; charset=utf-8');
    expect(rowsOf(body)).toMatchObject([
      { id: '7', post_id: 'p', status: 'success', side: 'left', type: 'organic', title: 'Coffee, "ground"' },
      { side: 'left', type: 'related_search', snippet: '' },
      { side: 'right', type: 'knowledge_panel', url: 'https://www.example.com/coffee' },
    ]);
    expect(rowsOf(body)[0]?.snippet).toBe('Line one\nand two');
  });

  test('has a row for each ranking of a tracked domain, with empty cells where nothing was found', () => {
    expect(rowsOf(textOf(tracked, 'csv').body)).toMatchObject([
      { domain: 'shop.example', tracked_as: 'owner', type: 'organic', position: '3', side: '' },
      { domain: 'shop.example', tracked_as: 'owner', position: '1000', title: '', url: '' },
      { domain: 'other.example', tracked_as: 'competitor', position: '1000' },
    ]);
  });

  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '＝1'])(
    'gives %j no chance to run as a formula',
    (title) => {
      const task = taskWith({ result: { left: [{ ...organic, title }], right: [] } });

      expect(rowsOf(textOf(task, 'csv').body)[0]?.title).toBe(`'${title}`);
    },
  );

  test('of a task without results has one row that says how it ended', () => {
    expect(rowsOf(textOf(failed, 'csv').body)).toMatchObject([
      { id: '7', status: 'error', error_message: 'captcha: blocked', title: '' },
    ]);
  });

  test('has only the wanted columns', () => {
    expect(textOf(taskWith(), 'csv', 'keyword,nothing').body).toBe('keyword\r\ncoffee\r\n');
    expect(textOf(taskWith(), 'csv', 'id, result').body.split('\r\n')[0]).toMatch(
      /^id,side,tracked_as,type,/,
    );
  });

  test('of many tasks has one header', () => {
    const csv = csvOf([taskWith()], null) + csvOf([failed, tracked], null, { header: false });

    expect(rowsOf(csv)).toHaveLength(3 + 1 + 3);
  });
});

describe('JSON lines', () => {
  test('have a line for each result, with all of its fields', () => {
    const { type, body } = textOf(taskWith(), 'jsonl');

    expect(type).toBe('application/jsonl; charset=utf-8');
    const lines = body.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { id: 7, side: 'left', ...organic },
      { id: 7, side: 'left', items: related.items },
      { id: 7, side: 'right', type: 'knowledge_panel' },
    ]);
  });

  test('of values end with a line break each', () => {
    expect(jsonLines([{ a: 1 }, 2])).toBe('{"a":1}\n2\n');
  });
});

describe('Markdown', () => {
  test('has the facts and the results, without marks of the page', () => {
    const { type, body } = textOf(taskWith(), 'md');

    expect(type).toBe('text/markdown; charset=utf-8');
    expect(body).toContain('# coffee\n');
    expect(body).toContain(
      '- organic 1: [Coffee, "ground"](<https://www.example.com/coffee>) — Line one and two',
    );
    expect(body).toContain('coffee &lt;b\\>bean&lt;/b\\>');
    expect(body).toContain('## Sidebar');
  });

  test('links to web addresses only', () => {
    const url = 'javascript:alert(1)';
    const task = taskWith({
      result: { left: [{ ...organic, title: 'x](http://evil.example)', url }], right: [] },
    });

    expect(textOf(task, 'markdown').body).toContain('organic 1: x\\]\\(http://evil\\.example\\) —');
  });

  test('has titles as they are, with their signs of direction and no others', () => {
    const title = 'قهوة \u200eABC\u200f';
    const task = taskWith({ result: { left: [{ ...organic, title }], right: [] } });

    expect(textOf(task, 'markdown').body).toContain(`organic 1: [${title}](<`);
  });

  test('has a table of the ranking', () => {
    const { body } = textOf(tracked, 'markdown');

    expect(body).toContain('| shop\\.example | owner | organic | 3 | [Shop](<https://shop.example/>) |');
    expect(body).toContain('| other\\.example | competitor | organic | 1000 |  |');
  });
});

describe('the form', () => {
  test.each([
    ['', 'json'],
    ['*/*', 'json'],
    ['text/html,application/xhtml+xml,*/*;q=0.8', 'json'],
    ['image/png', 'json'],
    ['text/csv', 'text/csv'],
    ['text/csv;q=0', 'json'],
    ['text/markdown, text/csv;q=0.5', 'text/markdown'],
    ['application/json, text/csv', 'json'],
    ['application/json;q=0.1, text/csv', 'text/csv'],
    ['application/x-ndjson', 'application/x-ndjson'],
    ['TEXT/CSV; charset=utf-8', 'text/csv'],
  ])('of the header `Accept: %s` is %s', (accept, wanted) => {
    const reply = inForm(taskWith(), { format: undefined, fields: '' }, accept);

    expect(reply instanceof TextReply ? reply.type.split(';')[0] : 'json').toBe(wanted);
  });

  test('of `format` counts more than the header', () => {
    expect(textOf(taskWith(), 'csv', '', 'text/markdown').type).toMatch(/^text\/csv/);
    expect(inForm(taskWith(), { format: 'json', fields: '' }, 'text/csv')).toEqual(taskWith());
  });
});

/** Results of the service as the lines of a tool's answer. */
import { describe, expect, test } from 'vitest';
import { type SearchTask, TaskFailed } from '../../../lib/mcp/progress.ts';
import { showSearch as show, showPage } from '../../../lib/mcp/show.ts';
import { showIdeas as showIdeasOf } from '../../../lib/mcp/show-keywords.ts';
import type { IdeasTask } from '../../../lib/model/keyword-task.ts';
import type { ResultItem } from '../../../lib/model/result.ts';
import { reusedSentence } from '../../../lib/model/reused-age.ts';
import type { Ranking } from '../../../lib/model/tracking-result.ts';

/** `2026-11-23T21:00:00Z`. */
const crawledAt = 1_795_467_600;
const time = '2026-11-23T21:00:00Z';
const fetched = `Fetched at ${time}.`;
const invented = 'SANDBOX: the results are invented. No engine or source was asked.';

const showSearch = (task: SearchTask) => {
  const { facts, quoted } = show(task, false);
  return { facts, ...(quoted && { quoted }) };
};
const showIdeas = (task: IdeasTask) => {
  const { facts, quoted } = showIdeasOf(task, 'A source', false);
  return { facts, ...(quoted && { quoted }) };
};

const taskOf = (more: object = {}): SearchTask =>
  ({
    id: 7,
    status: 'success',
    error_message: null,
    keyword: 'coffee  shop',
    location_name: 'Berlin,Germany',
    iso_code: 'DE',
    device: 'mobile',
    domain: null,
    complete: true,
    warnings: [],
    result: { left: [], right: [] },
    top_10: null,
    reused: false,
    created_at: crawledAt - 2,
    crawled_at: crawledAt,
    frequency: 24,
    ...more,
  }) as unknown as SearchTask;

const itemOf = (more: Partial<ResultItem> = {}): ResultItem => ({
  type: 'organic',
  position: '1',
  title: 'A title',
  url: 'https://a.example/',
  breadcrumb: 'a.example',
  snippet: 'A snippet',
  absolute_position: 3,
  ...more,
});

const rankingAt = (position: string, more: Partial<Ranking> = {}): Ranking => ({
  position,
  type: 'organic',
  title: 'A title',
  url: 'https://a.example/',
  snippet: 'A snippet',
  ...more,
});

const trackedOf = (results: object, more: object = {}): SearchTask =>
  taskOf({
    domain: 'a.example',
    result: {
      'b.example': { type: 'competitor', keyword_id: null, results: { organic: rankingAt('9') } },
      'a.example': { type: 'owner', keyword_id: null, results },
    },
    ...more,
  });

const longText = 'x'.repeat(2000);

describe('a task that is not finished', () => {
  test.each([showSearch, showIdeas])('says how to wait for it', (show) => {
    const task = taskOf({ status: 'processing', error_message: 'The engine refused.', crawled_at: 0 });

    expect(show(task as SearchTask & IdeasTask)).toEqual({
      facts: [
        'Task 7 is not finished: its status is processing.',
        'The engine refused.',
        'Call read_task with task_id 7 to wait for its result. Another call of the same tool would start a second task.',
      ],
    });
    expect(show({ ...task, error_message: null } as SearchTask & IdeasTask).facts).toHaveLength(2);
  });

  test.each(['error', 'dead_letter'])('cannot be waited for with the status %s', (status) => {
    const task = taskOf({ status, error_message: 'The place is unknown.' }) as SearchTask & IdeasTask;

    for (const show of [showSearch, showIdeas]) {
      expect(() => show(task)).toThrow(
        new TaskFailed('Task 7 ended without a result. The place is unknown.'),
      );
      expect(() => show({ ...task, error_message: null })).toThrow('without a result. The service failed.');
    }
  });
});

describe('the results of a search', () => {
  test('are items in page order, those of the sidebar last', () => {
    const result = {
      left: [itemOf(), itemOf({ type: 'ad', title: 'An ad', url: '' })],
      right: [itemOf({ snippet: '' })],
    };

    expect(showSearch(taskOf({ result }))).toEqual({
      facts: [
        'Results for "coffee shop" in Berlin,Germany (DE), mobile. Task 7: read_page gives the text of its pages.',
        fetched,
      ],
      quoted: [
        '1. organic: A title | https://a.example/ | A snippet',
        '1. ad: An ad | A snippet',
        'sidebar: 1. organic: A title | https://a.example/',
      ],
    });
  });

  test('have all details of an item', () => {
    const item = itemOf({
      date: '1 May',
      rating: '4.5',
      reviews: '12',
      price: '$3',
      source: 'shop',
      phone: '123',
      items: ['tea', 'milk'],
      sources: [
        { position: 1, title: 'S', url: 'https://s.example/', domain: 's.example' },
        { position: 2, title: 'T', url: 'https://t.example/', domain: 't.example' },
      ],
      facts: [{ label: 'Founded', value: '1999' }],
    });

    expect(showSearch(taskOf({ result: { left: [item], right: [] } })).quoted).toEqual([
      '1. organic: A title | https://a.example/ | A snippet | 1 May | 4.5 | 12 | $3 | shop | 123 | tea; milk | ' +
        'sources: https://s.example/ https://t.example/ | Founded: 1999',
    ]);
    const empty = itemOf({ items: [], sources: [], facts: [] });
    expect(showSearch(taskOf({ result: { left: [empty], right: [] } })).quoted).toEqual([
      '1. organic: A title | https://a.example/ | A snippet',
    ]);
  });

  test.each<[ResultItem['type'], number]>([
    ['organic', 300],
    ['ai_overview', 1200],
    ['featured_snippet', 1200],
  ])('of the type %s have at most %i characters of text', (type, length) => {
    const item = itemOf({ type, title: longText, snippet: longText });

    expect(showSearch(taskOf({ result: { left: [item], right: [] } })).quoted).toEqual([
      `1. ${type}: ${'x'.repeat(200)}… | https://a.example/ | ${'x'.repeat(length)}…`,
    ]);
  });

  test('may be none, or not all', () => {
    const task = taskOf({ complete: false, warnings: ['A warning.'], location_name: '' });

    expect(showSearch(task)).toEqual({
      facts: [
        'Results for "coffee shop" in DE (DE), mobile. Task 7: read_page gives the text of its pages.',
        'The engine shows no results.',
        fetched,
        'The result is not complete: pages are missing, or they are not what was asked.',
        'A warning.',
      ],
      quoted: [],
    });
    expect(showSearch(taskOf({ complete: null, result: null })).facts).toHaveLength(3);
    expect(showSearch(taskOf({ result: 'text' })).quoted).toEqual([]);
    const sidebar = taskOf({ result: { left: [], right: [itemOf()] } });
    expect(showSearch(sidebar).facts).toHaveLength(2);
  });
});

describe('the rank of a domain', () => {
  test('is that of the owner in each kind of result', () => {
    const task = trackedOf(
      {
        organic: rankingAt('3'),
        local_pack: rankingAt('1', { url: '', snippet: '' }),
        ai_overview: rankingAt('2'),
      },
      { top_10: ['b.example', 'a.example'], complete: false },
    );

    expect(showSearch(task)).toEqual({
      facts: [
        'Rank of a.example for "coffee shop" in Berlin,Germany (DE), mobile. Task 7.',
        'organic results: rank 3',
        'local results: rank 1',
        'citations of the AI overview: rank 2',
        fetched,
        'The result is not complete: pages are missing, or they are not what was asked.',
      ],
      quoted: [
        'organic results: A title | https://a.example/ | A snippet',
        'local results: A title',
        'citations of the AI overview: A title | https://a.example/ | A snippet',
        'domain 1 of the results: b.example',
        'domain 2 of the results: a.example',
      ],
    });
  });

  test.each([
    ['1000', 'organic results: not among the results that were read'],
    ['0', 'organic results: unknown, because the crawl ended before'],
  ])('at position %s is a sentence, and nothing is quoted', (position, sentence) => {
    const { facts, quoted } = showSearch(trackedOf({ organic: rankingAt(position) }));

    expect(facts.slice(1)).toEqual([sentence, fetched]);
    expect(quoted).toEqual([]);
  });

  test.each(['10', '100', '999'])('at position %s is a rank', (position) => {
    expect(showSearch(trackedOf({ organic: rankingAt(position) })).facts[1]).toBe(
      `organic results: rank ${position}`,
    );
  });

  test('has a short title and snippet', () => {
    const ranking = rankingAt('3', { title: longText, snippet: longText });

    expect(showSearch(trackedOf({ organic: ranking })).quoted).toEqual([
      `organic results: ${'x'.repeat(200)}… | https://a.example/ | ${'x'.repeat(300)}…`,
    ]);
  });

  test('is left out if the result has no owner', () => {
    expect(showSearch(taskOf({ domain: 'a.example', result: {} }))).toEqual({
      facts: ['Rank of a.example for "coffee shop" in Berlin,Germany (DE), mobile. Task 7.', fetched],
      quoted: [],
    });
  });
});

test('a page has its lines, and says if some are not read', () => {
  const origin = { isSandbox: true, crawledAt };

  expect(showPage(7, 2, { lines: ['a', 'b'], isWhole: true }, origin)).toEqual({
    facts: ['Page 2 of task 7: 2 lines of text.', invented, fetched],
    quoted: ['a', 'b'],
    fields: { task_id: 7, page: 2, sandbox: true, crawled_at: time, reused: false, whole: true },
    lists: { lines: ['a', 'b'] },
  });
  expect(showPage(7, 2, { lines: ['a'], isWhole: false }, origin).facts).toEqual([
    'Page 2 of task 7: 1 lines of text.',
    invented,
    fetched,
    'The page is too large to be read to its end.',
  ]);
});

describe('where the results of a search come from', () => {
  test('is said if it is the sandbox', () => {
    const { facts, fields } = show(taskOf(), true);

    expect(facts).toContain(invented);
    expect(fields).toMatchObject({ sandbox: true });
    expect(show(taskOf(), false).facts).not.toContain(invented);
  });

  test('is said with the age if they are reused, once and in terms of the tools', () => {
    const reused = { reused: true, created_at: crawledAt + 3 * 3600, crawled_at: crawledAt };
    const warnings = [...reusedSentence({ ...reused, frequency: 24 }), 'A warning.'];
    const { facts, fields } = show(taskOf({ ...reused, warnings }), false);

    expect(facts.slice(-2)).toEqual([
      `Reused: fetched at ${time}, 3 hours before this call. With fresh: true, the engine is asked again.`,
      'A warning.',
    ]);
    expect(facts.join()).not.toContain('frequency');
    expect(fields).toEqual({
      task_id: 7,
      status: 'success',
      sandbox: false,
      crawled_at: time,
      reused: true,
      age_seconds: 10_800,
      complete: true,
      warnings: ['A warning.'],
    });
  });

  test('is not known before they are fetched', () => {
    expect(show(taskOf({ status: 'crawling', crawled_at: 0 }), false).fields).toEqual({
      task_id: 7,
      status: 'crawling',
      sandbox: false,
    });
  });
});

test('results are objects, too', () => {
  const item = itemOf({ items: ['tea'], price: '$3', snippet: longText, facts: [] });

  expect(show(taskOf({ result: { left: [item], right: [itemOf()] } }), false).lists).toEqual({
    results: [
      {
        type: 'organic',
        position: 1,
        title: 'A title',
        url: 'https://a.example/',
        snippet: `${'x'.repeat(300)}…`,
        price: '$3',
        items: ['tea'],
      },
      {
        type: 'organic',
        position: 1,
        title: 'A title',
        side: 'sidebar',
        url: 'https://a.example/',
        snippet: 'A snippet',
      },
    ],
  });
});

test('ranks are objects, too: null if the domain was not found, and none if that is unknown', () => {
  const task = trackedOf(
    { organic: rankingAt('3'), local_pack: rankingAt('1000'), ai_overview: rankingAt('0') },
    { top_10: ['b.example'] },
  );

  expect(show(task, false)).toMatchObject({
    fields: { domain: 'a.example' },
    lists: {
      ranks: [
        {
          kind: 'organic results',
          rank: 3,
          title: 'A title',
          url: 'https://a.example/',
          snippet: 'A snippet',
        },
        { kind: 'local results', rank: null },
        { kind: 'citations of the AI overview' },
      ],
      top_10: ['b.example'],
    },
  });
});

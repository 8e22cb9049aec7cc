/** Results of the service as the lines of a tool's answer. */
import { describe, expect, test } from 'vitest';
import {
  type SearchTask,
  showIdeas,
  showPage,
  showSearch,
  showSuggestions,
  showTrends,
  showVolumes,
  TaskFailed,
} from '../../../lib/mcp/show.ts';
import type { KeywordDataSV } from '../../../lib/model/keyword-metrics.ts';
import type { IdeasTask } from '../../../lib/model/keyword-task.ts';
import type { ResultItem } from '../../../lib/model/result.ts';
import type { Ranking } from '../../../lib/model/tracking-result.ts';

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
    const task = taskOf({ status: 'processing', error_message: 'The engine refused.' });

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
        'The result is not complete: pages are missing, or they are not what was asked.',
        'A warning.',
      ],
      quoted: [],
    });
    expect(showSearch(taskOf({ complete: null, result: null })).facts).toHaveLength(2);
    expect(showSearch(taskOf({ result: 'text' })).quoted).toEqual([]);
    const sidebar = taskOf({ result: { left: [], right: [itemOf()] } });
    expect(showSearch(sidebar).facts).toHaveLength(1);
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

    expect(facts.slice(1)).toEqual([sentence]);
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
      facts: ['Rank of a.example for "coffee shop" in Berlin,Germany (DE), mobile. Task 7.'],
      quoted: [],
    });
  });
});

test('volumes have their months, and say what is unknown', () => {
  const known = {
    key: 'coffee',
    sv: 1200,
    cmp: 0.5,
    cpc: 1.2345,
    ms: [
      { year: 2026, month: 10, count: 1300 },
      { year: 2026, month: 9, count: 1100 },
    ],
    has_data: true,
  } as unknown as KeywordDataSV;
  const unknown = { ...known, key: longText, sv: 0, ms: [], has_data: false };

  expect(showVolumes([known, unknown])).toEqual({
    facts: [
      'Google Ads figures: mean searches a month, competition of advertisers from 0 to 1, mean bid in currency units.',
    ],
    quoted: [
      'coffee: 1200 searches a month | competition 0.5 | bid 1.23 | 2026-10: 1300, 2026-09: 1100',
      `${'x'.repeat(200)}…: search volume unknown`,
    ],
  });
});

test('ideas have their volume and competition', () => {
  const idea = (text: string, has_data: boolean) => ({
    text,
    has_data,
    keyword_idea_metrics: { avg_monthly_searches: 90, competition: 'LOW' },
  });
  const task = taskOf({ results: [idea('tea', true), idea(longText, false)], warnings: ['A warning.'] });

  expect(showIdeas(task as unknown as IdeasTask)).toEqual({
    facts: ['2 keyword ideas of Google Ads, in its order. Task 7.', 'A warning.'],
    quoted: [
      'tea: 90 searches a month | competition LOW',
      `${'x'.repeat(200)}…: search volume unknown | competition LOW`,
    ],
  });
});

test('suggestions are a list', () => {
  expect(showSuggestions(['a', 'b'])).toEqual({
    facts: ['Suggestions, in the order of the engine.'],
    quoted: ['- a', '- b'],
  });
  expect(showSuggestions([])).toEqual({ facts: ['The engine suggests nothing.'], quoted: [] });
});

describe('trends', () => {
  test('of a country are its searches', () => {
    expect(showTrends({ result: [{ title: 'cup', traffic: '2000+' }] } as never)).toEqual({
      facts: ['What people in the country search for more than usual.'],
      quoted: ['- cup (about 2000+ searches)'],
    });
  });

  const interest =
    'Interest over twelve months by week: searches relative to the week with the most, which is 100. A rising query has its increase in percent.';

  test('of a keyword are its weeks and related queries', () => {
    const reply = {
      interest_over_time: [
        { date: '2026-01-04', value: 40 },
        { date: '2026-01-11', value: 100 },
      ],
      related_queries: { top: [{ query: 'tea', value: 100 }], rising: [{ query: 'matcha', value: 250 }] },
    };

    expect(showTrends(reply as never)).toEqual({
      facts: [interest, '2026-01-04: 40, 2026-01-11: 100'],
      quoted: ['top query: tea (100)', 'rising query: matcha (+250 %)'],
    });
  });

  test('may have too few searches', () => {
    const reply = { interest_over_time: [], related_queries: { top: [], rising: [] } };

    expect(showTrends(reply as never)).toEqual({
      facts: [interest, 'The source has too few searches to show the interest.'],
      quoted: [],
    });
  });
});

test('a page has its lines, and says if some are not read', () => {
  expect(showPage(7, 2, { lines: ['a', 'b'], isWhole: true })).toEqual({
    facts: ['Page 2 of task 7: 2 lines of text.'],
    quoted: ['a', 'b'],
  });
  expect(showPage(7, 2, { lines: ['a'], isWhole: false }).facts).toEqual([
    'Page 2 of task 7: 1 lines of text.',
    'The page is too large to be read to its end.',
  ]);
});

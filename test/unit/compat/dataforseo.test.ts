/** Searches in the form of DataForSEO. */
import { describe, expect, test } from 'vitest';
import { envelopeOf, invalidField, partsOf, statusOf } from '../../../lib/compat/dataforseo/envelope.ts';
import { tagIn } from '../../../lib/compat/dataforseo/fields.ts';
import { volumeOf } from '../../../lib/compat/dataforseo/figures.ts';
import { advancedItems, regularItems } from '../../../lib/compat/dataforseo/items.ts';
import { trendItems } from '../../../lib/compat/dataforseo/keywords.ts';
import { askedIn, languagesOf, unusedOptions } from '../../../lib/compat/dataforseo/request.ts';
import { parseTaskId, taskIdOf } from '../../../lib/compat/dataforseo/task-id.ts';
import { noMetrics } from '../../../lib/model/keyword-metrics.ts';
import type { ResultItem } from '../../../lib/model/result.ts';
import { item } from './found.ts';

const page = (left: ResultItem[], right: ResultItem[] = [], number = 1) => ({
  page: number,
  results: { left, right },
});

describe('the id of a task', () => {
  test.each([1, 3767392204849152, Number.MAX_SAFE_INTEGER])('%d is read from its UUID', (id) => {
    expect(taskIdOf(id)).toMatch(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/);
    expect(parseTaskId(taskIdOf(id).toUpperCase())).toBe(id);
  });

  test.each([
    '',
    'x',
    '3767392204849152',
    '00000000-0000-0000-0000-000000000000',
    '000d626c-5a19-8000-0000-000000000001',
    'ffffffff-ffff-ffff-0000-000000000000',
  ])('%j is none', (text) => {
    expect(parseTaskId(text)).toBeUndefined();
  });
});

describe('elements', () => {
  test('are numbered within their type and in all, over all pages', () => {
    const elements = advancedItems(
      'google',
      [
        page([item('ad'), item('organic'), item('organic')], [item('knowledge_panel')]),
        page([item('organic'), item('ad')], [], 2),
      ],
      10,
    );

    expect(
      elements.map(({ type, rank_group, rank_absolute, page }) => [type, rank_group, rank_absolute, page]),
    ).toEqual([
      ['paid', 1, 1, 1],
      ['organic', 1, 2, 1],
      ['organic', 2, 3, 1],
      ['knowledge_graph', 1, 4, 1],
      ['organic', 3, 5, 2],
      ['paid', 2, 6, 2],
    ]);
  });

  test('questions that follow each other are one element; more of them below are another', () => {
    const elements = advancedItems(
      'google',
      [page([item('people_also_ask'), item('people_also_ask'), item('organic'), item('people_also_ask')])],
      10,
    );

    expect(elements.map(({ type, items }) => [type, Array.isArray(items) ? items.length : null])).toEqual([
      ['people_also_ask', 2],
      ['organic', null],
      ['people_also_ask', 1],
    ]);
  });

  test('no more web results than were asked for, and everything else', () => {
    const left = [
      item('organic'),
      item('organic'),
      item('organic'),
      item('related_search', { items: ['a'] }),
    ];

    expect(advancedItems('google', [page(left)], 2).map(({ type }) => type)).toEqual([
      'organic',
      'organic',
      'related_searches',
    ]);
  });

  test('what the page does not show is absent', () => {
    const [element] = advancedItems('google', [page([item('organic', { price: '€12.90' })])], 10);

    expect(element).toEqual({
      type: 'organic',
      rank_group: 1,
      rank_absolute: 1,
      page: 1,
      position: 'left',
      domain: 'organic.example',
      title: 'A organic',
      description: 'About a organic.',
      url: 'https://organic.example/page',
      breadcrumb: 'organic.example › page',
      price: { current: 12.9, displayed_price: '€12.90' },
    });
  });

  test('the short form has web results and ads with their common fields', () => {
    const elements = advancedItems(
      'google',
      [page([item('ad'), item('video'), item('organic', { rating: '4.6' })])],
      10,
    );

    expect(regularItems(elements)).toEqual([
      expect.objectContaining({ type: 'paid', rank_absolute: 1 }),
      expect.objectContaining({ type: 'organic', rank_group: 1, rank_absolute: 3 }),
    ]);
    expect(regularItems(elements)[1]).not.toHaveProperty('rating');
  });

  test('videos of YouTube are numbered with shorts, and a channel is its own', () => {
    const video = item('video', { url: 'https://www.youtube.com/watch?v=abc', views: '1,204 views' });
    const elements = advancedItems('youtube', [page([item('channel'), video, item('short')])], 20);

    expect(elements).toMatchObject([
      { type: 'youtube_channel', rank_absolute: 1, name: 'A channel' },
      { type: 'youtube_video', rank_group: 1, video_id: 'abc', views_count: 1204, is_shorts: false },
      { type: 'youtube_video', rank_group: 2, is_shorts: true },
    ]);
  });
});

const task = { keyword: 'coffee', location_code: 2840, language_code: 'en' };

describe('a task', () => {
  test('names a country by its code, and a language by its name', () => {
    expect(
      askedIn({ keyword: 'kaffee', location_code: '2276', language_name: 'german' }, 'google'),
    ).toMatchObject({
      keyword: 'kaffee',
      country: 'DE',
      place: '',
      language: 'de',
      size: 10,
      isFresh: true,
    });
  });

  test('has coordinates and parameters of the engine', () => {
    const parameters = {
      keyword: 'coffee',
      language_code: 'en',
      location_coordinate: '53.476225, -2.243572, 200',
      search_param: '&tbs=qdr:w&safe=active',
      depth: 30,
    };

    expect(askedIn(parameters, 'google')).toMatchObject({
      size: 30,
      options: { coordinates: '53.476225,-2.243572', tbs: 'qdr:w', safe: 'active' },
    });
  });

  test('parameters of the engine that have no effect are named', () => {
    const search_param = '&tbs=qdr:w&ludocid=1&hl=de';

    expect(unusedOptions('google', { search_param })).toEqual([
      'Without effect in search_param: "ludocid", "hl".',
    ]);
    expect(unusedOptions('google', { search_param: 'udm=14&safe=off' })).toEqual([]);
  });

  test.each([
    [{ ...task, search_param: 'safe=strict' }, 'google', /^Invalid Field: 'search_param'\./],
    [{ ...task, keyword: '' }, 'google', "Invalid Field: 'keyword'."],
    [{ ...task, keyword: ['a'] }, 'google', "Invalid Field: 'keyword'. It must be a text."],
    [{ ...task, location_code: 1023191 }, 'google', /^Invalid Field: 'location_code'\. Only/],
    [{ ...task, location_code: 'x' }, 'google', /^Invalid Field: 'location_code'\./],
    [{ keyword: 'coffee', language_code: 'en' }, 'google', /^Invalid Field: 'location_code'\./],
    [{ keyword: 'coffee', location_code: 2840 }, 'bing', /^Invalid Field: 'language_code'\./],
    [{ ...task, language_code: '', language_name: 'constructor' }, 'bing', "Invalid Field: 'language_name'."],
    [{ ...task, depth: 700 }, 'google', /^Invalid Field: 'depth'\./],
    [{ ...task, block_depth: 0 }, 'youtube', /^Invalid Field: 'block_depth'\./],
    [{ ...task, device: 'tablet' }, 'google', "Invalid Field: 'device'."],
    [{ ...task, priority: 3 }, 'google', /^Invalid Field: 'priority'\./],
    [
      { ...task, location_coordinate: '1,1', location_code: '' },
      'bing',
      "Invalid Field: 'location_coordinate'.",
    ],
  ] as const)('%j of %s is refused', (parameters, engine, message) => {
    const refused = expect.objectContaining({
      status: {
        status_code: 40501,
        status_message: typeof message === 'string' ? message : expect.stringMatching(message),
      },
    });

    expect(() => askedIn(parameters, engine)).toThrow(refused);
  });

  test('a tag has 255 characters at most', () => {
    expect(tagIn({ tag: 'x'.repeat(255) })).toHaveLength(255);
    expect(() => tagIn({ tag: 'x'.repeat(256) })).toThrow("Invalid Field: 'tag'.");
  });
});

test('figures of keywords: what the source does not know is absent', () => {
  const months = [
    { year: 2026, month: 9, searches: 10 },
    { year: 2026, month: 10, searches: 20 },
  ];
  const known = { ...noMetrics, volume: 0, competition: 'LOW' as const, lowBidMicros: 860_000, months };

  expect(volumeOf('tea', known, { location_code: 2840, language_code: 'en' })).toEqual({
    keyword: 'tea',
    location_code: 2840,
    language_code: 'en',
    competition: 'LOW',
    search_volume: 0,
    low_top_of_page_bid: 0.86,
    monthly_searches: [
      { year: 2026, month: 10, search_volume: 20 },
      { year: 2026, month: 9, search_volume: 10 },
    ],
    search_partners: false,
  });
  expect(volumeOf('tea', noMetrics, {})).toEqual({ keyword: 'tea', search_partners: false });
});

test('the interest in a keyword has a week for each value', () => {
  const [graph, queries] = trendItems('tea', {
    interest_over_time: [
      { date: '2026-02-22', value: 50 },
      { date: '2026-03-01', value: 100 },
    ],
    related_queries: { top: [{ query: 'green tea', value: 100 }], rising: [] },
  });

  expect(graph).toMatchObject({
    type: 'google_trends_graph',
    averages: [75],
    data: [
      { date_from: '2026-02-22', date_to: '2026-02-28', timestamp: 1771718400, values: [50] },
      { date_from: '2026-03-01', date_to: '2026-03-07', values: [100] },
    ],
  });
  expect(queries).toMatchObject({ data: { top: [{ query: 'green tea', value: 100 }], rising: [] } });
});

test('the languages of an engine have their names', () => {
  expect(languagesOf('google')).toContainEqual({ language_name: 'German', language_code: 'de' });
});

test('the parts of a path begin with the version', () => {
  expect(partsOf('/compat/dataforseo/v3/serp/google/organic/task_post')).toEqual([
    'v3',
    'serp',
    'google',
    'organic',
    'task_post',
  ]);
  expect(invalidField('tag')).toEqual({ status_code: 40501, status_message: "Invalid Field: 'tag'." });
});

test.each([
  ['serp/google/organic/live/regular', 'live'],
  ['serp/google/locations/de', 'locations'],
  ['keywords_data/google_ads/search_volume/live', 'search_volume'],
  ['keywords_data/google_ads/keywords_for_keywords/task_get/x', 'keywords_for_keywords'],
  ['keywords_data/google_trends/explore/live', 'explore'],
  ['appendix/user_data', 'user_data'],
])('the function of %s is %s', (path, name) => {
  const { tasks } = envelopeOf([statusOf(20000)], { path: `/compat/dataforseo/v3/${path}`, began: 0 });

  expect(tasks[0]?.data).toMatchObject({ function: name });
});

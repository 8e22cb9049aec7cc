/** Searches in the form of SerpApi. */
import { describe, expect, test } from 'vitest';
import { answerOf } from '../../../lib/compat/serpapi/answer.ts';
import { listsOf } from '../../../lib/compat/serpapi/items.ts';
import { askedIn, engineIn, isHtmlIn } from '../../../lib/compat/serpapi/request.ts';
import { parseSearchId, searchIdOf } from '../../../lib/compat/serpapi/search-id.ts';
import { foundWith, item, taskWith } from './found.ts';

const asked = askedIn({ q: 'coffee grinder' }, 'google');

test('a page with every block has every list', () => {
  const lists = listsOf(
    foundWith(
      [
        item('organic', { rating: '4.6', reviews: '86', price: '$12.90' }),
        item('ad', { block: 'top' }),
        item('ai_overview', {
          state: 'present',
          sources: [{ position: 1, title: 'One', url: 'https://one.example/', domain: 'one.example' }],
          blocks: [
            { type: 'paragraph', spans: [{ text: 'Grind fresh.', sources: [1] }] },
            {
              type: 'list',
              spans: [
                { text: 'Fine', sources: [], row: 1 },
                { text: 'Coarse', sources: [1], row: 2 },
              ],
            },
          ],
        }),
        item('local_pack', { category: 'Coffee shop' }),
        item('people_also_ask'),
        item('shopping_ad', { price: '€1.299,00', source: 'Shop' }),
      ],
      [item('knowledge_panel', { facts: [{ label: 'Founded in:', value: '1798' }] })],
    ),
  );

  expect(lists).toMatchObject({
    organic_results: [
      {
        position: 1,
        rich_snippet: {
          top: { detected_extensions: { rating: 4.6, reviews: 86, price: '$12.90', extracted_price: 12.9 } },
        },
      },
    ],
    ads: [{ position: 1, block_position: 'top', description: 'About a ad.' }],
    ai_overview: {
      text_blocks: [
        { type: 'paragraph', snippet: 'Grind fresh.', reference_indexes: [0] },
        { type: 'list', list: [{ snippet: 'Fine' }, { snippet: 'Coarse', reference_indexes: [0] }] },
      ],
      references: [{ title: 'One', link: 'https://one.example/', source: 'one.example', index: 0 }],
    },
    local_results: { places: [{ position: 1, type: 'Coffee shop', address: 'About a local_pack.' }] },
    related_questions: [{ question: 'A people_also_ask' }],
    shopping_results: [{ price: '€1.299,00', extracted_price: 1299 }],
    knowledge_graph: { title: 'A knowledge_panel', founded_in: '1798' },
  });
  expect(lists).not.toHaveProperty('top_stories');
});

test('videos of YouTube have their own list', () => {
  const video = item('video', { views: '1,204 views', duration: '5:57', channel: 'Acme' });

  expect(listsOf(foundWith([video], [], 'youtube'))).toEqual({
    video_results: [
      expect.objectContaining({
        position_on_page: 1,
        views: 1204,
        length: '5:57',
        channel: { name: 'Acme' },
      }),
    ],
  });
});

test('a page that says that there are no results says so in the words of the form', () => {
  expect(answerOf(foundWith([]), asked, 'https://api.example')).toMatchObject({
    search_metadata: { id: '000d626c5a1980000000000a', status: 'Success' },
    search_information: { organic_results_state: 'Fully empty' },
    error: "Google hasn't returned any results for this query.",
  });
});

describe('the next page', () => {
  const full = foundWith(Array.from({ length: 10 }, () => item('organic')));

  test('is named if this one is full, without the key', () => {
    const { serpapi_pagination } = answerOf(full, asked, 'https://api.example') as {
      serpapi_pagination: { next: string };
    };

    expect(serpapi_pagination.next).toContain('/search.json?');
    expect(new URL(serpapi_pagination.next).searchParams.get('start')).toBe('10');
    expect(serpapi_pagination.next).not.toContain('api_key');
  });

  test('is one of the same search', () => {
    const options = {
      tbs: 'qdr:y',
      safe: 'active',
      nfpr: 1,
      filter: 0,
      lr: 'lang_de',
      cr: 'countryDE',
    } as const;
    const answer = answerOf({ ...full, task: taskWith(options) }, asked, 'https://api.example');
    const { serpapi_pagination } = answer as { serpapi_pagination: { next: string } };
    const next = Object.fromEntries(new URL(serpapi_pagination.next).searchParams);

    expect(answer).toMatchObject({ search_parameters: options });
    expect(askedIn(next, 'google')).toMatchObject({ from: 10, options });
  });

  test.each([
    ['fr', 'fr.search.yahoo.com', 'FR'],
    ['uk', 'uk.search.yahoo.com', 'GB'],
    ['malaysia', 'malaysia.search.yahoo.com', 'MY'],
    ['espanol', 'espanol.search.yahoo.com', 'US'],
    ['de.search.yahoo.com', 'de.search.yahoo.com', 'DE'],
    ['www.yahoo.com', 'www.yahoo.com', ''],
    ['', '', ''],
  ])('of Yahoo has the domain %j', (yahoo_domain, domain, country) => {
    const first = askedIn({ p: 'x', yahoo_domain }, 'yahoo');
    expect(first).toMatchObject({ domain, country });

    const task = taskWith({ engine_domain: domain || 'yahoo.com', iso_code: country || 'US' });
    const found = { ...foundWith(full.left, [], 'yahoo'), task };
    const { serpapi_pagination } = answerOf(found, first, 'https://api.example') as {
      serpapi_pagination: { next_link: string };
    };
    const next = Object.fromEntries(new URL(serpapi_pagination.next_link).searchParams);
    expect(askedIn(next, 'yahoo')).toMatchObject({ domain: domain.replace(/^www.*/, ''), from: 7 });
  });

  test('is absent after the hundredth result', () => {
    const last = askedIn({ q: 'x', start: '90' }, 'google');

    expect(answerOf(full, last, 'https://api.example')).toMatchObject({
      serpapi_pagination: { current: 10 },
    });
  });
});

test.each([
  [{}, 'google', 'Missing query `q` parameter.'],
  [{ q: 'x' }, 'yahoo', 'Missing query `p` parameter.'],
  [{ q: 'x', start: '95' }, 'google', 'Only the first 100 results can be read.'],
  [{ q: 'x', num: '0' }, 'google', 'num must be a whole number from 1 to 100'],
  [{ q: 'x', start: '1e9' }, 'google', 'start must be a whole number from 0 to 99'],
  [{ q: ['x'] }, 'google', 'q must be a text'],
] as const)('%j of %s is refused', (parameters, engine, detail) => {
  expect(() => askedIn(parameters, engine)).toThrow(expect.objectContaining({ statusCode: 400, detail }));
});

test.each(['constructor', 'baidu'])('the engine %s is refused', (engine) => {
  expect(() => engineIn({ engine })).toThrow(expect.objectContaining({ statusCode: 400 }));
});

test('parameters of each engine have their own names', () => {
  expect(askedIn({ q: 'x', mkt: 'de-DE', first: '11' }, 'bing')).toMatchObject({
    language: 'de',
    country: 'DE',
    from: 10,
  });
  expect(askedIn({ q: 'x', device: 'mobile', no_cache: 'true', nfpr: '1' }, 'google')).toMatchObject({
    device: 'mobile',
    isFresh: true,
    options: { nfpr: 1 },
  });
  expect(taskWith().status).toBe('success');
});

test.each([
  ['lang_de', 'de'],
  ['lang_zh_chs', 'zh-Hans'],
])('the language %s of Yahoo is %s', (vl, language) => {
  expect(askedIn({ p: 'x', vl }, 'yahoo')).toMatchObject({ language });
  expect(askedIn({ p: 'x', vl: 'de' }, 'yahoo')).toMatchObject({ language: 'de' });

  const found = { ...foundWith([], [], 'yahoo'), task: taskWith({ language_code: language }) };
  const yahoo = { engine: 'yahoo', size: 7, from: 0 } as const;
  expect(answerOf(found, yahoo, 'https://api.example')).toMatchObject({ search_parameters: { vl } });
});

test('an output that the service does not have is refused', () => {
  expect([{}, { output: 'json' }, { output: 'html' }].map(isHtmlIn)).toEqual([false, false, true]);
  expect(() => isHtmlIn({ output: 'csv' })).toThrow(expect.objectContaining({ statusCode: 400 }));
});

describe('the id of a search', () => {
  test.each([
    [3767392204849152, { size: 10, from: 0 }],
    [Number.MAX_SAFE_INTEGER, { size: 100, from: 99 }],
    [1, { size: 1, from: 40 }],
  ])('%d and %j are read from it', (task, window) => {
    const id = searchIdOf(task, window);

    expect(id).toMatch(/^[\da-f]{24}$/);
    expect(parseSearchId(id)).toEqual({ task, window });
    expect(parseSearchId(id.toUpperCase())).toEqual({ task, window });
  });

  test('the id of a task names no results', () => {
    expect(parseSearchId('3767392204849152')).toEqual({ task: 3767392204849152, window: null });
  });

  test.each(['', 'x', '-1', '9007199254740993', 'f'.repeat(24), '0'.repeat(24), `${'0'.repeat(23)}g`])(
    '%j is none',
    (text) => {
      expect(parseSearchId(text)).toBeUndefined();
    },
  );
});

test('a later page names itself, its address and its parameters', () => {
  const later = { ...asked, from: 10 };

  expect(answerOf(foundWith([item('organic')]), later, 'https://api.example')).toMatchObject({
    search_metadata: { json_endpoint: expect.stringMatching(/\/searches\/[\da-f]{16}000a000a\.json$/) },
    search_parameters: { start: 10 },
  });
});

test('YouTube has one row of short videos, and its counts are numbers', () => {
  const short = 'https://www.youtube.com/shorts/abc-1_2';
  const lists = listsOf(
    foundWith(
      [
        item('channel', { subscribers: '1.2M subscribers', videos_count: '340 videos' }),
        item('short', { url: short, views: '35K views' }),
        item('video', { url: 'https://www.youtube.com/watch?v=xyz' }),
        item('playlist', { url: 'https://www.youtube.com/playlist?list=PL1', videos_count: '12' }),
      ],
      [],
      'youtube',
    ),
  );

  expect(lists).toMatchObject({
    channel_results: [{ subscribers: 1_200_000, video_count: 340 }],
    shorts_results: [
      { shorts: [{ link: short, video_id: 'abc-1_2', views_original: '35K views', views: 35_000 }] },
    ],
    video_results: [{ position_on_page: 1, video_id: 'xyz' }],
    playlist_results: [{ playlist_id: 'PL1', video_count: 12 }],
  });
});

test.each([
  ['weather', 'weather_result'],
  ['currency', 'currency_converter'],
  [undefined, 'answer'],
] as const)('an answer of the kind %j is a %s', (answer_kind, type) => {
  const box = item('direct_answer', answer_kind ? { answer_kind } : {});

  expect(listsOf(foundWith([box]))).toMatchObject({ answer_box: { type, answer: 'About a direct_answer.' } });
});

test.each([{ device: 'watch' }, { safe: 'strict' }])('%j is refused', (more) => {
  expect(() => askedIn({ q: 'x', ...more }, 'google')).toThrow(/must be/);
});

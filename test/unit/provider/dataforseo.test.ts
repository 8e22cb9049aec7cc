/** The requests to DataForSEO, and what its answers mean: the envelope and the task are both read. */
import { describe, expect, test } from 'vitest';
import {
  collectRequest,
  isTaskId,
  listRequest,
  type OrderedSearch,
  orderRequest,
  readList,
  readOrder,
  readPages,
} from '../../../lib/provider/dataforseo.ts';

const search: OrderedSearch = {
  engine: 'google',
  keyword: 'quiet tea',
  place: 'Austin,Texas,United States',
  language_code: 'en',
  device: 'desktop',
  domain: 'google.com',
  pages: 3,
  results: 30,
  tag: '1-2-1',
  pingbackUrl: 'https://api.example/upstream/token',
};

const authorization = { authorization: `Basic ${btoa('clerk:a:b')}` };

const ordered = (changes: Partial<OrderedSearch> = {}) => {
  const { body = '', ...request } = orderRequest('clerk:a:b', { ...search, ...changes });
  return { ...request, tasks: JSON.parse(body) };
};

describe('an order', () => {
  test('is one task with all pages, and says where to call back', () => {
    expect(ordered()).toEqual({
      method: 'POST',
      url: 'https://api.dataforseo.com/v3/serp/google/organic/task_post',
      headers: { ...authorization, 'content-type': 'application/json' },
      tasks: [
        {
          keyword: 'quiet tea',
          location_name: 'Austin,Texas,United States',
          language_code: 'en',
          device: 'desktop',
          os: 'windows',
          se_domain: 'google.com',
          depth: 30,
          max_crawl_pages: 3,
          tag: '1-2-1',
          pingback_url: 'https://api.example/upstream/token?id=$id&tag=$tag',
        },
      ],
    });
  });

  test.each([
    ['100% c++', '100%25 c%2B%2B'],
    ['%2B', '%252B'],
    ['crème brûlée & "tea"', 'crème brûlée & "tea"'],
  ])('has the keyword %j as %j, because the provider decodes it', (keyword, sent) => {
    expect(ordered({ keyword }).tasks[0].keyword).toBe(sent);
  });

  test.each([
    ['Germany', { location_name: 'Germany' }],
    ['52.52,13.405', { location_coordinate: '52.52,13.405' }],
    ['-33.8688,151.2093', { location_coordinate: '-33.8688,151.2093' }],
    ['52.52,13.405,500', { location_coordinate: '52.52,13.405,500' }],
    ['52.52,13.405,5', { location_coordinate: '52.52,13.405,200' }],
    ['52.52,13.405,999999', { location_coordinate: '52.52,13.405,199999' }],
    ['52,13,north', { location_name: '52,13,north' }],
    ['90210', { location_name: '90210' }],
    ['52,13', { location_coordinate: '52,13' }],
    ['near 52.52,13.405', { location_name: 'near 52.52,13.405' }],
  ])('of a search in %j has %j', (place, location) => {
    const { location_name, location_coordinate } = ordered({ place }).tasks[0];
    expect({ location_name, location_coordinate }).toEqual({
      location_name: undefined,
      location_coordinate: undefined,
      ...location,
    });
  });

  test('for a phone has the system of a phone; without an address of the service, it has no pingback', () => {
    const [task] = ordered({ engine: 'bing', device: 'mobile', pingbackUrl: null }).tasks;

    expect(task).toMatchObject({ device: 'mobile', os: 'android' });
    expect(task).not.toHaveProperty('pingback_url');
    expect(ordered({ engine: 'bing' }).url).toMatch(/\/v3\/serp\/bing\/organic\/task_post$/);
  });
});

test('the pages are collected as HTML by the id of the task', () => {
  expect(collectRequest('clerk:a:b', 'yahoo', '11221234-1535')).toEqual({
    method: 'GET',
    url: 'https://api.dataforseo.com/v3/serp/yahoo/organic/task_get/html/11221234-1535',
    headers: authorization,
  });
});

const id = '11221234-1535-0066-0000-0a1b2c3d4e5f';

const envelope = (tasks: unknown, status_code = 20000, status_message = 'Ok.') =>
  JSON.stringify({ version: '0.1', status_code, status_message, tasks_error: 0, tasks });

const withTask = (status_code: number, more: object = {}) => ({
  status: 200,
  headers: {},
  body: envelope([{ id, status_code, status_message: 'Words.', result: null, ...more }]),
});

test('an order is accepted under the id of its task', () => {
  expect(readOrder(withTask(20100))).toEqual({ ok: true, value: id });
});

const delivered = (items: unknown) => withTask(20000, { result: [{ keyword: 'quiet tea', items }] });

test('the pages of a task have their numbers, their HTML and their times', () => {
  const answer = delivered([
    { page: 1, date: '2026-11-22 08:00:00 +00:00', html: '<html>1' },
    { page: 2, date: null, html: '<html>2' },
    { page: 3, html: '' },
    { page: 4, html: null },
  ]);

  expect(readPages(answer, id)).toEqual({
    ok: true,
    value: [
      { page: 1, html: '<html>1', date: Date.UTC(2026, 10, 22, 8) / 1000 },
      { page: 2, html: '<html>2', date: null },
    ],
  });
});

test.each([20100, 40404, 40601, 40602])('a task with the code %i is not ready', (code) => {
  expect(readPages(withTask(code), id)).toEqual({ ok: true, value: null });
});

const cases: [what: string, answer: { status: number; body: string }, problem: string, code: number][] = [
  ['a task with a wrong field', withTask(40501), 'rejected', 40501],
  ['a task that the engine did not answer', withTask(40101), 'rejected', 40101],
  ['a task that is not known', withTask(40401), 'rejected', 40401],
  ['wrong credentials', { status: 401, body: envelope(null, 40100) }, 'credentials', 401],
  ['wrong credentials, without a body', { status: 401, body: '' }, 'credentials', 401],
  [
    'wrong credentials with the status 200',
    { status: 200, body: envelope(null, 40100) },
    'credentials',
    40100,
  ],
  ['no money', { status: 402, body: envelope(null, 40200) }, 'access', 402],
  ['no money for the task', withTask(40200), 'access', 40200],
  ['a cost limit', withTask(40203), 'access', 40203],
  ['a rate limit', withTask(40202), 'throttled', 40202],
  ['too many at once', withTask(40209), 'throttled', 40209],
  ['a rate limit of HTTP', { status: 429, body: '' }, 'throttled', 429],
  ['an error of the provider', withTask(50000), 'down', 50000],
  ['an error of its server', { status: 502, body: '<html>nginx</html>' }, 'down', 502],
  ['HTML', { status: 200, body: '<html>' }, 'malformed', 200],
  ['JSON of another form', { status: 200, body: '[]' }, 'malformed', 200],
  ['no task', { status: 200, body: envelope([]) }, 'malformed', 200],
  ['tasks that are null', { status: 200, body: envelope(null) }, 'malformed', 200],
];

test.each(cases)('%s means the same for an order and for pages', (_, given, problem, code) => {
  const answer = { headers: {}, ...given };

  expect(readOrder(answer)).toMatchObject({ problem, code });
  expect(readPages(answer, id)).toMatchObject({ problem, code });
});

test.each([
  [
    'another id',
    withTask(20000, { id: '99999999-1535', result: [{ items: [{ page: 1, html: 'x' }] }] }),
    'malformed',
  ],
  ['items of another form', delivered([{ page: 'one', html: '<html>' }]), 'malformed'],
  ['no items', delivered(null), 'rejected'],
  ['no result', withTask(20000), 'rejected'],
])('pages with %s are not delivered', (_, answer, problem) => {
  expect(readPages(answer, id)).toMatchObject({ problem });
});

const refusal = (code: number) => [200, envelope(null, code, '')] as const;

test.each([
  [401, '', 'credentials', 'the provider does not accept the credentials of the service'],
  [403, '', 'credentials', 'the provider does not accept the credentials of the service'],
  [...refusal(40104), 'credentials', 'the provider does not accept the credentials of the service'],
  [402, '', 'access', 'the account at the provider is out of money, or at its limit'],
  [429, '', 'throttled', 'the provider takes no more searches now'],
  [500, '', 'down', 'the provider met an error of its own (500)'],
  [599, '', 'down', 'the provider met an error of its own (599)'],
  [...refusal(50_000), 'down', 'the provider met an error of its own (50000)'],
  [...refusal(600), 'rejected', 'the provider refused the search (600)'],
  [...refusal(499), 'rejected', 'the provider refused the search (499)'],
  [...refusal(500), 'down', 'the provider met an error of its own (500)'],
  [499, '', 'malformed', 'the provider gave an answer that cannot be read'],
])('%i with the body %j: clients read a word and a sentence', (status, body, problem, reason) => {
  expect(readOrder({ status, headers: {}, body })).toMatchObject({ problem, word: 'upstream', reason });
});

test('pages that are not there are a refusal with a sentence', () => {
  expect(readPages(delivered([]), id)).toMatchObject({ reason: 'the provider delivered no page' });
  expect(readPages(withTask(20000, { result: [{ items: null }] }), id)).toMatchObject({
    problem: 'rejected',
  });
});

test.each([
  ['12345678', true],
  ['1'.repeat(64), true],
  ['1234567', false],
  ['1'.repeat(65), false],
  ['../12345678', false],
  ['12345678/..', false],
])('%j can be an id: %s', (text, expected) => {
  expect(isTaskId(text)).toBe(expected);
});

test.each([null, undefined])('a refusal without words has its code only: %j', (status_message) => {
  expect(readOrder(withTask(40501, { status_message }))).toMatchObject({
    reason: 'the provider refused the search (40501)',
  });
});

test('pages are not ready, too, if the whole answer says so', () => {
  expect(readPages({ status: 200, headers: {}, body: envelope(null, 40602) }, id)).toEqual({
    ok: true,
    value: null,
  });
});

test.each(['', '../users', 'a b'])('an order with the id %j is not accepted', (given) => {
  expect(readOrder(withTask(20100, { id: given }))).toMatchObject({ problem: 'malformed' });
});

test('words of the provider that clients see are short and plain', () => {
  const { reason } = readOrder(withTask(40501, { status_message: `\u0007Wrong\r\n${'x'.repeat(999)}` })) as {
    reason: string;
  };

  expect(reason).not.toContain('  ');
  expect(reason).toMatch(/^the provider refused the search \(40501: Wrong x{100,200}\)$/);
});

describe('the list of orders', () => {
  const listed = (task: object) => ({
    status: 200,
    headers: {},
    body: JSON.stringify({ status_code: 20000, tasks: [task] }),
  });

  test('is asked for between two times, with the tags of the orders', () => {
    const { body = '', ...request } = listRequest('clerk:a:b', {
      from: 1_790_000_000,
      to: 1_790_000_180,
      offset: 1000,
    });

    expect(request).toEqual({
      method: 'POST',
      url: 'https://api.dataforseo.com/v3/serp/id_list',
      headers: { ...authorization, 'content-type': 'application/json' },
    });
    expect(JSON.parse(body)).toEqual([
      {
        datetime_from: '2026-09-21 14:13:20 +00:00',
        datetime_to: '2026-09-21 14:16:20 +00:00',
        limit: 1000,
        offset: 1000,
        sort: 'asc',
        include_metadata: true,
      },
    ]);
  });

  test('has the id and the tag of each order, and no tag of an order without one', () => {
    const result = [
      { id: 'a-1', url: 'https://api.dataforseo.com/', metadata: { tag: '1-2-1', keyword: 'tea' } },
      { id: 'a-2', metadata: { keyword: 'tea' } },
      { id: 'a-3', metadata: { tag: null } },
      { id: 'a-4', metadata: null },
    ];

    expect(readList(listed({ id: '', status_code: 20000, result }))).toEqual({
      ok: true,
      value: [
        { id: 'a-1', tag: '1-2-1' },
        { id: 'a-2', tag: '' },
        { id: 'a-3', tag: '' },
        { id: 'a-4', tag: '' },
      ],
    });
    expect(readList(listed({ status_code: 20000, result: null }))).toEqual({ ok: true, value: [] });
  });

  test.each([
    ['rejected', listed({ status_code: 40501, status_message: "Invalid Field: 'datetime_to'." })],
    ['credentials', { status: 401, body: '' }],
    ['throttled', { status: 200, body: '{"status_code": 40202}' }],
    ['malformed', listed({ status_code: 20000, result: [{ id: 7 }] })],
    ['down', { status: 502, body: 'Bad gateway' }],
  ])('is %s: %j', (problem, answer) => {
    expect(readList({ headers: {}, ...answer })).toMatchObject({ problem });
  });
});

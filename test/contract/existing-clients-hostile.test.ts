/** Hostile requests in the forms of other services: no answer is a fault of ours, and each is in its form. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Service, startService } from './service.ts';

let service: Service;
let headers: Record<string, string>;
let userId: number;

const basic = (login: number, key: string): string =>
  `Basic ${Buffer.from(`${login}:${key}`).toString('base64')}`;

beforeAll(async () => {
  service = await startService();
  const { account, apiKey } = await service.createAccount({ rate_limit: 0 });
  userId = account.id;
  headers = { Authorization: basic(userId, apiKey), 'X-API-KEY': apiKey };
});
afterAll(() => service.stop());

const bearer = () => ({ headers: { Authorization: `Bearer ${headers['X-API-KEY']}` } });

const dataforseo = '/compat/dataforseo/v3';
const taskPost = `${dataforseo}/serp/google/organic/task_post`;

/** What is in each error, by the form. */
const ofForms: Record<string, string> = { serper: 'message', dataforseo: 'status_message', serpapi: 'error' };

const originNames = ['x-search-verdict', 'x-search-reused', 'x-search-crawled-at', 'x-search-source'];

const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const task = '"keyword": "x", "keywords": ["x"], "q": "x", "location_code": 2840, "language_code": "xx"';

describe.each([
  taskPost,
  `${dataforseo}/serp/google/organic/live/regular`,
  `${dataforseo}/keywords_data/google_ads/search_volume/live`,
  `${dataforseo}/keywords_data/google_trends/explore/live`,
  `${dataforseo}/keywords_data/google_ads/search_volume/task_post`,
  `${dataforseo}/keywords_data/google_ads/keywords_for_keywords/task_post`,
  '/compat/serper/autocomplete',
  '/compat/serper/search',
])('%s', (path) => {
  test.each([
    ['a whole number beyond 2^63', `[{"num": 99999999999999999999, "q": "", "keyword": [], "a": 1e999}]`],
    ['ten thousand tasks', `[${Array(10_000).fill('{}').join()}]`],
    ['a body that is deep', nested(65)],
    ['a body of another type that is deep', nested(200_000), 'text/plain'],
    ['a field of a form that is deep', `[{${task}, "a": ${nested(200_000)}}]`, 'text/plain'],
    ['names of JavaScript', '[{"__proto__": {"q": 1}, "constructor": 1, "keyword": {}, "q": {}}]'],
    ['half of a pair of characters', '[{"keyword": "\\ud800", "q": "\\ud800", "tag": "\\ud800"}]'],
    ['NUL', `[{${task}, "tag": "\\u0000", "hl": "\\u0000"}]`],
    ['bytes that are no JSON', '\0\u00ff'],
    ['a name with a line break', `[{${task}, "hl": "xx", "a\\r\\nset-cookie: b": 1}]`],
  ])('%s is refused in the form', async (_, body, type = 'application/json') => {
    const answer = await service.call({ path, body, headers: { ...headers, 'Content-Type': type } });

    expect(answer.status).toBeLessThan(500);
    expect(answer.headers).not.toHaveProperty('set-cookie');
    const [, , form = ''] = path.split('/');
    expect(JSON.parse(answer.body)).toHaveProperty(ofForms[form] ?? '');
    for (const name of originNames) expect(answer.headers).toHaveProperty(name);
  });
});

test('a number beyond 2^63 is repeated as it was sent', async () => {
  const body = `[{"keyword": "", "depth": 99999999999999999999}]`;
  const answer = await service.call({ path: taskPost, body, headers });

  expect(JSON.parse(answer.body).tasks[0]).toMatchObject({
    status_code: 40501,
    data: { depth: '99999999999999999999' },
  });
});

test.each([
  ['GET', '/compat/serper', 404, { message: 'Not Found' }],
  ['PUT', '/compat/serper/search', 405, { message: 'Method Not Allowed' }],
  ['POST', '/compat/serpapi/search', 405, { error: 'Method Not Allowed' }],
  ['GET', '/compat/serpapi/search.json.html', 404, { error: 'Not Found' }],
  ['DELETE', '/compat/searxng/search', 405, { error: 'Method Not Allowed' }],
  ['GET', `${dataforseo}/backlinks/summary/live`, 404, { status_code: 40400, tasks: null }],
  ['PUT', taskPost, 404, { status_code: 40400, tasks: null }],
  ['GET', `${dataforseo}/keywords_data/google_ads/ad_traffic/tasks_ready`, 404, { status_code: 40400 }],
  ['GET', `${dataforseo}/keywords_data/nothing`, 404, { status_code: 40400, tasks: null }],
])('%s %s is refused in the form', async (method, path, status, fields) => {
  const { Authorization = '', 'X-API-KEY': key = '' } = headers;
  const isSerpapi = path.startsWith('/compat/serpapi');
  const answer = await service.call({
    method,
    path: isSerpapi ? `${path}?q=x&api_key=${key}` : path,
    body: null,
    headers: path.startsWith('/compat/searxng')
      ? { Authorization: `Bearer ${key}` }
      : { Authorization, 'X-API-KEY': key },
  });

  expect([answer.status, JSON.parse(answer.body)]).toEqual([status, expect.objectContaining(fields)]);
  for (const name of originNames) expect(answer.headers).toHaveProperty(name);
});

test('a path that is in no form has the error of our own', async () => {
  const answer = await service.call({ method: 'GET', path: '/compat/nothing', body: null });

  expect([answer.status, JSON.parse(answer.body)]).toEqual([404, { detail: 'Not Found' }]);
});

test.each([
  ['{"q": "x", "pageno": 0}', 'application/json'],
  ['{"q": "x", "pageno": 0}', 'application/octet-stream'],
  ['q=x&pageno=0', 'application/octet-stream'],
  ['q=x&pageno=0', 'application/x-www-form-urlencoded; charset=utf-8'],
])('SearXNG reads the body %s of the type %s', async (body, type) => {
  for (const path of ['/compat/searxng/search', '/compat/searxng/KEY/search']) {
    const key = (
      await service.call({ method: 'POST', path: '/api/v1/users/me/search-keys', body: null, ...bearer() })
    ).body;
    const own = path.replace('KEY', JSON.parse(key).key);
    const answer = await service.call({
      path: own,
      body,
      headers: { ...bearer().headers, 'Content-Type': type },
    });

    expect([answer.status, JSON.parse(answer.body)]).toEqual([
      400,
      { error: 'pageno must be a whole number from 1 to 10' },
    ]);
  }
});

test('errors have the names of the form', async () => {
  const { 'X-API-KEY': key = '' } = headers;
  const wrong = { q: 'x', gl: 'us', location: 'Lyon,France', api_key: key };
  const query = new URLSearchParams({ ...wrong, async: 'true' });
  const answers = await Promise.all([
    service.call({ path: '/compat/serper/search', body: JSON.stringify(wrong), headers }),
    service.call({ method: 'GET', path: `/compat/serpapi/search?${query}`, body: null }),
  ]);
  for (const { status, body } of answers) {
    expect([status, body]).toEqual([400, expect.stringMatching(/location: .*, the country of gl/)]);
  }

  const tasks = [{ keyword: 'x', location_code: 2840, language_code: 'en', search_param: 'udm=2' }];
  const posted = await service.call({ path: taskPost, body: JSON.stringify(tasks), headers });
  expect(posted.body).toContain("Invalid Field: 'search_param'");
});

test('an empty list of tasks has the code of empty data', async () => {
  const { body } = await service.call({ path: taskPost, body: '[]', headers });

  expect(JSON.parse(body)).toMatchObject({ status_code: 40502, status_message: 'POST Data Is Empty.' });
});

test('the places of SerpApi need no key', async () => {
  const list = (query: string) =>
    service.call({ method: 'GET', path: `/compat/serpapi/locations.json?${query}`, body: null, headers: {} });

  const { status, body, headers: given } = await list('q=austin&limit=2&api_key=wrong');
  expect([status, JSON.parse(body)[0]]).toEqual([
    200,
    { name: 'Austin', canonical_name: 'Austin,Texas,United States', country_code: 'US' },
  ]);
  expect(given).toMatchObject({ 'x-search-verdict': 'none', 'cache-control': 'public, max-age=86400' });
  expect((await list('limit=1000')).headers['x-warnings']).toContain('first 20');
  for (const limit of ['0', 'x', '1e99']) {
    const refused = await list(`limit=${limit}`);
    expect([refused.status, JSON.parse(refused.body)]).toEqual([400, { error: expect.any(String) }]);
  }
});

describe('a user who may only read', () => {
  let reader: Record<string, string>;
  let key: string;
  beforeAll(async () => {
    const { account, apiKey } = await service.createAccount({ rate_limit: 0 });
    const { changeAccount } = await import('../../lib/store/users.ts');
    await changeAccount(account.id, { read_only: true });
    key = apiKey;
    reader = { Authorization: basic(account.id, apiKey), 'X-API-KEY': apiKey };
  });

  test.each([
    ['GET', '/compat/serper/search?q=x'],
    ['GET', '/compat/serper/autocomplete?q=x'],
    ['POST', '/compat/serper/search'],
    ['GET', '/compat/serpapi/search?q=x'],
    ['GET', '/compat/serpapi/search?q=x&async=true'],
    ['GET', '/compat/searxng/search?q=x'],
    ['POST', taskPost],
    ['POST', `${dataforseo}/keywords_data/google_ads/search_volume/live`],
    ['POST', `${dataforseo}/keywords_data/google_ads/keywords_for_keywords/live`],
    ['POST', `${dataforseo}/keywords_data/google_ads/search_volume/task_post`],
  ])('%s %s makes no search', async (method, path) => {
    const answer = await service.call({
      method,
      path: `${path}${path.includes('?') ? '&' : '?'}api_key=${key}`,
      body: method === 'POST' ? `[{${task}}]` : null,
      headers: path.includes('/searxng/') ? { Authorization: `Bearer ${key}` } : reader,
    });

    expect(answer.body).toContain('may only read');
  });

  test.each([
    '/compat/serpapi/account.json',
    '/compat/serpapi/locations.json',
    '/compat/searxng/config',
    `${dataforseo}/appendix/user_data`,
    `${dataforseo}/serp/google/organic/tasks_ready`,
  ])('GET %s is answered', async (path) => {
    const answer = await service.call({
      method: 'GET',
      path: `${path}?api_key=${key}`,
      body: null,
      headers: path.includes('/searxng/') ? { Authorization: `Bearer ${key}` } : reader,
    });

    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({ 'x-search-verdict': 'none', 'x-search-crawled-at': 'none' });
  });
});

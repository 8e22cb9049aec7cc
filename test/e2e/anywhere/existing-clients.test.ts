/** The forms of Serper, SearXNG and SerpApi over HTTP, as their clients use them. */
import { describe, expect, test } from 'vitest';
import { clientOf, fetchInTime } from '../client.ts';
import { sharedService } from '../injected-service.ts';

const service = sharedService();
const { json } = clientOf(service);
const { apiKey } = service;
const at = (path: string) => `${service.url}/compat${path}`;

type Body = Record<string, unknown>;

const bodyOf = async (answer: Response) => (await answer.json()) as Body;

const post = (path: string, body: unknown, headers: Record<string, string>) =>
  fetchInTime(at(path), {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json', ...headers },
  });

describe.concurrent('Serper', () => {
  const headers = { 'X-API-KEY': apiKey };

  test('a search has organic results, and says where they come from', async () => {
    const answer = await post('/serper/search', { q: 'coffee mill', gl: 'us', hl: 'en', hint: 1 }, headers);
    const { organic, searchParameters } = await bodyOf(answer);

    expect(answer.status).toBe(200);
    expect(searchParameters).toMatchObject({ q: 'coffee mill', type: 'search' });
    expect((organic as Body[]).map(({ position }) => position)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'x-search-verdict': 'results',
      'x-search-source': 'sandbox',
      'x-warnings': 'Parameters without effect: "hint".',
    });
  });

  test('the second page goes on where the first one ends', async () => {
    const pages = await Promise.all(
      [1, 2].map(async (page) => bodyOf(await post('/serper/search', { q: 'coffee mill', page }, headers))),
    );
    const links = pages.flatMap(({ organic }) => (organic as Body[]).map(({ link }) => link));

    expect(new Set(links).size).toBe(20);
  });

  test('a query string works, with GET and with POST', async () => {
    const query = new URLSearchParams({ q: 'coffee mill' });
    const [byGet, byPost] = await Promise.all([
      fetchInTime(`${at('/serper/search')}?${query}&apiKey=${apiKey}`),
      fetchInTime(`${at('/serper/search')}?${query}`, { method: 'POST', headers }),
    ]);

    expect([byGet.status, byPost.status]).toEqual([200, 200]);
    expect((await bodyOf(byGet)).organic).toEqual((await bodyOf(byPost)).organic);
  });

  test('a refused page is an error with its verdict, never an empty list', async () => {
    const answer = await post('/serper/search', { q: 'captcha: coffee' }, headers);

    expect([answer.status, answer.headers.get('x-search-verdict')]).toEqual([502, 'captcha']);
    expect(await bodyOf(answer)).toEqual({ message: expect.stringMatching(/^captcha: /), statusCode: 502 });
  });

  test('in a list, a refused page hides no other', async () => {
    const answer = await post('/serper/search', [{ q: 'coffee mill' }, { q: 'captcha: tea' }], headers);
    const [found, refused] = (await answer.json()) as Body[];

    expect(answer.headers.get('x-search-verdict')).toBe('results, captcha');
    expect(found).toHaveProperty('organic');
    expect(refused).toMatchObject({ statusCode: 502, message: expect.stringMatching(/^captcha: /) });
    expect(refused).not.toHaveProperty('organic');
  });

  test('the path says what is searched, and no other type has an effect', async () => {
    const answer = await post('/serper/search', { q: 'coffee mill', type: 'news', engine: 'bing' }, headers);

    expect((await bodyOf(answer)).searchParameters).toMatchObject({ type: 'search', engine: 'google' });
    expect(answer.headers.get('x-warnings')).toBe(
      'type has no effect: it is search here. engine has no effect: it is google here.',
    );
  });

  test('completions of a list are a list, without the key', async () => {
    const queries = [
      { q: 'coffee', gl: 'de', hl: 'de', apiKey },
      { q: 'tea', num: 3 },
    ];
    const answer = await post('/serper/autocomplete', queries, headers);
    const text = await answer.text();

    expect(JSON.parse(text)).toEqual([
      expect.objectContaining({ suggestions: expect.any(Array), searchParameters: expect.any(Object) }),
      expect.objectContaining({ suggestions: expect.any(Array), credits: 1 }),
    ]);
    expect(text).not.toContain(apiKey);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'x-search-verdict': 'results, results',
      'x-search-reused': expect.stringMatching(/^(?:true|false)$/),
      'x-search-crawled-at': expect.any(String),
      'x-search-source': 'sandbox',
      'x-warnings': 'Parameters without effect: "num".',
    });
  });

  test('a completion for no country is refused', async () => {
    const answer = await post('/serper/autocomplete', { q: 'coffee', gl: 'zz' }, headers);

    expect([answer.status, await bodyOf(answer)]).toEqual([
      400,
      { statusCode: 400, message: expect.stringMatching(/^gl: /) },
    ]);
  });

  test.each([
    ['no key', {}, { q: 'x' }, 403, 'Unauthorized.'],
    ['another key', { 'X-API-KEY': 'nonsense' }, { q: 'x' }, 403, 'Unauthorized.'],
    ['no query', headers, {}, 400, 'Missing query parameter'],
    ['no country of that code', headers, { q: 'x', gl: 'zz' }, 400, expect.stringMatching(/^gl: /)],
    ['a number as a body', headers, 7, 400, 'The body must be an object, or a list of objects'],
    ['an empty list', headers, [], 400, expect.any(String)],
  ])('%s', async (_, key, body, statusCode, message) => {
    const answer = await post('/serper/search', body, key as Record<string, string>);

    expect([answer.status, await bodyOf(answer)]).toEqual([statusCode, { message, statusCode }]);
  });
});

describe('SearXNG', () => {
  const makeKey = () =>
    json<{ key: string; url: string }>('/api/v1/users/me/search-keys', { method: 'POST' });

  test('a search key searches until all keys of its user are ended', async () => {
    const { key } = await makeKey();
    const ask = () =>
      fetchInTime(`${at(`/searxng/${key}/search`)}?q=coffee+mill&format=json&engines=google,bing`);

    const answer = await ask();
    const { results, unresponsive_engines } = await bodyOf(answer);
    expect([answer.status, unresponsive_engines]).toEqual([200, []]);
    expect((results as Body[])[0]).toMatchObject({ engines: ['google', 'bing'], url: expect.any(String) });

    // Nothing but searches.
    const elsewhere = await fetchInTime(`${service.url}/api/v1/users/me`, {
      headers: { Authorization: `Bearer ${key}` },
    });
    expect(elsewhere.status).toBe(401);

    await json('/api/v1/users/me/search-keys', { method: 'DELETE' });
    expect((await ask()).status).toBe(401);
  });

  test('the address of the instance answers a query, and a key in the header works, too', async () => {
    const headers = { Authorization: `Bearer ${apiKey}` };
    const answer = await fetchInTime(`${at('/searxng/search')}?q=coffee+mill&format=csv&engines=google`, {
      headers,
    });

    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    expect((await answer.text()).split('\r\n')[0]).toBe('title,url,content,host,engine,score,type');
    expect(await (await fetchInTime(at('/searxng/healthz'), { headers })).text()).toBe('OK');
  });

  test('words with marks choose engines and a language', async () => {
    const ask = async (q: string, more = '') => {
      const query = `q=${encodeURIComponent(q)}&format=json${more}`;
      const answer = await fetchInTime(`${at('/searxng/search')}?${query}`, {
        headers: { Authorization: `Bearer ${apiKey}` },
      });
      return ((await bodyOf(answer)).results as Body[]).map(({ url, engines }) => ({ url, engines }));
    };

    expect(await ask('!bi coffee mill :de')).toEqual(await ask('coffee mill', '&engines=bing&language=de'));
    expect(await ask('coffee !videos')).toEqual(await ask('coffee', '&categories=videos'));
    // Of no engine of ours: a part of the query.
    expect((await ask('coffee !ebay')).length).toBeGreaterThan(0);
  });

  test.each(['constructor', 'html', 'toString'])('the format %s is refused', async (format) => {
    const answer = await fetchInTime(`${at('/searxng/search')}?q=x&format=${format}`, {
      headers: { Authorization: `Bearer ${apiKey}` },
    });

    expect([answer.status, await bodyOf(answer)]).toEqual([
      400,
      { error: 'format must be json, csv or rss' },
    ]);
  });

  test('a language that one of the engines does not have leaves the results of the other', async () => {
    const answer = await fetchInTime(`${at('/searxng/search')}?q=coffee+mill&language=eo`, {
      headers: { Authorization: `Bearer ${apiKey}` },
    });
    const { results, unresponsive_engines } = await bodyOf(answer);

    expect(answer.status).toBe(200);
    expect(results).toHaveLength(10);
    expect(unresponsive_engines).toEqual([['bing', 'error']]);
    expect(answer.headers.get('x-warnings')).toContain('language: Value error, not a language of Bing');
  });

  test('if no engine answers, there is no list of results', async () => {
    const answer = await fetchInTime(`${at('/searxng/search')}?q=captcha:+coffee&format=json`, {
      headers: { Authorization: `Bearer ${apiKey}` },
    });

    expect(answer.status).toBe(502);
    expect(await bodyOf(answer)).toEqual({
      query: 'captcha: coffee',
      unresponsive_engines: [
        ['google', 'CAPTCHA'],
        ['bing', 'CAPTCHA'],
      ],
      error: 'No engine answered',
    });
  });
});

describe.concurrent('SerpApi', () => {
  const search = (parameters: Record<string, string>) =>
    fetchInTime(`${at('/serpapi/search.json')}?${new URLSearchParams({ api_key: apiKey, ...parameters })}`);

  test('a search has results, and is read again by its id', async () => {
    const answer = await search({
      engine: 'google',
      q: 'coffee mill',
      location: 'Austin, Texas, United States',
    });
    const first = await bodyOf(answer);
    const { id } = first.search_metadata as { id: string };
    const again = await bodyOf(await fetchInTime(`${at(`/serpapi/searches/${id}.json`)}?api_key=${apiKey}`));

    expect(answer.status).toBe(200);
    expect(first.search_parameters).toMatchObject({ location_used: 'Austin,Texas,United States', gl: 'us' });
    expect(again.organic_results).toEqual(first.organic_results);
  });

  test.each([
    ['bing', 'q', 'organic_results'],
    ['yahoo', 'p', 'organic_results'],
    ['youtube', 'search_query', 'video_results'],
  ])('%s has its own names', async (engine, name, list) => {
    const answer = await bodyOf(await search({ engine, [name]: 'coffee mill' }));

    expect((answer[list] as unknown[]).length).toBeGreaterThan(0);
  });

  test('a later page is read again by its id, as JSON and as HTML', async () => {
    const page = await bodyOf(await search({ q: 'coffee mill', start: '10', num: '20' }));
    const { id } = page.search_metadata as { id: string };
    const read = (ending: string) =>
      fetchInTime(`${at(`/serpapi/searches/${id}${ending}api_key=${apiKey}`)}`);

    expect(await bodyOf(await read('?'))).toEqual(page);
    const html = await read('?output=html&');
    expect(html.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(html.headers.get('x-search-verdict')).toBe('results');
    expect(await html.text()).toBe(await (await read('.html?')).text());
  });

  test('an asynchronous search is in work, and then has results', async () => {
    const { search_metadata } = await bodyOf(await search({ q: 'coffee pot', async: 'true' }));

    expect(search_metadata).toMatchObject({ status: expect.stringMatching(/Processing|Success/) });
  });

  test('a refused page has the status Error and no results', async () => {
    const answer = await search({ q: 'captcha: coffee pot' });
    const body = await bodyOf(answer);

    expect(answer.status).toBe(502);
    expect(body).toMatchObject({
      search_metadata: { status: 'Error' },
      error: expect.stringMatching(/^captcha: /),
    });
    expect(body).not.toHaveProperty('organic_results');
  });

  test('a refused page of a search with results is an error, too, if only that page is read', async () => {
    const { search_metadata } = await bodyOf(await search({ q: 'captcha@2: coffee pot', num: '20' }));
    // The ten results after the tenth one, of the same task.
    const id = `${String((search_metadata as Body).id).slice(0, 16)}000a000a`;
    const answer = await fetchInTime(`${at(`/serpapi/searches/${id}.json`)}?api_key=${apiKey}`);

    expect([answer.status, answer.headers.get('x-search-verdict')]).toEqual([502, 'unresolved']);
    expect(await bodyOf(answer)).toMatchObject({
      search_metadata: { status: 'Error' },
      error: expect.stringContaining('page 2 was not read'),
    });
  });

  test.each([
    [{ api_key: 'nonsense', q: 'x' }, 401, expect.stringMatching(/^Invalid API key/)],
    [{ engine: 'baidu', q: 'x' }, 400, 'Unsupported `baidu` engine.'],
    [{}, 400, 'Missing query `q` parameter.'],
  ])('%j is refused', async (parameters, status, error) => {
    const answer = await search(parameters as Record<string, string>);

    expect([answer.status, await bodyOf(answer)]).toEqual([status, { error }]);
  });

  test.each(['1', '9007199254740993', 'x', '../1'])('the search %s is not known', async (id) => {
    const path = `/serpapi/searches/${encodeURIComponent(id)}.json`;

    expect([400, 404]).toContain((await fetchInTime(`${at(path)}?api_key=${apiKey}`)).status);
  });
});

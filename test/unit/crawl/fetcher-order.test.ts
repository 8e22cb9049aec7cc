/** The steps on a page use the fetchers in the operator's order, and skip those that are rested. */
import { beforeEach, expect, test, vi } from 'vitest';
import type { EngineFetchers, FetcherName } from '../../../lib/model/fetchers.ts';
import type { SerpRow } from '../../../lib/store/task-row.ts';

const given = vi.hoisted(() => ({ settings: {} as EngineFetchers, rested: [] as string[] }));
const used: string[] = [];
const recorded: string[] = [];

vi.mock('../../../lib/fetcher/upstream-offer.ts', () => ({ isUpstreamOffered: async () => true }));
vi.mock('../../../lib/fetcher/settings.ts', () => ({ fetcherSettings: async () => given.settings }));
vi.mock('../../../lib/store/page-progress.ts', () => ({ putProgress: async () => undefined }));
vi.mock('../../../lib/store/html.ts', () => ({ putHtml: async () => 'html/page' }));
vi.mock('../../../lib/store/pace.ts', () => ({
  readLine: async (line: string) => ({
    walls: given.rested.includes(line) ? 20 : 1,
    rested_until: Number.POSITIVE_INFINITY,
  }),
  countWall: async (line: string) => void recorded.push(`${line} failed`),
  resetWalls: async (line: string) => void recorded.push(`${line} good`),
}));
vi.mock('../../../lib/crawl/log-page.ts', () => ({ logPage: () => undefined }));
vi.mock('../../../lib/crawl/held-page.ts', () => ({
  readHeldPage: async () => ({
    row: {
      engine: 'google',
      keyword: 'coffee',
      device: 'desktop',
      iso_code: 'US',
      location_name: '',
      html_folder: 'f',
      // Of several pages: the step does not end the task.
      pages: [{ page: 1 }, { page: 2 }],
    } as SerpRow,
    url: 'https://www.google.com/search?q=coffee',
  }),
}));

const wall = { ok: true, status: 403, url: '', body: '<html></html>' };
const answers: Record<string, object> = {};
vi.mock('../../../lib/fetcher/http.ts', async (original) => ({
  ...(await original<object>()),
  fetchOverHttp: async () => {
    used.push('http');
    return answers.http;
  },
}));
vi.mock('../../../lib/fetcher/browser.ts', () => ({
  browserEndMs: 0,
  fetchInBrowser: async () => {
    used.push('browser');
    return answers.browser;
  },
}));

const { answerRequest } = await import('../../../lib/sandbox/google/engine.ts');
const { fetchPage } = await import('../../../lib/crawl/fetch-page.ts');
const { renderPage } = await import('../../../lib/crawl/render-page.ts');

const url = 'https://www.google.com/search?q=coffee';
const now = Math.floor(Date.now() / 1000);
const good = { ok: true, status: 200, url, body: answerRequest({ url, device: 'desktop', now }).body };

/** Both steps, as the machine takes them. */
const crawlPage = async () => {
  const page = await fetchPage({ user_id: 1, id: 2, attempt: 1, page: 1 });
  return page.outcome === 'blocked' ? renderPage(page) : page;
};

beforeEach(() => {
  vi.stubEnv('SEARCH_SOURCE', 'live');
  vi.stubEnv('RESOLVE_LINKS', 'never');
  given.rested = [];
  used.length = 0;
  recorded.length = 0;
  Object.assign(answers, { http: wall, browser: wall });
});

test.each<[order: FetcherName[] | undefined, rested: string[], used: string[]]>([
  [undefined, [], ['http', 'http', 'browser']],
  [['http'], [], ['http', 'http']],
  [['browser'], [], ['browser']],
  [['browser', 'http'], [], ['browser', 'http', 'http']],
  [['http', 'browser'], ['google/http'], ['browser']],
  [['http', 'browser'], ['google/browser'], ['http', 'http']],
  [['browser', 'http'], ['google/browser'], ['http', 'http']],
  [['browser', 'http'], ['google/http'], ['browser']],
  [
    ['http', 'browser'],
    ['google/http', 'google/browser'],
    ['http', 'http'],
  ],
  [['http'], ['google/http'], ['http', 'http']],
  [['sandbox'], [], []],
])(
  'a page that is always blocked, with the order %j and the rested %j, is requested by %j',
  async (order, rested, expected) => {
    given.settings = order ? { order } : {};
    given.rested = rested;

    const page = await crawlPage();

    expect(used).toEqual(expected);
    expect(page).toMatchObject({
      fetches: expected.length,
      outcome: expect.stringMatching(/^(blocked|failed)$/),
    });
  },
);

test.each<[order: FetcherName[], rested: string[], used: string[]]>([
  [['upstream'], [], []],
  [['upstream', 'http'], [], []],
  [['http', 'upstream'], [], ['http', 'http']],
  [['browser', 'upstream'], [], ['browser']],
  [['http', 'browser', 'upstream'], [], ['http', 'http', 'browser']],
  [['browser', 'http', 'upstream'], [], ['browser', 'http', 'http']],
  [['http', 'upstream', 'browser'], [], ['http', 'http']],
  [['http', 'browser', 'upstream'], ['google/browser'], ['http', 'http']],
  [['http', 'browser', 'upstream'], ['google/http', 'google/browser'], []],
])(
  'a page that is always blocked, with the order %j and the rested %j, is left to the provider after %j',
  async (order, rested, expected) => {
    given.settings = { order };
    given.rested = rested;

    const page = await crawlPage();

    expect(used).toEqual(expected);
    expect(page).toMatchObject({
      outcome: 'upstream',
      fetches: expected.length,
      has_next: false,
      next: { fetcher: 'upstream' },
    });
  },
);

test.each<[order: FetcherName[], rested: string[], used: string[]]>([
  [['upstream', 'http'], ['google/upstream'], ['http', 'http']],
  [['http', 'upstream'], ['google/upstream'], ['http', 'http']],
  [['http', 'upstream', 'browser'], ['google/upstream'], ['http', 'http', 'browser']],
])(
  'with the order %j and the rested %j, a page that is always blocked is requested by %j',
  async (order, rested, expected) => {
    given.settings = { order };
    given.rested = rested;

    const page = await crawlPage();

    expect(used).toEqual(expected);
    expect(page).toMatchObject({ outcome: expect.stringMatching(/^(blocked|failed)$/) });
  },
);

test('a page that is good before the provider costs nothing there', async () => {
  given.settings = { order: ['http', 'upstream'] };
  answers.http = good;

  expect(await crawlPage()).toMatchObject({ outcome: 'fetched' });
});

test.each<[order: FetcherName[], good: string, used: string[], recorded: string[]]>([
  [['http', 'browser'], 'http', ['http'], ['google/http good']],
  [
    ['http', 'browser'],
    'browser',
    ['http', 'http', 'browser'],
    ['google/http failed', 'google/browser good'],
  ],
  [['browser', 'http'], 'browser', ['browser'], ['google/browser good']],
  [['browser', 'http'], 'http', ['browser', 'http'], ['google/browser failed', 'google/http good']],
  [['http'], 'http', ['http'], []],
])(
  'with the order %j and a good page from %s, requests go to %j',
  async (order, source, expected, health) => {
    given.settings = { order };
    answers[source] = good;

    const page = await crawlPage();

    expect(used).toEqual(expected);
    expect(page).toMatchObject({ outcome: 'fetched', html: 'html/page', fetches: expected.length });
    expect(recorded).toEqual(health);
  },
);

test('a page that no fetcher of this stack gets is a failure of the service', async () => {
  given.settings = { order: ['sandbox'] };

  expect(await crawlPage()).toMatchObject({
    outcome: 'failed',
    fetches: 0,
    reason: 'machinery: the order of the engine has no fetcher for its pages',
  });
});

test('without a browser for this platform, the fetcher after it is used', async () => {
  given.settings = { order: ['browser', 'http'] };
  Object.assign(answers, { browser: { ok: false, reason: 'unavailable: there is no browser' }, http: good });

  expect(await crawlPage()).toMatchObject({ outcome: 'fetched', fetches: 1 });
  expect(recorded).toEqual(['google/http good']);
});

test('with the browser alone and none for this platform, the page says so', async () => {
  given.settings = { order: ['browser'] };
  Object.assign(answers, { browser: { ok: false, reason: 'unavailable: there is no browser' } });

  expect(await crawlPage()).toMatchObject({
    fetches: 0,
    reason: 'machinery: there is no browser for this platform',
  });
});

test('no health is kept without a rate', async () => {
  given.settings = { rate: 0 };
  given.rested = ['google/http'];

  await crawlPage();

  expect(used).toEqual(['http', 'http', 'browser']);
  expect(recorded).toEqual([]);
});

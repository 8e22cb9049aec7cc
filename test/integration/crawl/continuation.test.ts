/**
 * Pages that are requested with the token of the page before them: which requests are sent, and what the task
 * gets.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as v from 'valibot';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Batches } from '../../../lib/crawl/plan-pages.ts';
import { crawlBodies } from '../../../lib/model/crawl-request.ts';
import type { AnsweredPage, TaskKey } from '../../../lib/model/workflow.ts';
import { doubleOf } from '../../../lib/sandbox/engines.ts';
import { runSeconds } from '../../../lib/task/timing.ts';
import { accountOf } from '../account.ts';
import { startStores } from '../task/stores.ts';

// The stores read their names from the environment when they are imported.
const stores = await startStores();
const { createV1Tasks } = await import('../../../lib/crawl/create.ts');
const { fetchPage } = await import('../../../lib/crawl/fetch-page.ts');
const { withOnward } = await import('../../../lib/crawl/onward.ts');
const { parseTask } = await import('../../../lib/crawl/parse-task.ts');
const { planPages } = await import('../../../lib/crawl/plan-pages.ts');
const { renderPage } = await import('../../../lib/crawl/render-page.ts');
const { closeBrowsers } = await import('../../../lib/net/browser.ts');
const { readPage } = await import('../../../lib/store/read-html.ts');
const { readRow } = await import('../../../lib/store/tasks.ts');

type Sent = { method: string; path: string; body: string };

/** The requests that the engine got, and its answer to a request with a token. */
let requests: Sent[] = [];
let answer: (sent: Sent) => { status: number; body: string };

const pageFor = ({ path, body }: Sent) =>
  doubleOf('youtube')({
    url: `https://www.youtube.com${path}`,
    body,
    device: 'desktop',
    now: Math.floor(Date.now() / 1000),
  });

const engine = createServer(async (request, response) => {
  const { method = '', url: path = '' } = request;
  const sent = { method, path, body: Buffer.concat(await request.toArray()).toString() };
  requests.push(sent);
  const { status, body } = method === 'POST' ? answer(sent) : pageFor(sent);
  const type = body.startsWith('{') ? 'application/json' : 'text/html';
  response.writeHead(status, { 'content-type': `${type}; charset=UTF-8` }).end(body);
});

let origin = '';
beforeAll(async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  await new Promise<void>((resolve) => engine.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(engine.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await closeBrowsers();
  engine.closeAllConnections();
  engine.close();
  await stores.stop();
});
beforeEach(() => {
  requests = [];
  answer = pageFor;
  vi.stubEnv('YOUTUBE_ORIGIN', origin);
});
afterEach(() => vi.unstubAllEnvs());

let searches = 0;
const givenTask = async (misfortune = ''): Promise<TaskKey> => {
  const request = v.parse(crawlBodies.youtube.one, {
    keyword: `${misfortune}lamps ${++searches}`,
    location_name: 'Canada',
    iso_code: 'CA',
    domain: '@latecomer.example',
    competitors: [{ keyword_id: null, competitor: '@nobody.example', type: 'domain' }],
    frequency: 0,
  });
  const [task] = await createV1Tasks(accountOf(1), 'youtube', [request], 'https://here.example');
  return { user_id: 1, id: task?.id ?? 0 };
};

const rowOf = async ({ user_id, id }: TaskKey) => {
  const row = await readRow(user_id, id, 0);
  if (!row) throw new Error('The row is gone');
  return row;
};

/** Fetches the pages of a plan as the machine does. */
const fetchBatches = async ({ batch, rest }: Batches): Promise<AnsweredPage[]> => {
  const pages = await Promise.all((batch ?? []).map((page) => fetchPage(page)));
  return pages[0]?.has_next && rest ? [...pages, ...(await fetchBatches(rest))] : pages;
};

const crawl = async (key: TaskKey) => {
  const plan = await planPages(key);
  const pages = await fetchBatches(plan);
  await parseTask({ ...key, attempt: plan.attempt }, pages);
  return { pages, row: await rowOf(key) };
};

const statusesOf = (pages: { status: string }[]) => pages.map(({ status }) => status);
const waysOf = (sent: readonly Sent[]) =>
  sent.map(({ method, path }) => `${method} ${path.split('?')[0]}${path.includes('sp=') ? ' sp' : ''}`);

const byUrl = 'GET /results';
const byToken = 'POST /youtubei/v1/search';

test('every page after the first is requested with the token of the page before it, up to the last one', async () => {
  const { pages, row } = await crawl(await givenTask());

  // The fifth page is full and has no token, so it does not prove that it is the last one.
  expect(waysOf(requests)).toEqual([byUrl, byToken, byToken, byToken, byToken, `${byUrl} sp`]);
  expect(new Set(requests.slice(1).map(({ body }) => body)).size).toBe(5);
  expect(JSON.parse(requests[1]?.body ?? '')).toMatchObject({
    context: { client: { clientName: 'WEB', clientVersion: '2.20260101.00.00', gl: 'CA' } },
  });
  expect(pages.map(({ verdict }) => verdict)).toEqual([...Array(5).fill('results'), 'empty']);
  expect(row).toMatchObject({ status: 'success', complete: true, counted: [1, 2, 3, 4, 5], failure: null });
  expect(statusesOf(row.pages)).toEqual(Array(5).fill('parsed'));
  expect(JSON.parse((await readPage(row.pages[4]?.html ?? '')).html)).toHaveProperty(
    'onResponseReceivedCommands',
  );
  expect(row.pages[1]?.url).toContain('/results?search_query=');
});

test('a step that runs twice sends the same token', async () => {
  const { batch, rest } = await planPages(await givenTask());
  await Promise.all(batch.map((page) => fetchPage(page)));
  const [second] = rest.batch ?? [];
  if (!second) throw new Error('There is no second page');

  const once = await fetchPage(second);
  const twice = await fetchPage(second);

  expect(waysOf(requests)).toEqual([byUrl, byToken, byToken]);
  expect(requests[2]).toEqual(requests[1]);
  expect(twice).toMatchObject({ outcome: 'fetched', verdict: 'results', html: once.html });
});

test.each([
  ['an error', () => ({ status: 400, body: '{"error":{"code":400}}' })],
  ['no search interface', () => ({ status: 404, body: 'Not found' })],
  [
    'the first page',
    () => pageFor({ method: 'GET', path: `/results?search_query=lamps+${searches}`, body: '' }),
  ],
])('a page is requested by its URL if the answer to the token is %s', async (_, refuse) => {
  answer = refuse;
  const { row } = await crawl(await givenTask());

  expect(waysOf(requests).slice(0, 4)).toEqual([byUrl, byToken, `${byUrl} sp`, byToken]);
  expect(row).toMatchObject({ status: 'success', complete: true, counted: [1, 2, 3, 4, 5] });
});

const captcha = { status: 429, body: '<form id="captcha-form"><div data-sitekey="a"></div></form>' };

test('a token is sent again after a captcha, and the page is not requested by its URL', async () => {
  answer = () => captcha;
  const { batch, rest } = await planPages(await givenTask());
  await Promise.all(batch.map((page) => fetchPage(page)));

  const [page] = await Promise.all((rest.batch ?? []).map((second) => fetchPage(second)));

  expect(page).toMatchObject({ outcome: 'blocked', verdict: 'captcha', fetches: 2 });
  expect(waysOf(requests)).toEqual([byUrl, byToken, byToken]);
});

/** Fetches the first two pages, the second one in the browser. */
const renderSecond = async (key: TaskKey) => {
  const { batch, rest } = await planPages(key);
  await Promise.all(batch.map((page) => fetchPage(page)));
  const [blocked] = await Promise.all((rest.batch ?? []).map((page) => fetchPage(page)));
  if (!blocked) throw new Error('There is no second page');
  return { blocked, page: await renderPage(blocked) };
};

test('the browser sends the token, too', async () => {
  answer = (sent) => (waysOf(requests).filter((way) => way === byToken).length > 2 ? pageFor(sent) : captcha);

  const { page } = await renderSecond(await givenTask());

  expect(page).toMatchObject({ outcome: 'fetched', verdict: 'results', fetches: 3, has_next: true });
  expect(waysOf(requests).slice(0, 4)).toEqual([byUrl, byToken, byToken, byToken]);
  expect(requests[3]).toEqual(requests[1]);
  expect(JSON.parse((await readPage(page.html)).html)).toHaveProperty('onResponseReceivedCommands');
});

test('a page that a script wall hides is loaded in the browser', async () => {
  vi.stubEnv('YOUTUBE_ORIGIN', '');

  const { blocked, page } = await renderSecond(await givenTask('script_wall@2: '));

  // The wall itself is not stored.
  expect(blocked).toMatchObject({ outcome: 'blocked', verdict: 'script_wall', html: '' });
  expect(page).toMatchObject({
    outcome: 'fetched',
    verdict: 'results',
    has_next: true,
    html: expect.stringMatching(/^html\//),
  });
});

test('the browser opens the URL if the answer to the token is not one', async () => {
  answer = () => ({ status: 404, body: 'Not found' });
  const key = await givenTask();
  const { batch, rest } = await planPages(key);
  await Promise.all(batch.map((page) => fetchPage(page)));
  const [second] = rest.batch ?? [];
  if (!second) throw new Error('There is no second page');
  const before = { outcome: 'blocked', verdict: null, html: '', fetches: 0, has_next: false } as const;

  const page = await renderPage({ ...second, ...before, fetched_at: 0, reason: '' });

  expect(page).toMatchObject({ outcome: 'fetched', verdict: 'results', fetches: 2 });
  expect(waysOf(requests).filter((way) => !way.includes('favicon'))).toEqual([byUrl, byToken, `${byUrl} sp`]);
});

test('a late run requests the rest of its pages at once, by their URLs', async () => {
  const key = await givenTask();
  const { batch, rest } = await planPages(key);
  const [first] = await Promise.all(batch.map((page) => fetchPage(page)));
  const row = await rowOf(key);
  if (!first) throw new Error('There is no page');
  const claimedAt = row.lease_until - runSeconds;
  const later = [...(rest.rest?.batch ?? []), ...(rest.rest?.rest?.batch ?? [])];

  expect(await withOnward(row, first, claimedAt + 100)).toEqual(first);
  expect(await withOnward(row, first, claimedAt + 101)).toEqual({ ...first, onward: 'all' });
  const pages = await Promise.all(later.map((page) => fetchPage(page)));

  expect(pages.map(({ outcome }) => outcome)).toEqual(['fetched', 'fetched']);
  expect(waysOf(requests)).toEqual([byUrl, `${byUrl} sp`, `${byUrl} sp`]);
});

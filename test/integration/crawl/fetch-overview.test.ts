/**
 * The text of a deferred AI overview is fetched once, with the page's route and cookies, and counts in the
 * rate of the engine.
 */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as v from 'valibot';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { GoogleCrawlRequest } from '../../../lib/model/crawl-request.ts';
import type { TaskKey } from '../../../lib/model/workflow.ts';
import { answerRequest } from '../../../lib/sandbox/google/engine.ts';
import { accountOf } from '../account.ts';
import { startStores } from '../task/stores.ts';

// The stores read their names from the environment when they are imported.
const stores = await startStores();
const { createV2Tasks } = await import('../../../lib/crawl/create.ts');
const { fetchPage } = await import('../../../lib/crawl/fetch-page.ts');
const { parseAgain } = await import('../../../lib/crawl/parse-again.ts');
const { parseTask } = await import('../../../lib/crawl/parse-task.ts');
const { planPages } = await import('../../../lib/crawl/plan-pages.ts');
const { readV2Task } = await import('../../../lib/crawl/read-task.ts');
const { readLine } = await import('../../../lib/store/pace.ts');

/** The requests that the engine got, and its answer to the script of a page. */
let requests: { path: string; headers: IncomingMessage['headers'] }[] = [];
let answer: (path: string) => { status: number; body: string; location?: string };

const pageAt = (path: string, device: 'desktop' | 'mobile' = 'desktop') =>
  answerRequest({
    url: `https://www.google.com${path}`,
    device,
    now: Math.floor(Date.now() / 1000),
  });

const engine = createServer((request, response) => {
  const path = request.url ?? '';
  requests.push({ path, headers: request.headers });
  if (/^\/(?:async|consent|sorry)\//.test(path.replace('?', '/'))) {
    const { status, body, location } = answer(path);
    const target = location === undefined ? {} : { location };
    response.writeHead(status, { 'content-type': 'text/html; charset=UTF-8', ...target }).end(body);
    return;
  }
  const { status, headers, body } = pageAt(path);
  response.writeHead(status, { ...headers, 'set-cookie': 'NID=511=abc; Path=/; HttpOnly' }).end(body);
});

let origin = '';
beforeAll(async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  await new Promise<void>((resolve) => engine.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(engine.address() as AddressInfo).port}`;
});
afterAll(async () => {
  engine.closeAllConnections();
  engine.close();
  await stores.stop();
});
beforeEach(() => {
  requests = [];
  answer = pageAt;
  vi.stubEnv('GOOGLE_ORIGIN', origin);
  vi.stubEnv('RESOLVE_LINKS', 'never');
});
afterEach(() => vi.unstubAllEnvs());

let searches = 0;
const crawl = async (fields: Record<string, unknown> = {}) => {
  const request = v.parse(GoogleCrawlRequest, {
    keyword: `summarize rivers ${++searches}`,
    location_name: 'Canada',
    iso_code: 'CA',
    frequency: 0,
    ...fields,
  });
  const [task] = await createV2Tasks(accountOf(1), [request], 'https://here.example');
  const key: TaskKey = { user_id: 1, id: task?.id ?? 0 };
  const { attempt, batch } = await planPages(key);
  const pages = await Promise.all(batch.map((page) => fetchPage(page)));
  await parseTask({ ...key, attempt }, pages);
  return { key, pages };
};
const overviewOf = async ({ id }: TaskKey) => {
  const { pages } = await readV2Task(accountOf(1), id);
  return pages[0]?.results?.left.find(({ type }) => type === 'ai_overview');
};
const asked = () => requests.filter(({ path }) => path.startsWith('/async/'));

test('the overview is complete, and its text is stored with the page', async () => {
  const { key } = await crawl();

  expect(await overviewOf(key)).toMatchObject({ state: 'present', sources: [{}, {}, {}] });
  expect(asked()).toHaveLength(1);
  expect(asked()[0]?.headers).toMatchObject({
    'user-agent': requests[0]?.headers['user-agent'],
    'sec-fetch-mode': 'cors',
    'sec-fetch-dest': 'empty',
    cookie: 'NID=511=abc',
  });
  expect(asked()[0]?.headers).not.toHaveProperty('upgrade-insecure-requests');

  expect(await parseAgain(key)).toBe('parsed again');
  expect(await overviewOf(key)).toMatchObject({ state: 'present' });
  expect(asked()).toHaveLength(1);
});

test.each<[string, typeof answer]>([
  ['refuses', () => ({ status: 429, body: pageAt('/async/folsrch?q=a').body })],
  ['answers with a captcha', () => ({ status: 200, body: pageAt('/search?q=captcha:+a').body })],
  ['has no text', () => ({ status: 200, body: '' })],
  ['asks for consent', () => ({ status: 200, body: pageAt('/search?q=consent:+a').body })],
  ['answers with other results', () => ({ status: 200, body: pageAt('/search?q=why+a').body })],
])('the overview stays deferred if the engine %s, and the page is a result', async (_, given) => {
  answer = given;
  const { key, pages } = await crawl();

  expect(pages).toMatchObject([{ outcome: 'fetched', fetches: 1 }]);
  expect(asked()).toHaveLength(1);
  expect(await overviewOf(key)).toMatchObject({ state: 'deferred' });
});

/** The text of an overview, as an answer. */
const text = (path: string) => pageAt(path.replace(/^\/[^?]*/, '/async/folsrch'));

test.each([
  ['to a page for consent', '/consent?continue=a'],
  ['to a captcha', '/sorry/index?continue=a'],
  ['to the text of another search', '/async/folsrch?q=why+a&async=_id:Other'],
])('the overview stays deferred if the engine redirects its script %s', async (_, location) => {
  let isFirst = true;
  answer = (path) => {
    const redirect = { status: 302, body: '', location };
    const given = isFirst ? redirect : text(path);
    isFirst = false;
    return given;
  };
  const { key, pages } = await crawl();

  expect(pages).toMatchObject([{ outcome: 'fetched', fetches: 1 }]);
  expect(await overviewOf(key)).toMatchObject({ state: 'deferred' });
});

test.each([
  ['never', {}, 0],
  ['tracking', {}, 0],
  ['tracking', { domain: 'acme.example' }, 1],
])('with FETCH_OVERVIEWS=%s, a task with %j requests it %i times', async (setting, fields, times) => {
  vi.stubEnv('FETCH_OVERVIEWS', setting);
  const { key } = await crawl(fields);

  expect(asked()).toHaveLength(times);
  expect(await overviewOf(key)).toMatchObject({ state: times === 0 ? 'deferred' : 'present' });
});

test('the references of the fetched text count as citations', async () => {
  vi.stubEnv('RESOLVE_LINKS', 'always');
  const { key } = await crawl({ domain: 'acme.example' });

  expect((await readV2Task(accountOf(1), key.id)).result).toMatchObject({
    'acme.example': { results: { ai_overview: { position: '2' } } },
  });
});

test('the request counts in the rate of the engine', async () => {
  vi.stubEnv('GOOGLE_RATE', '0.5');
  const before = Date.now() / 1000;
  await crawl({ keyword: 'plain rivers' });
  const plain = await readLine('google');
  await crawl();

  expect(plain.free_at).toBe(0);
  expect((await readLine('google')).free_at).toBeGreaterThanOrEqual(before + 2);
});

test('in the sandbox, the text comes from the sandbox', async () => {
  vi.stubEnv('GOOGLE_ORIGIN', '');
  const { key } = await crawl();

  expect(requests).toEqual([]);
  expect(await overviewOf(key)).toMatchObject({ state: 'present' });
});

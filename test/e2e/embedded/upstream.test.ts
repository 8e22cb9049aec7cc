/**
 * The fetcher `upstream` on the embedded stack, against a server of the provider that behaves as documented,
 * late, double, never and wrongly.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { V2Task } from '../../../lib/model/v2-task.ts';
import { commandHere } from '../../command-here.ts';
import { credentials, startProvider } from '../../upstream-provider.ts';
import { type Client, clientOf } from '../client.ts';
import { startReceiver } from '../receiver.ts';
import { startService } from '../service.ts';

type Provider = Awaited<ReturnType<typeof startProvider>>;
type Receiver = Awaited<ReturnType<typeof startReceiver>>;

const settings = {
  google: { order: ['upstream'] },
  bing: { order: ['upstream'] },
  yahoo: { order: ['upstream'] },
};

/** Seconds after which the provider is overdue. */
const overdueSeconds = 12;

let dataDir: string;
let provider: Provider;
let receiver: Receiver;
let service: Awaited<ReturnType<typeof startService>>;
let client: Client;

/** What `npm run fetchers` prints with these arguments and this input. */
const run = async (args: string[], input: object = {}, folder = dataDir): Promise<string> => {
  const { stdout, stderr } = await commandHere('fetchers', args, { DATA_DIR: folder }, JSON.stringify(input));
  return stdout + stderr;
};

/** The settings of the fetchers of a stack that starts in this folder. */
const writeSettings = (folder: string, given: object): Promise<void> =>
  writeFile(join(folder, 'fetchers.json'), JSON.stringify(given));

const environment = () => ({
  // An hour of the sweeper passes in a minute.
  CLOCK_RATE: '60',
  UPSTREAM_ORIGIN: provider.origin,
  UPSTREAM_CREDENTIALS: credentials,
  UPSTREAM_DEADLINE: String(overdueSeconds),
});

const log = async () =>
  (await readFile(join(dataDir, 'service.log'), 'utf8'))
    .split('\n')
    .flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []));

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'upstream-'));
  provider = await startProvider();
  receiver = await startReceiver();
  await writeSettings(dataDir, settings);
  service = await startService(environment(), dataDir);
  client = clientOf(service);
});
afterAll(async () => {
  await service.stop();
  await provider.stop();
  await receiver.stop();
  await rm(dataDir, { recursive: true, force: true });
});

test('a search is ordered once, its task waits for the pingback, and then has the result of the pages', async () => {
  const keyword = '100% c++ tea';
  const accepted = await client.search({
    keyword,
    location_name: 'Austin,Texas,United States',
    language_code: 'en',
    device: 'mobile',
    depth: 20,
    postback_url: receiver.url,
    post_id: 'documented',
  });
  const task = await client.finished(accepted.id);

  expect(task).toMatchObject({
    status: 'success',
    complete: true,
    retries_count: 0,
    pages: [
      { page: 1, status: 'parsed', retry_count: 0 },
      { page: 2, status: 'parsed', retry_count: 0 },
    ],
  });
  const { left } = task.result as { left: { type: string; position: string }[] };
  expect(left.filter(({ type }) => type === 'organic')).toHaveLength(20);
  expect(provider.ordersOf(keyword)).toEqual([
    {
      id: expect.any(String),
      engine: 'google',
      keyword: '100%25 c%2B%2B tea',
      location_name: 'Austin,Texas,United States',
      language_code: 'en',
      device: 'mobile',
      os: 'android',
      se_domain: 'google.com',
      depth: 20,
      max_crawl_pages: 2,
      tag: expect.stringMatching(/^1-\d+-1$/),
      pingback_url: expect.stringMatching(
        new RegExp(`^${service.url}/upstream/1\\.${task.id}\\.1\\.[\\w-]{43}\\?id=\\$id&tag=\\$tag$`),
      ),
    },
  ]);
  const { html } = await client.json<{ html: string }>(`/api/v1/serp/crawl/${task.id}/html?page=2`);
  expect(html).toContain('<html');
  const delivered = (await receiver.until(1)).map(({ body }) => JSON.parse(body));
  expect(delivered).toMatchObject([{ post_id: 'documented', status: 'success' }]);
});

test('a task of version 1 shows the id at the provider while it waits and afterwards; other engines are ordered too', async () => {
  const waiting = await client.searchV1('bing', { keyword: 'late kettles' });
  const read = () =>
    client.json<{ status: string; upstream_id: string | null }>(`/api/v1/serp/crawl/${waiting.id}`);
  let seen = await read();
  while (seen.status === 'awaiting' || seen.status === 'crawling') {
    await new Promise((resolve) => setTimeout(resolve, 50));
    seen = await read();
  }
  expect(seen).toMatchObject({
    status: 'awaiting_webhook',
    upstream_id: expect.stringMatching(/^11221234-/),
  });

  expect(await client.finishedV1(waiting.id)).toMatchObject({
    status: 'success',
    upstream_id: seen.upstream_id,
    user_agent: null,
    result: { left: expect.arrayContaining([expect.objectContaining({ type: 'organic' })]) },
  });
  expect(await client.searchedV1('yahoo', { keyword: 'quiet kettles' })).toMatchObject({ status: 'success' });
});

test('the next task with the same search reuses the pages, and orders nothing', async () => {
  await client.searched({ keyword: 'bought before' });
  const again = await client.searched({ keyword: 'bought before' });

  expect(again).toMatchObject({ status: 'success', reused: true });
  expect(provider.ordersOf('bought before')).toHaveLength(1);
});

test.concurrent.each([
  ['late biscuits', 'the pages come after a while'],
  ['double biscuits', 'the pingback comes four times'],
  ['hasty biscuits', 'the pingback comes before the pages are ready'],
  ['eager biscuits', 'the pingback comes before the answer to the order'],
  ['silent biscuits', 'no pingback comes, and the pages are there at the deadline'],
  ['stuttering biscuits', 'the first answer with the pages is cut off'],
])('%s: %s, and the task succeeds with one order', async (keyword) => {
  const task = await client.searched({ keyword });

  expect(task).toMatchObject({ status: 'success', retries_count: 0, error_message: null });
  expect(provider.ordersOf(keyword)).toHaveLength(1);
  expect(new Set(provider.pinged.get(keyword) ?? [200])).toEqual(new Set([200]));
});

test.concurrent.each([
  ['busy biscuits', 'takes no more searches at first'],
  ['failing biscuits', 'fails at first'],
])('%s: the provider %s, and a later run orders again', async (keyword) => {
  expect(await client.searched({ keyword })).toMatchObject({ status: 'success', retries_count: 1 });
  expect(provider.ordersOf(keyword)).toHaveLength(2);
});

test.concurrent.each([
  ['never biscuits', 'upstream: the provider has not delivered the pages in time'],
  ['refused biscuits', "upstream: the provider refused the search (40501: Invalid Field: 'location_name'.)"],
  ['withdrawn biscuits', 'upstream: the provider refused the search (40101: Internal SE Server Error.)'],
  ['unknown biscuits', 'upstream: the provider refused the search (40401: Task Not Found.)'],
  ['penniless biscuits', 'upstream: the provider takes no searches of this service'],
  ['indebted biscuits', 'upstream: the provider takes no searches of this service'],
  ['garbled biscuits', 'upstream: the provider gave an answer that cannot be read'],
  ['swapped biscuits', 'upstream: the provider gave an answer that cannot be read'],
  ['pageless biscuits', 'upstream: the provider delivered no page'],
  ['wall biscuits', 'captcha: the engine asked for proof that a person is searching'],
])('%s: the task ends in error with %j', async (keyword, error_message) => {
  const task = await client.searched({ keyword, postback_url: receiver.url, post_id: keyword });

  expect(task).toMatchObject({ status: 'error', error_message, result: null, complete: false });
  expect(provider.ordersOf(keyword)).toHaveLength(1);
  const webhooks = () =>
    receiver.received.map(({ body }) => JSON.parse(body)).filter(({ post_id }) => post_id === keyword);
  while (webhooks().length === 0) await new Promise((resolve) => setTimeout(resolve, 50));
  expect(webhooks()).toMatchObject([{ status: 'error', error_message }]);
});

test.concurrent('the page of another query is no result', async () => {
  const task = await client.searched({ keyword: 'other biscuits' });

  expect(task).toMatchObject({ status: 'error', result: null });
  expect(task.error_message).toMatch(/^(decoy|unknown_layout|soft_block): /);
});

test.concurrent('a page that is not delivered ends the result before it, and is never the end of the ranking', async () => {
  const task = await client.searched({ keyword: 'short biscuits', depth: 20 });
  expect(task).toMatchObject({ status: 'success', complete: false });

  const tracked = await client.searched({
    keyword: 'short biscuits',
    depth: 20,
    domain: 'nobody.example',
    frequency: 0,
  });
  expect(tracked).toMatchObject({
    status: 'error',
    error_message: 'upstream: the provider has not delivered all pages',
  });
});

test.concurrent('a pingback with a forged token is 404 and starts nothing', async () => {
  const task = await client.searched({ keyword: 'forging biscuits' });

  // The deadline ended the wait.
  expect(task.status).toBe('success');
  expect(provider.pinged.get('forging biscuits')).toEqual([404]);
  for (const token of [
    'x',
    '1.2.3',
    `1.${task.id}.1.${'A'.repeat(43)}`,
    `9.${task.id}.1.${'A'.repeat(43)}`,
  ]) {
    const reply = await fetch(`${service.url}/upstream/${token}`);
    expect([reply.status, await reply.json()]).toEqual([404, { detail: 'Search not found' }]);
  }
});

test('refused credentials are loud, and cost no page of the provider', async () => {
  provider.accept('somebody:else');
  try {
    const task = await client.searched({ keyword: 'stranger biscuits' });

    expect(task).toMatchObject({
      status: 'error',
      error_message: 'upstream: the provider takes no searches of this service',
    });
  } finally {
    provider.accept(credentials);
  }
  const lines = (await log()).filter(({ message }) => message === 'upstream refused');
  expect(lines).toContainEqual(
    expect.objectContaining({ level: 'ERROR', step: 'order', code: 401, UpstreamRefused: 1 }),
  );
  expect(JSON.stringify(await log())).not.toContain('sesame');
});

test.concurrent('a process that is killed after the order is recorded finishes the search with the same order', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'upstream-killed-'));
  const keyword = 'late crash';
  try {
    await writeSettings(folder, settings);
    const armed = await startService(
      { ...environment(), CRASH_AT: 'after-move-to-awaiting_webhook' },
      folder,
    );
    const ended = new Promise((resolve) => armed.child.once('exit', resolve));
    const { id } = await clientOf(armed).search({ keyword });
    await ended;

    const next = await startService(environment(), folder);
    try {
      const task: V2Task = await clientOf(next).finished(id);
      expect(task).toMatchObject({ status: 'success' });
      expect(provider.ordersOf(keyword)).toHaveLength(1);
    } finally {
      await next.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test.concurrent('without credentials, the provider is not offered: it cannot be chosen, and an order without another fetcher has none', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'upstream-bare-'));
  try {
    const { UPSTREAM_CREDENTIALS, ...bare } = environment();
    await writeSettings(folder, { google: { order: ['upstream'] }, bing: { order: ['upstream', 'http'] } });
    const second = await startService(bare, folder);
    try {
      expect(await clientOf(second).searched({ keyword: 'bare biscuits' })).toMatchObject({
        status: 'error',
        error_message: 'machinery: the order of the engine has no fetcher for its pages',
      });
      expect(await clientOf(second).searchedV1('bing', { keyword: 'bare biscuits' })).toMatchObject({
        status: 'success',
        upstream_id: null,
      });
      expect(provider.ordersOf('bare biscuits')).toEqual([]);
      expect(await run(['set'], settings, folder)).toBe(
        'The secret UPSTREAM_CREDENTIALS is empty, so the fetcher upstream is not offered.\n',
      );
    } finally {
      await second.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('the command stores an order with the provider, shows its health, and refuses an engine of which it has no pages', async () => {
  expect(await run(['set'], settings)).toContain('The settings are stored.');
  expect(await run(['show'])).toContain('google  order upstream  rate default\n');
  expect(await run(['show'])).toContain('  upstream  0 failures in a row\n');

  expect(await run(['set'], { youtube: { order: ['upstream'] } })).toBe(
    'The upstream provider has no pages of youtube.\n',
  );
});

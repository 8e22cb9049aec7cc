/**
 * The two steps with the upstream provider and its pingback, on the real stores: each may run twice, at the
 * same time, or after the task has moved on.
 */
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SendMessageBatchCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { mockClient } from 'aws-sdk-client-mock';
import * as v from 'valibot';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { CrawlRequest, GoogleCrawlRequest } from '../../../lib/model/crawl-request.ts';
import type { AnsweredPage, HandedSearch, TaskKey } from '../../../lib/model/workflow.ts';
import type { SerpRow } from '../../../lib/store/task-row.ts';
import { credentials, startProvider } from '../../upstream-provider.ts';
import { accountOf } from '../account.ts';
import { startStores } from '../task/stores.ts';
import { fetchAlone } from './fetch-alone.ts';

// The stores read their names from the environment when they are imported.
const stores = await startStores();
const provider = await startProvider();
process.env.UPSTREAM_ORIGIN = provider.origin;
process.env.UPSTREAM_DEADLINE = '600';
const secrets = mockClient(SecretsManagerClient);
secrets.on(GetSecretValueCommand).resolves({});
secrets
  .on(GetSecretValueCommand, { SecretId: process.env.UPSTREAM_CREDENTIALS_SECRET })
  .resolves({ SecretString: credentials });
mockClient(SSMClient)
  .on(GetParameterCommand)
  .resolves({
    Parameter: { Value: '{"google": {"order": ["upstream"]}, "bing": {"order": ["http", "upstream"]}}' },
  });

const { makePingbackToken } = await import('../../../lib/access/pingback-token.ts');
const { collectPages } = await import('../../../lib/crawl/collect-pages.ts');
const { createV1Tasks, createV2Tasks } = await import('../../../lib/crawl/create.ts');
const { fetchPage } = await import('../../../lib/crawl/fetch-page.ts');
const { parseTask } = await import('../../../lib/crawl/parse-task.ts');
const { planPages } = await import('../../../lib/crawl/plan-pages.ts');
const { postSearch } = await import('../../../lib/crawl/post-search.ts');
const { receivePingback } = await import('../../../lib/crawl/receive-pingback.ts');
const { clock } = await import('../../../lib/runtime/clock.ts');
const { beginOrder, moveRow, readRow } = await import('../../../lib/store/tasks.ts');
const { putAccount } = await import('../../../lib/store/users.ts');
const { redriveTask } = await import('../../../lib/task/redrive.ts');
const { sweepTasks } = await import('../../../lib/task/sweep.ts');

const account = { ...accountOf(1), signing_key: Buffer.alloc(32, 7).toString('base64') };
await putAccount(account);

beforeEach(() => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  stores.queue.resetHistory();
});
afterAll(async () => {
  await provider.stop();
  await stores.stop();
});

let searches = 0;

const rowOf = async ({ user_id, id }: TaskKey): Promise<SerpRow> => {
  const row = await readRow(user_id, id, 0);
  if (!row) throw new Error('The row is gone');
  return row;
};

/** Accepts a task whose keyword begins with `behaviour`. Without a base, the provider does not call back. */
const accept = async (behaviour: string, fields: Record<string, unknown> = {}) => {
  const keyword = `${behaviour} ${++searches}`;
  const request = v.parse(GoogleCrawlRequest, {
    keyword,
    location_name: 'Canada',
    iso_code: 'CA',
    ...fields,
  });
  const [task] = await createV2Tasks(account, [request], '');
  if (!task) throw new Error('Nothing was accepted');
  stores.queue.resetHistory();
  return { keyword, key: { user_id: 1, id: task.id } };
};

/** Runs the first half of a run up to the state PostSearch, and returns its input. */
const toProvider = async (key: TaskKey): Promise<HandedSearch> => {
  const { attempt, batch } = await planPages(key);
  const fetched = await Promise.all(batch.map((page) => fetchPage(page)));
  const { outcome, next } = await parseTask({ ...key, attempt }, fetched);
  expect(outcome).toBe('upstream');
  if (!next) throw new Error('There is no provider');
  return { ...key, attempt, next };
};

/** A task whose search the provider has accepted. */
const handed = async (behaviour: string, fields: Record<string, unknown> = {}) => {
  const { key, keyword } = await accept(behaviour, fields);
  const run = await toProvider(key);
  expect(await postSearch(run)).toMatchObject({ outcome: 'handed', delivery: null });
  return { key, keyword, run };
};

const queued = () => [
  ...stores.queue
    .commandCalls(SendMessageBatchCommand)
    .flatMap(({ args: [{ input }] }) => input.Entries ?? []),
  ...stores.queue.commandCalls(SendMessageCommand).map(({ args: [{ input }] }) => input),
];

describe('the order', () => {
  test('makes the task wait for the provider, without a lease, until the deadline of the provider', async () => {
    const { key, keyword } = await handed('plain');

    const row = await rowOf(key);
    expect(row).toMatchObject({
      status: 'awaiting_webhook',
      upstream_id: provider.ordersOf(keyword)[0]?.id,
      lease_until: 0,
    });
    expect(row.due_at).toBe(row.upstream?.until);
    expect(row.upstream?.until).toBe((row.upstream?.accepted_at ?? 0) + 600);
  });

  test('is not made again by a step that runs twice after the record', async () => {
    const { keyword, run } = await handed('plain');

    expect(await postSearch(run)).toMatchObject({ outcome: 'handed' });
    expect(provider.ordersOf(keyword)).toHaveLength(1);
  });

  test('of two steps at the same time is made once, and its pages are collected', async () => {
    const { key, keyword } = await accept('plain');
    const run = await toProvider(key);

    const ends = await Promise.all([postSearch(run), postSearch(run)]);

    expect(ends.map(({ outcome }) => outcome)).toEqual(['handed', 'handed']);
    expect(provider.ordersOf(keyword).map(({ id }) => id)).toEqual([(await rowOf(key)).upstream_id]);
    expect(await collectPages(await planPages(key))).toMatchObject({ outcome: 'collected' });
  });

  /**
   * A task whose run has ordered its search, and has died before it recorded the order. Returns the time of
   * its death, too.
   */
  const diedAfterOrder = async (behaviour: string, rest = {}) => {
    const { key, keyword } = await accept(behaviour);
    const run = await toProvider(key);
    await postSearch(run);
    const { status, upstream_id, upstream, ordering } = await rowOf(key);
    const ordered = ordering ?? { first: upstream?.accepted_at ?? 0, last: upstream?.accepted_at ?? 0 };
    if (status === 'awaiting_webhook') {
      await moveRow(
        key,
        { from: ['awaiting_webhook'] },
        { status: 'crawling', upstream_id: undefined, upstream: undefined, ordering: ordered, ...rest },
      );
    }
    return { key, keyword, run, upstream_id, diedAt: ordered.last };
  };

  test('is found in the list of the provider if the run died before it recorded the order', async () => {
    const { key, keyword, run, upstream_id, diedAt } = await diedAfterOrder('plain');

    expect(await postSearch(run, diedAt + 2)).toMatchObject({ outcome: 'handed' });

    expect(provider.paidFor(keyword)).toHaveLength(1);
    const row = await rowOf(key);
    expect(row).toMatchObject({ status: 'awaiting_webhook', upstream_id, due_at: diedAt + 62 });
    expect(row.ordering).toBeUndefined();
    expect(await collectPages(await planPages(key))).toMatchObject({ outcome: 'collected' });
  });

  test('of an earlier run is found, too, and the sweeper asks for its pages soon', async () => {
    const { key, keyword, run, upstream_id, diedAt } = await diedAfterOrder('plain', { attempt: 3 });

    expect(await postSearch({ ...run, attempt: 3 }, diedAt + 400)).toMatchObject({ outcome: 'handed' });

    expect(provider.paidFor(keyword)).toHaveLength(1);
    expect(await rowOf(key)).toMatchObject({ upstream_id, due_at: diedAt + 460 });
  });

  test('is found behind a thousand orders of others', async () => {
    const { key, run, upstream_id, diedAt } = await diedAfterOrder('plain');
    provider.acceptOthers(1000);
    const before = provider.lists();

    expect(await postSearch(run, diedAt + 30)).toMatchObject({ outcome: 'handed' });

    expect(provider.lists()).toBe(before + 2);
    expect(await rowOf(key)).toMatchObject({ upstream_id });
  });

  test('is found if its answer was lost', async () => {
    const { key, keyword, run, diedAt } = await diedAfterOrder('mumbling');
    expect(provider.ordersOf(keyword)).toHaveLength(1);

    expect(await postSearch(run, diedAt + 10)).toMatchObject({ outcome: 'handed' });

    expect(provider.ordersOf(keyword).map(({ id }) => id)).toEqual([(await rowOf(key)).upstream_id]);
  });

  test('that may have reached the provider keeps later runs from fetching the pages in another way', async () => {
    const request = v.parse(CrawlRequest, { keyword: 'plain', location_name: 'Canada', iso_code: 'CA' });
    const [task] = await createV1Tasks(account, 'bing', [request], '');
    const key = { user_id: 1, id: task?.id ?? 0 };
    const firstPage = async (fetch: typeof fetchAlone): Promise<AnsweredPage> => {
      const { batch } = await planPages(key);
      const [page = { ...key, attempt: 0, page: 0 }] = batch;
      return fetch(page);
    };

    expect(await firstPage(fetchAlone)).toMatchObject({ outcome: 'fetched', fetches: 1 });
    await beginOrder(await rowOf(key), clock());
    await moveRow(key, { from: ['crawling'] }, { status: 'awaiting', lease_until: 0 });

    const later = await firstPage(fetchPage);
    expect(later).toMatchObject({ outcome: 'upstream', fetches: 0, next: { fetcher: 'upstream' } });
    expect(await parseTask({ ...key, attempt: 2 }, [later])).toMatchObject({ outcome: 'upstream' });
  });

  test('that the provider has no room for leaves later runs free to fetch the pages themselves', async () => {
    const { key, keyword } = await accept('busy');
    const run = await toProvider(key);

    expect(await postSearch(run)).toMatchObject({ outcome: 'throttled' });
    expect((await rowOf(key)).ordering).toBeUndefined();
    expect(provider.paidFor(keyword)).toEqual([]);
  });

  test('that the provider does not have is made again, but not at once', async () => {
    const { key, keyword } = await accept('plain');
    const run = await toProvider(key);
    const diedAt = clock();
    expect(await beginOrder(await rowOf(key), diedAt)).toBe(true);

    expect(await postSearch(run, diedAt + 4)).toMatchObject({ outcome: 'throttled' });
    expect(provider.ordersOf(keyword)).toEqual([]);
    expect(await postSearch(run, diedAt + 5)).toMatchObject({ outcome: 'handed' });
    expect(provider.ordersOf(keyword)).toHaveLength(1);
  });

  /** A clock that shows these milliseconds one after another, and then the last of them. */
  const clockOf = (...times: number[]) => {
    const [last = 0] = times.slice(-1);
    return () => times.shift() ?? last;
  };

  test('is recorded with its own time, if the list before it took seconds', async () => {
    const { key, keyword } = await accept('mumbling');
    const run = await toProvider(key);
    const diedAt = clock();
    await beginOrder(await rowOf(key), diedAt);

    expect(await postSearch(run, diedAt + 5, clockOf(0, 3500))).toMatchObject({ outcome: 'throttled' });
    expect((await rowOf(key)).ordering).toEqual({ first: diedAt, last: diedAt + 9 });
    expect(provider.paidFor(keyword)).toHaveLength(1);
  });

  test('whose record took seconds is left to the next run', async () => {
    const { key, keyword } = await accept('plain');
    const run = await toProvider(key);

    expect(await postSearch(run, clock(), clockOf(0, 0, 2500))).toMatchObject({ outcome: 'throttled' });
    expect(provider.ordersOf(keyword)).toEqual([]);
    expect(await postSearch(run, clock() + 5)).toMatchObject({ outcome: 'handed' });
    expect(provider.ordersOf(keyword)).toHaveLength(1);
  });

  test('is not made again while the provider does not give its list', async () => {
    const { keyword, run, diedAt } = await diedAfterOrder('plain');
    provider.refuseLists(true);
    try {
      expect(await postSearch(run, diedAt + 60)).toMatchObject({ outcome: 'throttled' });
    } finally {
      provider.refuseLists(false);
    }
    expect(provider.ordersOf(keyword)).toHaveLength(1);
  });

  test('is searched for only if an earlier one began', async () => {
    const before = provider.lists();
    await handed('plain');

    expect(provider.lists()).toBe(before);
  });

  test('of a run that no longer holds the task is not made', async () => {
    const { key, keyword } = await accept('plain');
    const run = await toProvider(key);

    expect(await postSearch({ ...run, attempt: run.attempt - 1 })).toMatchObject({ outcome: 'stale' });
    expect(provider.ordersOf(keyword)).toEqual([]);
  });

  test('that is refused ends the task once, with its webhook', async () => {
    const { key } = await accept('refused', { postback_url: 'https://receiver.example/hook' });
    const run = await toProvider(key);

    const [first, second] = [await postSearch(run), await postSearch(run)];

    expect(first).toEqual(second);
    expect(first).toMatchObject({ outcome: 'final', delivery: `msg_1_${key.id}_1` });
    expect(await rowOf(key)).toMatchObject({
      status: 'error',
      error_message: expect.stringMatching(/^upstream: /),
      pages: [{ status: 'failed' }],
    });
  });

  test('that is refused names the batch to look at, also when its step runs twice', async () => {
    const { key } = await accept('refused');
    const run = await toProvider(key);
    await moveRow(key, { from: ['crawling'] }, { batch_id: 77 });

    expect(await postSearch(run)).toMatchObject({ outcome: 'final', batch_id: 77 });
    expect(await postSearch(run)).toMatchObject({ outcome: 'final', batch_id: 77 });
  });

  test('that gets no answer is made again by later runs, and by the fifth for the last time', async () => {
    const { key } = await accept('plain');
    const run = await toProvider(key);
    process.env.UPSTREAM_ORIGIN = 'http://127.0.0.1:9';
    try {
      expect(await postSearch(run)).toMatchObject({ outcome: 'throttled' });
      await moveRow(key, { from: ['crawling'] }, { attempt: 5 });
      expect(await postSearch({ ...run, attempt: 5 })).toMatchObject({ outcome: 'final' });
    } finally {
      process.env.UPSTREAM_ORIGIN = provider.origin;
    }
    expect(await rowOf(key)).toMatchObject({
      status: 'error',
      error_message: 'upstream: the provider did not answer',
    });
  });

  test('of a keyword that is too long for the provider is not made', async () => {
    const { key, keyword } = await accept('plain'.repeat(141));
    const run = await toProvider(key);

    expect(await postSearch(run)).toMatchObject({ outcome: 'final' });
    expect(provider.ordersOf(keyword)).toEqual([]);
  });

  test.each([
    [{ location_name: 'berlin', iso_code: 'DE' }, 'Berlin,State of Berlin,Germany'],
    [{ location_name: 'berlin, berlin, germany', iso_code: 'DE' }, 'Berlin,berlin,Germany'],
    [{ location_name: '', iso_code: 'UK' }, 'United Kingdom'],
    [{ location_name: 'Nowhere', iso_code: 'DE' }, 'Nowhere'],
    [{ location_name: 'Austin,Texas,United States', iso_code: 'US' }, 'Austin,Texas,United States'],
  ])('of a search in %j names %s', async (fields, location_name) => {
    const { keyword } = await handed('plain', fields);

    expect(provider.ordersOf(keyword)).toMatchObject([{ location_name }]);
  });

  test('has the coordinates of the search in place of its location', async () => {
    const { keyword } = await handed('plain', { coordinates: '52.52,13.405,500' });

    const [order] = provider.ordersOf(keyword);
    expect(order).toMatchObject({ location_coordinate: '52.52,13.405,500' });
    expect(order).not.toHaveProperty('location_name');
  });
});

describe('the second half of the run', () => {
  test('holds the lease, and a second message changes nothing meanwhile', async () => {
    const { key } = await handed('plain');
    const [first, second] = [await planPages(key), await planPages(key)];

    expect([first.outcome, second.outcome]).toEqual(['ordered', 'stale']);
    expect((await rowOf(key)).lease_until).toBeGreaterThan(clock());
  });

  test('stores the pages of the run under their usual keys, and ends the task once, however often its steps run', async () => {
    const { key, run } = await handed('plain', { depth: 20 });
    await planPages(key);

    const [first, second] = await Promise.all([collectPages(run), collectPages(run)]);
    if (first.outcome !== 'collected' || second.outcome !== 'collected') throw new Error('Not collected');
    const ends = await Promise.all([parseTask(first, first.crawled), parseTask(second, second.crawled)]);

    expect(ends.map(({ outcome }) => outcome).sort()).toContain('final');
    expect(ends.every(({ met }) => met === null)).toBe(true);
    const row = await rowOf(key);
    expect(row).toMatchObject({ status: 'success', complete: true, retries_count: 0, attempt: 1 });
    expect(row.pages.map(({ html }) => html)).toEqual([
      `html/${row.html_folder}/1-1.html.gz`,
      `html/${row.html_folder}/1-2.html.gz`,
    ]);
    expect(await collectPages(run)).toMatchObject({ outcome: 'final' });
  });

  test('goes on with stored pages if the run died before they were parsed', async () => {
    const { key, run } = await handed('plain');
    await planPages(key);
    const collected = await collectPages(run);
    if (collected.outcome !== 'collected') throw new Error('Not collected');
    await moveRow(key, { from: ['awaiting_webhook'] }, { status: 'parsing', counted: [] });

    expect(await collectPages(run)).toMatchObject({ outcome: 'collected', crawled: [] });
  });

  test.each([
    [0, 60],
    [59, 60],
    [200, 200],
    [400, 200],
  ])(
    'that comes too early after %i s gives the lease back, and is repeated after %i s if no pingback comes',
    async (waited, pause) => {
      const { key, run } = await handed('never');
      const now = ((await rowOf(key)).upstream?.accepted_at ?? 0) + waited;
      await planPages(key, now);

      expect(await collectPages(run, now)).toMatchObject({ outcome: 'handed' });
      expect(await rowOf(key)).toMatchObject({
        status: 'awaiting_webhook',
        lease_until: 0,
        due_at: now + pause,
      });
      expect(await planPages(key, now)).toMatchObject({ outcome: 'ordered' });
    },
  );

  test('is started by the sweeper at the deadline of the provider, which is asked once more before the task ends', async () => {
    const { key, run } = await handed('never');
    const { until = 0 } = (await rowOf(key)).upstream ?? {};

    const isQueued = () => queued().some(({ MessageBody }) => MessageBody?.includes(String(key.id)));

    await sweepTasks(until - 1);
    expect(isQueued()).toBe(false);
    await sweepTasks(until);
    expect(isQueued()).toBe(true);
    await planPages(key, until);
    expect(await collectPages(run, until)).toMatchObject({ outcome: 'final' });

    expect(await rowOf(key)).toMatchObject({
      status: 'error',
      error_message: 'upstream: the provider has not delivered the pages in time',
    });
  });

  test('is not needed for a task past its own deadline: the sweeper ends it with the same reason', async () => {
    const { key } = await handed('never');

    await sweepTasks((await rowOf(key)).created_at + 21_600);

    expect(await rowOf(key)).toMatchObject({
      status: 'error',
      error_message: 'upstream: the provider has not delivered the pages in time',
    });
  });

  test.each(['garbled', 'indebted'])(
    'is repeated in the same way if the answer is %s, because the pages are paid for',
    async (behaviour) => {
      const { key, run } = await handed(behaviour);
      await planPages(key);
      const now = clock();

      expect(await collectPages(run, now)).toMatchObject({ outcome: 'handed' });
      expect(await rowOf(key)).toMatchObject({ status: 'awaiting_webhook', due_at: now + 60 });
    },
  );
});

describe('a pingback', () => {
  const tokenOf = (run: HandedSearch) => makePingbackToken(account, run);

  test('queues a run of the task for each call, while the task waits', async () => {
    const { key, run } = await handed('plain');

    await receivePingback(tokenOf(run));
    await receivePingback(tokenOf(run));

    const bodies = queued().map(({ MessageBody = '' }) => JSON.parse(MessageBody));
    expect(bodies).toMatchObject([key, key]);
  });

  test('before the record of the order queues a run for a moment later', async () => {
    const { key } = await accept('plain');
    const run = await toProvider(key);

    await receivePingback(tokenOf(run));

    const [message] = queued();
    expect(message).toMatchObject({ DelaySeconds: 3 });
    expect(JSON.parse(message?.MessageBody ?? '')).toMatchObject({ ...key, not_before: expect.any(Number) });
  });

  test('for a task that has ended, or for an earlier run of a task that was redriven, does nothing', async () => {
    const { key, run } = await handed('plain');
    await moveRow(key, { from: ['awaiting_webhook'] }, { status: 'dead_letter' });
    await receivePingback(tokenOf(run));
    expect(queued()).toEqual([]);

    expect(await redriveTask(key)).toBe('queued');
    const row = await rowOf(key);
    expect([row.upstream_id, row.upstream]).toEqual([undefined, undefined]);
    await toProvider(key);
    stores.queue.resetHistory();
    await receivePingback(tokenOf(run));
    expect(queued()).toEqual([]);
  });

  test('with a token of another task, user or run, or of another key, is refused', async () => {
    const { run } = await handed('plain');
    const token = tokenOf(run);
    const signature = token.slice(token.lastIndexOf('.') + 1);
    const forged = [
      `1.${run.id + 1}.1.${signature}`,
      `2.${run.id}.1.${signature}`,
      `1.${run.id}.2.${signature}`,
      makePingbackToken({ signing_key: Buffer.alloc(32, 8).toString('base64') }, run),
      token.slice(0, -1),
      '',
    ];

    for (const each of forged) {
      await expect(receivePingback(each), each).rejects.toMatchObject({ statusCode: 404 });
    }
    expect(queued()).toEqual([]);
  });
});

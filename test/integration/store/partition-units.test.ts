/**
 * How many tasks a second one user can have: the units that whole lives of its tasks take from each partition
 * of each table and index, compared with what DynamoDB gives a partition.
 */
import { SFNClient, StartSyncExecutionCommand } from '@aws-sdk/client-sfn';
import { SendMessageBatchCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import type { SQSRecord } from 'aws-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import * as v from 'valibot';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Units } from '../../../infra/cost/counts.ts';
import { countUnits } from '../../../infra/local/stores/table-units.ts';
import type { Plan } from '../../../lib/crawl/plan-pages.ts';
import { inBatches } from '../../../lib/runtime/in-parallel.ts';
import { shards } from '../../../lib/store/partitions.ts';
import { schemas, type TableSchema } from '../../../lib/store/schema.ts';
import { callArea, context } from '../../api-call.ts';
import { startReceiver } from '../postback/receiver.ts';
import { startStores } from '../task/stores.ts';

const stores = await startStores();
const receiver = await startReceiver();
const machines = mockClient(SFNClient);
// The stores read their names from the environment when they are imported.
const { createAccount } = await import('../../../lib/access/create-account.ts');
const { fetchPage } = await import('../../../lib/crawl/fetch-page.ts');
const { parseTask } = await import('../../../lib/crawl/parse-task.ts');
const { listRows } = await import('../../../lib/store/lists.ts');
const { reserveNumbers } = await import('../../../lib/store/new-tasks.ts');
const { handler: serp } = await import('../../../functions/api/serp.ts');
const { handler: startCrawl } = await import('../../../functions/crawl/start-crawl.ts');
const { handler: deliver } = await import('../../../functions/postback/deliver.ts');

/** What DynamoDB gives one partition in a second. */
const limits = { write: 1000, read: 3000 };

/** The partition key of each table and index, under the names of the environment. */
const partitionKeys = Object.fromEntries(
  Object.values<TableSchema>(schemas).flatMap(({ variable, partitionKey, indexes = [] }) => {
    const table = process.env[variable] ?? '';
    return [
      [table, partitionKey.name],
      ...indexes.map((index) => [`${table}/${index.name}`, index.partitionKey.name]),
    ];
  }),
);

let units: Units;
const messages: { queue: 'crawl' | 'postback'; body: string }[] = [];

beforeAll(async () => {
  units = await countUnits(undefined, partitionKeys);
  const keep = (url: string | undefined, body = '') =>
    messages.push({ queue: url === process.env.CRAWL_QUEUE_URL ? 'crawl' : 'postback', body });
  stores.queue.on(SendMessageCommand).callsFake(({ QueueUrl, MessageBody }) => {
    keep(QueueUrl, MessageBody);
    return {};
  });
  stores.queue.on(SendMessageBatchCommand).callsFake(({ QueueUrl, Entries }) => {
    for (const { MessageBody } of Entries) keep(QueueUrl, MessageBody);
    return { Successful: [], Failed: [] };
  });
  machines.on(StartSyncExecutionCommand).callsFake(async ({ input }) => {
    const plan: Plan = JSON.parse(input);
    const pages = await Promise.all(
      [...plan.batch, ...(plan.rest.batch ?? [])].map((page) => fetchPage(page)),
    );
    const ended = pages[0]?.ended ?? (await parseTask(plan, pages));
    return { status: 'SUCCEEDED', output: JSON.stringify(ended) };
  });
});
beforeEach(() => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterAll(async () => {
  machines.restore();
  await Promise.all([stores.stop(), receiver.stop()]);
});

/** The consumer receives the messages of a queue in batches of ten. */
const consume = async (queue: 'crawl' | 'postback') => {
  const bodies = messages.flatMap((message) => (message.queue === queue ? [message.body] : []));
  for (const batch of inBatches(bodies, 10)) {
    const Records = batch.map(
      (body, n): SQSRecord => ({
        messageId: String(n),
        receiptHandle: 'r',
        body,
        attributes: {
          ApproximateReceiveCount: '1',
          SentTimestamp: '0',
          SenderId: '',
          ApproximateFirstReceiveTimestamp: '0',
        },
        messageAttributes: {},
        md5OfBody: '',
        eventSource: 'aws:sqs',
        eventSourceARN: '',
        awsRegion: '',
      }),
    );
    const failed = await (queue === 'crawl' ? startCrawl : deliver)({ Records }, context);
    expect(failed).toEqual({ batchItemFailures: [] });
  }
};

const Task = v.object({ id: v.number(), status: v.string() });

type Way = { posted: 'one by one' | 'in batches'; hasWebhook: boolean; depth: number; tasks: number };

/** A client that polls reads a task so often. A client with a webhook reads it once. */
const polls = 3;

/** The whole life of the tasks of a new user. Returns the units that each partition takes for one task. */
const live = async ({ posted, hasWebhook, depth, tasks }: Way): Promise<{ userId: number; used: Units }> => {
  messages.length = 0;
  receiver.received.length = 0;
  const { account, apiKey } = await createAccount({ rate_limit: 0 });
  // The counters of a user who has had tasks before are at different numbers.
  for (let shard = 0; shard < shards; shard++) await reserveNumbers(account.id, shard + 1, shard);
  const before = { ...units };
  const call = async (path: string, body?: object) => {
    const answer = await callArea(serp, {
      method: body ? 'POST' : 'GET',
      path,
      body: body ? JSON.stringify(body) : null,
      headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
    });
    expect(answer.status).toBe(200);
    return JSON.parse(answer.body);
  };
  const searches = Array.from({ length: tasks }, (_, n) => ({
    keyword: `comfortable waterproof hiking boots ${account.id} ${n}`,
    location_name: 'Austin,Texas,United States',
    iso_code: 'US',
    language_code: 'en',
    keyword_id: 1_000_000 + n,
    depth,
    ...(hasWebhook && {
      postback_url: `${receiver.url}/rankings?customer=4711&campaign=spring-2026&row=${n}`,
      post_id: `9b2f6c1e-5d0a-4c4b-8a53-0f8f3c1d${1000 + n}`,
    }),
  }));
  const made =
    posted === 'in batches'
      ? await call('/api/v2/serp/crawl/google/batch', searches)
      : await Promise.all(searches.map((search) => call('/api/v2/serp/crawl', search)));
  await consume('crawl');
  await consume('postback');
  for (const { id } of v.parse(v.array(Task), made)) {
    for (let n = 0; n < (hasWebhook ? 1 : polls); n++) {
      expect(v.parse(Task, await call(`/api/v2/serp/crawl/${id}`)).status).toBe('success');
    }
  }
  expect(receiver.received).toHaveLength(hasWebhook ? tasks : 0);
  const used = Object.entries(units).flatMap(([name, count]) => {
    const added = count - (before[name] ?? 0);
    return added > 0 ? [[name, added / tasks] as const] : [];
  });
  const exact: Units = Object.fromEntries(used);
  return { userId: account.id, used: posted === 'in batches' ? exact : averaged(exact) };
};

/**
 * Tasks that are posted one by one take random partitions, and a few of them are not spread evenly. The
 * average is what many tasks take, under the name `7#*`.
 */
const averaged = (used: Units): Units => {
  const average: Units = {};
  for (const [name, each] of Object.entries(used)) {
    const shared = name.replace(/^(\w+ tasks-table\S* .*?#(?:counter)?)\d+/, '$1*');
    average[shared] = (average[shared] ?? 0) + (shared === name ? each : each / shards);
  }
  return average;
};

/** The partitions that reach their limit at fewer tasks per second than `goal`, with the number of tasks. */
const slower = (used: Units, goal: number): [string, number][] =>
  Object.entries(used)
    .filter(([name]) => !name.startsWith('stored '))
    .map(([name, each]): [string, number] => [
      name,
      limits[name.startsWith('write ') ? 'write' : 'read'] / each,
    ])
    .filter(([, rate]) => rate < goal);

/** The number of partitions that a call used, of those whose names begin so. */
const partitionsOf = (used: Units, name: string): number =>
  Object.keys(used).filter((each) => each.startsWith(name)).length;

const each = Array.from({ length: shards }, (_, shard) => String(shard));
const ways: [Way['posted'], string[]][] = [
  ['one by one', ['*']],
  ['in batches', each],
];

const lives = new Map<Way['posted'], ReturnType<typeof live>>();
const liveWithoutWebhooks = (posted: Way['posted']) => {
  const lived = lives.get(posted) ?? live({ posted, hasWebhook: false, depth: 10, tasks: 2 * shards });
  lives.set(posted, lived);
  return lived;
};

test.each(ways)('a user can have 1,000 tasks/s, posted %s', async (way, numbers) => {
  const { userId, used } = await liveWithoutWebhooks(way);

  expect(slower(used, 1000)).toEqual([]);
  expect(Object.keys(used)).toEqual(
    expect.arrayContaining(
      numbers.flatMap((shard) => [
        `write tasks-table ${userId}#${shard}`,
        `read tasks-table ${userId}#${shard}`,
        `write tasks-table ${userId}#${shard}#result1`,
      ]),
    ),
  );
  expect(partitionsOf(used, 'write tasks-table/unfinished task#')).toBeGreaterThanOrEqual(numbers.length);
});

test.each(ways)('a user can have 1,000 tasks/s with webhooks, posted %s', async (way, numbers) => {
  const { userId, used } = await live({ posted: way, hasWebhook: true, depth: 10, tasks: 2 * shards });

  expect(slower(used, 1000)).toEqual([]);
  expect(Object.keys(used)).toEqual(
    expect.arrayContaining([
      expect.stringContaining(`write limits-table deliveries#${userId}#`),
      `read users-table ${userId}`,
    ]),
  );
  expect(partitionsOf(used, 'write tasks-table/unfinished delivery#')).toBeGreaterThanOrEqual(numbers.length);
});

test('a user can have 700 tasks/s of ten pages with webhooks', async () => {
  const { used } = await live({ posted: 'in batches', hasWebhook: true, depth: 100, tasks: shards });

  expect(slower(used, 700)).toEqual([]);
});

test.each([
  [60_000, 1, 1],
  [1_000_000, 9, 17],
])('a limit of %i requests a minute is counted in as many items as it needs', async (limit, least, most) => {
  const { account, apiKey } = await createAccount({ rate_limit: limit });
  const ask = () =>
    callArea(serp, {
      method: 'GET',
      path: '/api/v2/serp/crawl/1',
      headers: { Authorization: `Bearer ${apiKey}` },
    });
  for (let n = 0; n < 100; n++) await ask();
  const counters = Object.entries(units).filter(([name]) =>
    new RegExp(`^write limits-table user#${account.id}[/#]`).test(name),
  );

  // The hundred requests may be of two minutes.
  expect(counters.length).toBeGreaterThanOrEqual(least);
  expect(counters.length).toBeLessThanOrEqual(2 * most);
  expect(counters.reduce((sum, [, count]) => sum + count, 0)).toBe(100);
});

test('a page of 25 tasks costs at most 16 read units', async () => {
  const { userId } = await liveWithoutWebhooks('in batches');
  const unitsOf = async (status?: 'success' | 'error') => {
    const before = { ...units };
    const { rows } = await listRows(userId, { status, limit: 25 });
    const reads = Object.entries(units).map(([name, count]) => count - (before[name] ?? 0));
    return { rows: rows.length, reads: reads.reduce((a, b) => a + b) };
  };

  const [all, good] = [await unitsOf(), await unitsOf('success')];
  // Without a failed task, only the index is read.
  const none = await unitsOf('error');

  expect([all.rows, good.rows, none.rows]).toEqual([25, 25, 0]);
  expect(Math.max(all.reads, good.reads, none.reads)).toBeLessThanOrEqual(16);
});

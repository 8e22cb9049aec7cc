/**
 * How long the sweeper takes for 100,000 overdue tasks: the real sweeper on tables and queues in memory, in
 * model time. Each request takes a latency, and first its processor time on the share of a core that the
 * function has.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { seconds as limits, megabytes } from '../../../infra/function-limits.ts';
import { dynamo, sqs } from '../../../lib/runtime/aws.ts';
import { layouts } from '../../../lib/store/layouts.ts';
import { rowKey, unfinishedPartition } from '../../../lib/store/partitions.ts';
import type { SerpRow } from '../../../lib/store/task-row.ts';
import { taskId } from '../../../lib/task/id.ts';
import { sweepTasks } from '../../../lib/task/sweep.ts';
import { sweepSeconds, unclaimedSeconds } from '../../../lib/task/timing.ts';

/** Milliseconds until AWS answers a request. */
const latency = 10;

/**
 * Milliseconds of a whole core that a request takes, and those that each row in it takes. On a laptop,
 * without TLS, they are 0.7 and 0.08; ten messages together take 0.8.
 */
const cpu = { request: 1, item: 0.08 };

/** The share of a core that Lambda grants for this memory. */
const share = Math.min(1, megabytes.sweeper / 1769);

/** Model time in milliseconds, and the work that continues later. */
let now = 0;
let cpuFree = 0;
let waiting: { at: number; go: () => void }[] = [];

/** Waits until the request has its answer. */
const request = (items: number): Promise<void> => {
  cpuFree = Math.max(now, cpuFree) + (cpu.request + cpu.item * items) / share;
  return new Promise((go) => waiting.push({ at: Math.ceil(cpuFree + latency), go }));
};

/** Lets `work` run to its end in model time. */
const run = async <T>(work: Promise<T>): Promise<PromiseSettledResult<T>> => {
  let end: PromiseSettledResult<T> | undefined;
  void Promise.allSettled([work]).then(([settled]) => {
    end = settled;
  });
  for (;;) {
    await turn();
    if (end) return end;
    now = Math.min(...waiting.map(({ at }) => at));
    const due = waiting.filter(({ at }) => at <= now);
    waiting = waiting.filter(({ at }) => at > now);
    for (const { go } of due) go();
  }
};

type Row = SerpRow & Record<string, unknown>;
type Input = Record<string, unknown>;

const rows = new Map<string, Row>();
/** The rows of each partition of the index. */
const index = new Map<string, Set<Row>>();
/** The second at which each task was taken up: its message was sent, or it ended. */
const takenUp = new Map<number, number>();

const start = 1_790_000_000;
const seconds = () => now / 1000;

const nameOf = ({ partition, id }: Input) => `${partition}/${id}`;
const entriesOf = (partition: unknown): Set<Row> => {
  const entries = index.get(String(partition)) ?? new Set();
  index.set(String(partition), entries);
  return entries;
};

/** The entries of a partition are ordered by due time, because a row only ever gets a later one. */
const query = ({ ExpressionAttributeValues, Limit, ExclusiveStartKey }: Input) => {
  const values = Object(ExpressionAttributeValues);
  const from = Object(ExclusiveStartKey ?? { due_at: 0, id: 0 });
  const Items: { partition: unknown; id: number; due_at: number }[] = [];
  for (const { partition, id, due_at = 0 } of entriesOf(values[':partition'])) {
    if (due_at > values[':to']) break;
    if (due_at < values[':from']) continue;
    if (Items.length === Number(Limit)) return { Items, LastEvaluatedKey: Items.at(-1) };
    if (due_at > from.due_at || (due_at === from.due_at && id > from.id))
      Items.push({ partition, id, due_at });
  }
  return { Items };
};

const update = ({ Key, UpdateExpression, ExpressionAttributeNames, ExpressionAttributeValues }: Input) => {
  const row = rows.get(nameOf(Object(Key)));
  if (!row) throw new Error('The row is gone');
  const [names, values] = [Object(ExpressionAttributeNames), Object(ExpressionAttributeValues)];
  const [set = '', removed] = String(UpdateExpression).replace('SET ', '').split(' REMOVE ');
  entriesOf(row.unfinished).delete(row);
  for (const [name = '', value = ''] of set.split(', ').map((part) => part.split(' = '))) {
    row[names[name] ?? name] = values[value];
  }
  for (const name of removed?.split(', ') ?? []) delete row[names[name] ?? name];
  if (row.unfinished) entriesOf(row.unfinished).add(row);
  if (row.status === 'error') takenUp.set(row.id, takenUp.get(row.id) ?? seconds());
  return {};
};

/** The consumers keep up: a delivery is made at once. */
const send = ({ QueueUrl, Entries }: { QueueUrl: string; Entries: { MessageBody: string }[] }) => {
  for (const { MessageBody } of Entries) {
    const key = JSON.parse(MessageBody);
    takenUp.set(key.id, seconds());
    const row = rows.get(nameOf(rowKey(key)));
    if (row && QueueUrl === process.env.POSTBACK_QUEUE_URL) entriesOf(row.unfinished).delete(row);
  }
  return {};
};

/** The answers of AWS, with the number of rows or messages in the request. */
const answers: Record<string, (input: Input) => { items: number; output: object }> = {
  QueryCommand: (input) => {
    const output = query(input);
    return { items: output.Items.length / 10, output };
  },
  BatchGetCommand: ({ RequestItems }) => {
    const [[table, { Keys }] = ['', { Keys: [] }]]: [string, { Keys: Input[] }][] = Object.entries(
      Object(RequestItems),
    );
    const found = Keys.flatMap((key) => rows.get(nameOf(key)) ?? []);
    return { items: Keys.length, output: { Responses: { [table]: found.map((row) => ({ ...row })) } } };
  },
  UpdateCommand: (input) => ({ items: 0, output: update(input) }),
  SendMessageBatchCommand: (input) => {
    const { QueueUrl, Entries } = Object(input);
    return { items: Entries.length, output: send({ QueueUrl, Entries }) };
  },
  GetQueueAttributesCommand: () => ({
    items: 0,
    output: { Attributes: { ApproximateNumberOfMessages: '0' } },
  }),
};

/** Instead of the SDK, which would put the steps of each request together again. */
const answer = async ({ constructor: { name }, input }: { input: object }) => {
  const { items, output } = answers[name]?.({ ...input }) ?? fail(name);
  await request(items);
  return { $metadata: {}, ...output };
};
const fail = (command: string): never => {
  throw new Error(`The model has no answer to ${command}`);
};

// Without spies, which would keep all requests and all lines of the log.
const { write } = process.stdout;
beforeAll(() => {
  for (const client of [dynamo, sqs]) Object.assign(client, { send: answer });
  process.stdout.write = () => true;
});
afterAll(() => {
  process.stdout.write = write;
});
beforeEach(() => {
  for (const store of [rows, index, takenUp]) store.clear();
  now = 0;
});

/** Tasks that are overdue at the start, or `dueAt` seconds after it. */
const given = (count: number, fields: (n: number) => Partial<SerpRow>) => {
  const first = rows.size;
  for (let n = first; n < first + count; n++) {
    const id = taskId(start - unclaimedSeconds, n);
    const row = {
      ...rowKey({ user_id: 1, id }),
      user_id: 1,
      id,
      kind: 'serp',
      engine: 'google',
      version: layouts.task.rowVersion,
      status: 'awaiting',
      pages: [],
      postback_url: null,
      created_at: start - unclaimedSeconds,
      ttl: start + 86_400,
      attempt: 0,
      unfinished: unfinishedPartition('task', id),
      due_at: start,
      ...fields(n),
    } as unknown as Row;
    rows.set(nameOf(row), row);
    entriesOf(row.unfinished).add(row);
  }
};
const delivery = (n: number): Partial<SerpRow> => ({
  status: 'success',
  delivery: `msg_${n}`,
  delivery_state: 'pending',
  delivery_attempt: 0,
  unfinished: unfinishedPartition('delivery', taskId(start - unclaimedSeconds, n)),
});
const pastDeadline = { created_at: start - 6 * 3600, postback_url: 'https://receiver.example/' };
const unreadable = { version: layouts.task.rowVersion + 1 };

/**
 * Runs a sweep in every minute until all these tasks are taken up. Returns the second at which the last one
 * was.
 */
const sweepUntil = async (count: number): Promise<number> => {
  for (let minute = 0; takenUp.size < count && minute < 15; minute++) {
    now = minute * 60_000;
    await sweep();
  }
  expect(takenUp.size).toBe(count);
  return Math.max(...takenUp.values());
};
const sweep = async () => {
  const began = now;
  cpuFree = now;
  const sweeping = sweepTasks(start + seconds(), () => now - began >= sweepSeconds * 1000);
  const end = await run(sweeping);
  expect(now - began).toBeLessThan(limits.sweepTasks * 1000);
  return end;
};

/** The rows that are taken up within `minutes` when 100,000 need five minutes. */
const rowsIn = (minutes: number) => (100_000 / 5) * minutes;

const mixed = (n: number): Partial<SerpRow> => (n % 2 ? delivery(n) : {});

test('100,000 overdue tasks and deliveries in equal parts are taken up within five minutes', async () => {
  given(rowsIn(5), mixed);

  expect(await sweepUntil(rowsIn(5))).toBeLessThanOrEqual(300);
});

// At the same rate, in two runs: the second one continues where the first one has ended.
test.each<[string, (n: number) => Partial<SerpRow>]>([
  ['unclaimed tasks', () => ({})],
  ['deliveries', delivery],
  ['tasks past their deadline, with webhooks', () => pastDeadline],
])('40,000 overdue %s are taken up within two minutes', async (_, fields) => {
  given(rowsIn(2), fields);

  expect(await sweepUntil(rowsIn(2))).toBeLessThanOrEqual(120);
});

test('4,000 rows that cannot be read, overdue for longest, do not keep the sweeper from the other 36,000', async () => {
  given(4000, () => ({ ...unreadable, due_at: start - 3600 }));
  given(36_000, () => ({}));

  expect(await sweepUntil(36_000)).toBeLessThanOrEqual(120);
  now = 600_000;
  expect(await sweep()).toMatchObject({ status: 'rejected', reason: { message: /later release/ } });
});

test('a task ends within a minute of its deadline', async () => {
  // One deadline in each second of ten minutes.
  const due = (n: number) => start + 1 + n;
  given(600, (n) => ({ created_at: due(n) - 6 * 3600, due_at: due(n) }));

  await sweepUntil(600);

  const late = [...rows.values()].map(({ id }, n) => (takenUp.get(id) ?? Infinity) - (due(n) - start));
  expect(Math.max(...late)).toBeLessThanOrEqual(60);
});

test('a task ends within a minute of its deadline also while more tasks are overdue than a run takes up', async () => {
  const many = rowsIn(2);
  given(many, () => ({}));
  const due = (n: number) => start + 1 + n - many;
  given(300, (n) => ({ created_at: due(n) - 6 * 3600, due_at: due(n) }));

  await sweepUntil(many + 300);

  const late = [...rows.values()]
    .slice(many)
    .map(({ id }, n) => (takenUp.get(id) ?? Infinity) - (due(n + many) - start));
  expect(Math.max(...late)).toBeLessThanOrEqual(60);
});

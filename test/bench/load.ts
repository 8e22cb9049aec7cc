/**
 * `npm run bench:load`: measures the embedded stack with the sandbox under load against its goals. Client,
 * service and stores share this machine. The argument is the number of tasks, by default 10,000. Exits with 1
 * if a goal is missed.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { offerHelp } from '../../infra/help.ts';
import type { V2Task } from '../../lib/model/v2-task.ts';
import { keyword, machine, mean, printTable, quantile, spread } from './figures.ts';
import { fillTable } from './fill-table.ts';
import { type MeteredStack, startMeteredStack } from './metered-stack.ts';
import { measurePage } from './page-time.ts';
import type { Used } from './stack-process.ts';

offerHelp();

const count = Number(process.argv[2] ?? 10_000);
const batch = 100;
const storedAtEnd = 50_000;
const finalStates = ['success', 'error', 'dead_letter'];
const began = performance.now();
const secondsSince = (start: number): number => (performance.now() - start) / 1000;

const goals: { goal: string; measured: string; isMet: boolean }[] = [];
const addGoal = (goal: string, measured: string, isMet: boolean) => goals.push({ goal, measured, isMet });

/** Number of answers of the service in the whole run, by status code. */
const statuses = new Map<number, number>();

const clientOf = ({ url, apiKey }: MeteredStack) => {
  const call = async <T>(path: string, body?: unknown): Promise<T> => {
    const reply = await fetch(`${url}/api/v2/serp/crawl${path}`, {
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    });
    statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1);
    return (await reply.json()) as T;
  };
  const search = (run: string, n: number) => ({
    keyword: keyword(run, n),
    location_name: 'United States',
    iso_code: 'US',
  });
  return {
    read: (id: number) => call<V2Task>(`/${id}`),
    post: async (run: string, n: number) => (await call<V2Task>('', search(run, n))).id,
    postBatch: async (run: string, first: number, size: number) => {
      const searches = Array.from({ length: size }, (_, n) => search(run, first + n));
      return (await call<V2Task[]>('/google/batch', searches)).map(({ id }) => id);
    },
  };
};
type Client = ReturnType<typeof clientOf>;

/** The runs that have ended: of a search each, because nothing is postponed here. */
const ended = ({ machines }: Used): number =>
  Object.entries(machines).reduce((sum, [name, { count }]) => sum + (/^EXPRESS /.test(name) ? count : 0), 0);

/**
 * Waits until `tasks` more tasks than in `before` have ended, and calls `watch` repeatedly. Reads the meter,
 * not the API, to put no load on the service.
 */
const waitUntilEnded = async (
  stack: MeteredStack,
  before: Used,
  tasks: number,
  watch?: (used: Used) => void,
) => {
  for (;;) {
    const used = await stack.used();
    watch?.(used);
    if (ended(used) - ended(before) >= tasks) break;
    await sleep(Math.min(2000, tasks));
  }
  // Wait until the last messages are deleted.
  await sleep(300);
  return stack.used();
};

/** Reads every task like a client until it is final. Returns the number of tasks in each state. */
const readAll = async (client: Client, ids: number[]): Promise<Record<string, number>> => {
  const states: Record<string, number> = {};
  const remaining = [...ids];
  const worker = async () => {
    for (let id = remaining.pop(); id !== undefined; id = remaining.pop()) {
      let { status } = await client.read(id);
      for (let tries = 0; !finalStates.includes(status) && tries < 100; tries += 1) {
        await sleep(200);
        ({ status } = await client.read(id));
      }
      states[status] = (states[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  return states;
};

const requestsOf = ({ calls }: Used): number =>
  Object.values(calls).reduce((sum, { requests }) => sum + requests, 0);

/** The mean cost of a task, over `tasks` tasks. */
const costOf = (before: Used, after: Used, tasks: number) => ({
  serviceMs: (after.service.cpuMs - before.service.cpuMs) / tasks,
  storesMs: (after.stores.cpuMs - before.stores.cpuMs) / tasks,
  requests: (requestsOf(after) - requestsOf(before)) / tasks,
});

const crawlSome = async (stack: MeteredStack, client: Client, run: string, tasks: number) => {
  const before = await stack.used();
  for (let first = 0; first < tasks; first += batch) await client.postBatch(run, first, batch);
  return costOf(before, await waitUntilEnded(stack, before, tasks), tasks);
};

/** Prints the time of each step of an instant page at a low load. */
const printSteps = (before: Used, after: Used) => {
  console.log('\nAn instant page at 20 tasks/s, by step:');
  const rows = [
    ...Object.entries(after.functions).map(([name, usage]) => [name, usage, before.functions[name]] as const),
    ...Object.entries(after.machines).map(([name, usage]) => [name, usage, before.machines[name]] as const),
  ].flatMap(([name, usage, former]) => {
    const calls = usage.count - (former?.count ?? 0);
    const ms = (usage.durationMs - (former?.durationMs ?? 0)) / Math.max(1, calls);
    return calls > 0 ? [[name, calls, ms.toFixed(1)]] : [];
  });
  printTable(['step', 'calls', 'ms each'], rows);
};

/** Prints the requests to the stores and the processor time of a task. */
const printCost = (before: Used, after: Used, tasks: number, pageMs: number) => {
  const { serviceMs, storesMs } = costOf(before, after, tasks);
  console.log('\nRequests to the stores per task:');
  printTable(
    ['action', 'requests', 'KB'],
    Object.entries(after.calls)
      .map(
        ([name, { requests, bytes }]) =>
          [
            name,
            (requests - (before.calls[name]?.requests ?? 0)) / tasks,
            (bytes - (before.calls[name]?.bytes ?? 0)) / tasks / 1024,
          ] as const,
      )
      .filter(([, requests]) => requests >= 0.01)
      .toSorted(([, one], [, other]) => other - one)
      .map(([name, requests, kilobytes]) => [name, requests.toFixed(2), kilobytes.toFixed(1)]),
  );
  console.log('\nProcessor time per task:');
  printTable(
    ['part', 'ms', 'share'],
    [
      ['page: generated, judged, parsed, compressed', pageMs],
      ['service: requests, signatures, machines', serviceMs - pageMs],
      ['stores: DynamoDB, SQS, S3', storesMs],
    ].map(([part, ms]) => [
      String(part),
      Number(ms).toFixed(1),
      `${((Number(ms) / (serviceMs + storesMs)) * 100).toFixed(0)} %`,
    ]),
  );
};

const postSingles = async (stack: MeteredStack, client: Client, posts: number) => {
  const before = await stack.used();
  const start = performance.now();
  const ids: number[] = [];
  const times: number[] = [];
  let next = 0;
  const worker = async () => {
    while (next < posts) {
      const sent = performance.now();
      next += 1;
      ids.push(await client.post('single', next));
      times.push(performance.now() - sent);
    }
  };
  await Promise.all(Array.from({ length: 16 }, worker));
  const rate = posts / secondsSince(start);
  addGoal('accepted one by one ≥ 150 req/s', `${rate.toFixed(0)} req/s, ${spread(times)}`, rate >= 150);
  await waitUntilEnded(stack, before, posts);
  return ids;
};

const postAtRate = async (stack: MeteredStack, client: Client, rate: number, seconds: number) => {
  const before = await stack.used();
  const ids: number[] = [];
  const follow = async (n: number) => {
    const sent = performance.now();
    const id = await client.post('paced', n);
    ids.push(id);
    while ((await client.read(id)).status !== 'success') {
      if (secondsSince(sent) > 60) return Number.POSITIVE_INFINITY;
      await sleep(50);
    }
    return performance.now() - sent;
  };
  const start = performance.now();
  const following: Promise<number>[] = [];
  for (let n = 0; n < rate * seconds; n += 1) {
    await sleep(Math.max(0, start + (n * 1000) / rate - performance.now()));
    following.push(follow(n));
  }
  const times = await Promise.all(following);
  const p95 = quantile(times, 0.95);
  addGoal('POST to success at 20 tasks/s, p95 ≤ 1 s', spread(times), p95 <= 1000);
  printSteps(before, await stack.used());
  return ids;
};

const postBatches = async (stack: MeteredStack, client: Client, pageMs: number) => {
  const before = await stack.used();
  const start = performance.now();
  const ids: number[] = [];
  for (let first = 0; first < count; first += batch)
    ids.push(...(await client.postBatch('batch', first, batch)));
  const rate = count / secondsSince(start);
  addGoal('accepted in batches ≥ 500 tasks/s', `${rate.toFixed(0)} tasks/s`, rate >= 500);

  const samples: { done: number; service: number; stores: number }[] = [];
  const after = await waitUntilEnded(stack, before, count, (used) =>
    samples.push({
      done: ended(used) - ended(before),
      service: used.service.residentMb,
      stores: used.stores.residentMb,
    }),
  );
  console.log(
    `\n${count} tasks crawled, parsed and stored: ${(count / secondsSince(start)).toFixed(0)} tasks/s`,
  );
  printCost(before, after, count, pageMs);

  console.log('\nMemory over the run, MB:');
  const quarters = [1, 2, 3, 4].map((quarter) => {
    const within = samples.filter(({ done }) => Math.ceil((done / count) * 4) === quarter);
    return { service: mean(within.map((it) => it.service)), stores: mean(within.map((it) => it.stores)) };
  });
  printTable(
    ['process', '1st quarter', '2nd', '3rd', '4th'],
    (['service', 'stores'] as const).map((name) => [name, ...quarters.map((it) => it[name].toFixed(0))]),
  );
  for (const name of ['service', 'stores'] as const) {
    const second = quarters[1]?.[name] ?? 0;
    const last = quarters[3]?.[name] ?? 0;
    addGoal(
      `memory of the ${name} does not grow (last quarter ≤ 1.1 × second)`,
      `${last.toFixed(0)} MB, ${(last / second).toFixed(2)} ×`,
      last <= second * 1.1,
    );
  }
  return ids;
};

const measureGrowth = async (
  stack: MeteredStack,
  client: Client,
  small: ReturnType<typeof costOf>,
  stored: number,
  sample: number,
) => {
  const { seconds } = await fillTable(stack, sample, storedAtEnd - stored);
  console.log(`\nFilled the table up to ${storedAtEnd} tasks in ${seconds.toFixed(0)} s.`);
  const large = await crawlSome(stack, client, 'large', 300);
  printTable(
    ['cost of a task', 'service ms', 'stores ms', 'requests'],
    (
      [
        ['with 1,000 stored', small],
        [`with ${storedAtEnd} stored`, large],
      ] as const
    ).map(([at, cost]) => [
      at,
      cost.serviceMs.toFixed(1),
      cost.storesMs.toFixed(1),
      cost.requests.toFixed(1),
    ]),
  );
  const ratio = (large.serviceMs + large.storesMs) / (small.serviceMs + small.storesMs);
  const requests = large.requests / small.requests;
  addGoal(
    'cost of a task with 50,000 stored ≤ 1.15 × that with 1,000',
    `${ratio.toFixed(2)} × processor time, ${requests.toFixed(2)} × requests`,
    ratio <= 1.15 && requests <= 1.05,
  );
};

console.log(machine());
const pageMs = await measurePage();
const stack = await startMeteredStack();
try {
  const client = clientOf(stack);
  await crawlSome(stack, client, 'warm', 700);
  const small = await crawlSome(stack, client, 'small', 300);
  const ids = [...(await postSingles(stack, client, 600)), ...(await postAtRate(stack, client, 20, 20))];
  ids.push(...(await postBatches(stack, client, pageMs)));

  const start = performance.now();
  const states = await readAll(client, ids);
  console.log(
    `\n${ids.length} tasks read: ${(ids.length / secondsSince(start)).toFixed(0)} per second; ${JSON.stringify(states)}`,
  );
  const final = finalStates.reduce((sum, state) => sum + (states[state] ?? 0), 0);
  addGoal(
    'no task lost, all final',
    `${final} of ${ids.length}, ${states.success ?? 0} successes`,
    final === ids.length && new Set(ids).size === count + 1000,
  );
  await measureGrowth(stack, client, small, ids.length + 1000, ids[0] ?? 0);
  const broken = [...statuses].filter(([status]) => status >= 500).reduce((sum, [, times]) => sum + times, 0);
  addGoal('0 × 5xx', [...statuses].map(([status, times]) => `${times} × ${status}`).join(', '), broken === 0);
} finally {
  await stack.stop();
}
console.log(`\nGoals, after ${secondsSince(began).toFixed(0)} s:`);
printTable(
  ['goal', 'measured', ''],
  goals.map(({ goal, measured, isMet }) => [goal, measured, isMet ? 'met' : 'MISSED']),
);
process.exitCode = goals.every(({ isMet }) => isMet) ? 0 : 1;

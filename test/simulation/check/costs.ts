/** A rule about the calls of a search: those that the cost model counts (`infra/cost/figures.json`). */
import { readFigures } from '../../../infra/cost/figures.ts';
import { isStill, type Plan } from '../plan/plan.ts';
import type { Invocation } from '../services/lambda.ts';
import type { World } from '../world/world.ts';
import { mayFail, type Row } from './end.ts';
import type { Ledger } from './ledger.ts';

/** Read before any world begins. */
const { searches } = readFigures();

/** A call more for ten of the model, in the mean of a world. */
const margin = 1.1;

/** Names of services in the model, by those of the SDK's clients. */
const services: Record<string, string> = {
  DynamoDB: 'DynamoDB',
  S3: 'S3',
  SQS: 'SQS',
  SFN: 'Step Functions',
};

const api = 'functions/api/serp.ts';

type Event = {
  id?: number;
  Records?: { body: string }[];
  httpMethod?: string;
  path?: string;
  headers?: Record<string, string> | null;
};

const idsOf = ({ id, Records = [] }: Event): number[] =>
  id === undefined ? Records.map(({ body }) => Number((JSON.parse(body) as { id?: number }).id)) : [id];

/** Of the calls of the model, those for the rate of an engine: of each run, and of each page. */
const paceCalls: Record<string, number> = {
  'asks functions/crawl/start-crawl.ts DynamoDB': 3,
  'asks functions/crawl/fetch-page.ts DynamoDB': 1,
};

/** What a search by itself makes by the model, with one page over HTTP, at an engine without a rate. */
const modelOf = (hasWebhook: boolean): Record<string, number> =>
  Object.fromEntries(
    Object.entries(searches[`HTTP, depth 10${hasWebhook ? ', webhook' : ''}`]?.alone ?? {}).map(
      ([call, count]) => [call, count - (paceCalls[call] ?? 0)],
    ),
  );

type Counted = { made: number; most: number };

const add = (counts: Map<string, Counted>, call: string, made: number, most: number): void => {
  const known = counts.get(call) ?? { made: 0, most: 0 };
  counts.set(call, { made: known.made + made, most: known.most + most });
};

const checkSum = (
  ledger: Ledger,
  what: string,
  times: number,
  counts: ReadonlyMap<string, Counted>,
): void => {
  for (const [call, { made, most }] of counts) {
    // A webhook at the beginning of a window of slots also reads the window before.
    if (made <= margin * most + 1) continue;
    const [mean, model] = [made, most].map((count) => (count / times).toFixed(2));
    ledger.violate(
      'calls are those of the cost model',
      `${times} ${what}: ${mean} of ${call.replace('asks ', '')} each, and the model has ${model}`,
    );
  }
};

/** Requests that create one search, without an `Idempotency-Key` and with the first key of their user. */
const checkPosts = (ledger: Ledger, invocations: readonly Invocation[]): void => {
  const counts = new Map<string, Counted>();
  let posts = 0;
  for (const { entry, event, calls } of invocations) {
    const { httpMethod, path = '', headers } = event as Event;
    if (entry !== api || httpMethod !== 'POST' || !path.endsWith('/crawl')) continue;
    if (Object.keys(headers ?? {}).some((name) => /^idempotency-key$/i.test(name))) continue;
    if (ledger.laterKeys.has(String(headers?.Authorization).replace('Bearer ', ''))) continue;
    posts += 1;
    for (const [client, service] of Object.entries(services)) {
      const call = `asks ${entry} ${service}`;
      // The client of a search with a webhook does not read its result.
      add(counts, call, calls[client] ?? 0, modelOf(true)[call] ?? 0);
    }
  }
  checkSum(ledger, 'requests for a search', posts, counts);
};

/**
 * Searches of one page that were posted by themselves and succeeded, from their messages to their webhooks. A
 * turn at an engine with a rate costs more if others wait there, so those are left out, and those whose
 * messages came together with others: the calls of such an invocation are those of several tasks.
 */
const checkSearches = (
  ledger: Ledger,
  plan: Plan,
  world: World,
  invocations: readonly Invocation[],
): void => {
  const rows = new Map(
    world.tables.all(world.name('TASKS_TABLE')).flatMap((row: Row) => {
      const isFetched = row.status === 'success' && row.reused !== true;
      const isOne = (row.pages as unknown[] | undefined)?.length === 1;
      return isFetched && isOne && row.engine !== plan.rated?.engine ? [[Number(row.id), row] as const] : [];
    }),
  );
  const together = new Set(
    invocations.flatMap(({ event }) => {
      const ids = idsOf(event as Event);
      return ids.length > 1 ? ids : [];
    }),
  );
  const chosen = ledger.acked.filter(
    ({ id, user, keyword, hook }) =>
      rows.has(id) &&
      ledger.alone.has(id) &&
      !together.has(id) &&
      !mayFail.test(keyword) &&
      !ledger.resent.has(id) &&
      !ledger.erased.has(user) &&
      !ledger.disabled.has(user) &&
      (hook === undefined || plan.receivers[user] === 'good'),
  );
  const ids = new Set(chosen.map(({ id }) => id));
  const counts = new Map<string, Counted>();
  for (const { hook } of chosen) {
    for (const [call, most] of Object.entries(modelOf(hook !== undefined)))
      if (call.startsWith('asks ') && !call.includes(api)) add(counts, call, 0, most);
  }
  for (const { entry, event, calls } of invocations) {
    const [id] = idsOf(event as Event);
    if (id === undefined || !ids.has(id)) continue;
    for (const [client, service] of Object.entries(services))
      add(counts, `asks ${entry} ${service}`, calls[client] ?? 0, 0);
  }
  checkSum(ledger, 'searches', chosen.length, counts);
};

/** In a world without faults, searches cost what the cost model says. */
export const checkCosts = ({ world, plan, ledger }: { world: World; plan: Plan; ledger: Ledger }): void => {
  if (!isStill(plan) || plan.provider) return;
  checkPosts(ledger, world.invocations);
  checkSearches(ledger, plan, world, world.invocations);
};

/** What a load takes of the quotas and settings in its busiest second. */
import { batchSize } from '../function-limits.ts';
import { mostConsumers, sharesOf, totalOf } from '../stages.ts';
import type { AssumedValues } from './assumptions.ts';
import { monthDays } from './bill.ts';
import type { Counts } from './counts.ts';
import type { Figures } from './figures.ts';
import { type Load, rateSetting } from './load-options.ts';
import { consumer, type Mean } from './mean-search.ts';
import { quotas } from './quotas.ts';

export type Limit = {
  what: string;
  /** What the load takes in its busiest second, and what is allowed. */
  used: number;
  allowed: number;
  /** The setting or quota to raise. */
  raise: string;
  /** Whether the use does not grow with the searches. */
  isFixed?: boolean;
};

/** Partitions of a user's tasks, and of each kind of unfinished work (`lib/store/partitions.ts`). */
const partitions = 16;

const api = 'functions/api/serp.ts';

const minuteSeconds = 60;

/** Seconds for which a function keeps a secret, and DynamoDB the key of a table. */
const keptSeconds = 300;

const sumBy = (counts: Counts, pattern: RegExp): number =>
  Object.entries(counts).reduce((sum, [name, count]) => sum + (pattern.test(name) ? count : 0), 0);

export const limitsOf = (
  figures: Figures,
  load: Load,
  values: AssumedValues,
  mean: Mean,
  peak: number,
): Limit[] => {
  const { counts, busy } = mean;
  const rate = (name: string) => (counts[name] ?? 0) * peak;
  const concurrent = (entry: string) => (busy.get(entry) ?? 0) * peak;
  const all = [...busy.values()].reduce((sum, each) => sum + each, 0) * peak;
  const calls = sumBy(counts, /^calls functions\//) * peak;
  const [largest = 0] = [...busy.values()].toSorted((one, other) => other - one);
  const shares = sharesOf(load.concurrency);
  const pages = rate('calls functions/crawl/fetch-page.ts');
  const pageCalls = ['fetch-page', 'render-page'].reduce(
    (sum, name) => sum + rate(`calls functions/crawl/${name}.ts`),
    0,
  );
  const environments = ['fetch-page', 'render-page'].reduce(
    (sum, name) => sum + concurrent(`functions/crawl/${name}.ts`),
    0,
  );
  const keyRequests = figures.month.find(({ what }) => what.startsWith('requests for the keys'))?.count ?? 0;
  const traces = (rate('requests') + rate('calls EXPRESS') + rate(`calls ${consumer}`)) * values.sampled;
  const more = 'Raise CONCURRENCY, and the quota Concurrent executions of Lambda with it.';
  const quota = (service: string, name: string) => `Raise the quota ${name} of ${service}.`;
  const ofConsumer = (invocations: number) =>
    `${invocations < mostConsumers ? more : 'Divide the tasks among several queues.'} Until then messages wait in the queue.`;
  const { reserved } = shares;
  return [
    ...(load.rate > 0
      ? [
          {
            what: 'pages per second of the engine',
            used: pages,
            allowed: load.rate,
            raise: `Raise ${rateSetting}. Until then tasks wait, until their deadline at most.`,
          },
        ]
      : []),
    ...(load['rate-limit'] > 0
      ? [
          {
            what: 'requests per minute of a user',
            used: (rate('requests') * minuteSeconds) / load.users,
            allowed: load['rate-limit'],
            raise: 'Raise the limit of the user: npm run user -- limit.',
          },
        ]
      : []),
    {
      what: 'requests per second, throttle of the stage',
      used: rate('requests'),
      allowed: shares.requestRate,
      raise: more,
    },
    {
      what: 'requests per second, API Gateway',
      used: rate('requests'),
      allowed: quotas.gatewayRate,
      raise: quota('API Gateway', 'Throttle rate'),
    },
    ...(reserved === null
      ? []
      : [
          {
            what: 'functions at a time, reserved for the API',
            used: concurrent(api),
            allowed: reserved.serp,
            raise: more,
          },
        ]),
    reserved === null
      ? { what: 'functions at a time, all', used: all, allowed: load.concurrency, raise: more }
      : {
          what: 'functions at a time, all but those of the API',
          used: all - concurrent(api),
          allowed: load.concurrency - totalOf(reserved),
          raise: more,
        },
    {
      what: 'calls of functions per second',
      used: calls,
      allowed: load.concurrency * quotas.callsOfConcurrency,
      raise: more,
    },
    {
      what: 'new environments of a function in 10 s, if the peak comes at once',
      used: largest * peak,
      allowed: quotas.growth,
      raise: 'AWS does not raise it: let the load grow more slowly.',
    },
    {
      what: 'runs at a time, of the crawl consumer',
      used: mean.runs * peak,
      allowed: shares.crawlConcurrency * batchSize,
      raise: ofConsumer(shares.crawlConcurrency),
    },
    {
      what: 'deliveries at a time, of the postback consumer',
      used: mean.deliveries * peak,
      allowed: shares.postbackConcurrency * batchSize,
      raise: ofConsumer(shares.postbackConcurrency),
    },
    {
      what: 'messages in flight, crawl queue',
      used: mean.runs * peak,
      allowed: quotas.inFlight,
      raise: quota('SQS', 'Messages in flight per standard queue'),
    },
    {
      what: 'starts of STANDARD machines per second',
      used: rate(`messages ${consumer}`) * load.failing,
      allowed: quotas.standardStarts,
      raise: quota('Step Functions', 'StartExecution throttle token refill rate'),
    },
    {
      what: 'writes per second, table of tasks',
      used: rate('write Tasks'),
      allowed: quotas.tableWrites,
      raise: quota('DynamoDB', 'Table-level write throughput'),
    },
    {
      what: 'reads per second, table of tasks',
      used: rate('read Tasks'),
      allowed: quotas.tableReads,
      raise: quota('DynamoDB', 'Table-level read throughput'),
    },
    {
      what: 'writes per second, one partition of a user',
      used: rate('write Tasks') / load.users / partitions,
      allowed: quotas.partitionWrites,
      raise: 'AWS does not raise it: use more partitions (lib/store/partitions.ts).',
    },
    {
      what: 'writes per second, one partition of unfinished work',
      used: rate('write Tasks/unfinished') / partitions,
      allowed: quotas.partitionWrites,
      raise: 'AWS does not raise it: use more partitions (lib/store/partitions.ts).',
    },
    {
      what: 'objects written per second, S3',
      used: rate('S3 write'),
      allowed: quotas.prefixWrites,
      raise:
        'S3 divides the prefix by itself within some minutes; until then it answers 503, and the steps retry.',
    },
    {
      what: 'objects read per second, S3',
      used: rate('S3 read') + load.opened * peak,
      allowed: quotas.prefixReads,
      raise:
        'S3 divides the prefix by itself within some minutes; until then it answers 503, and the steps retry.',
    },
    {
      // An environment sends its lines about once a second.
      what: 'PutLogEvents per second',
      used: Math.min(calls, all),
      allowed: quotas.logWrites,
      raise: quota('CloudWatch Logs', 'PutLogEvents throttle limit'),
    },
    {
      what: 'recorded segments per second, X-Ray',
      used: traces + calls * values.sampled,
      allowed: quotas.segments,
      raise: 'Add a sampling rule of X-Ray with a smaller share.',
    },
    {
      what: 'reads of the secret per second',
      used: Math.min(environments / keptSeconds + calls * values['cold-share'], pages * 3),
      allowed: quotas.secretReads,
      raise: 'AWS does not raise it: keep the secret for longer (lib/runtime/secret.ts).',
    },
    {
      // Each environment of a step reads the settings of the fetchers at its start, and again each minute
      // (lib/runtime/parameter.ts).
      what: 'reads of the settings of the fetchers per second',
      used: environments / minuteSeconds + pageCalls * values['cold-share'],
      allowed: quotas.parameterReads,
      raise: 'Switch on the higher throughput of the Parameter Store. It is billed.',
    },
    {
      what: 'requests to KMS per second',
      used: keyRequests / (monthDays * 86_400),
      allowed: quotas.keyRequests,
      isFixed: true,
      raise: quota('KMS', 'Cryptographic operations (symmetric) request rate'),
    },
  ].toSorted((one, other) => other.used / other.allowed - one.used / one.allowed);
};

/** Searches a month at which a limit is reached; Infinity if they do not count. */
export const reachedAt = (load: Load, { used, allowed, isFixed }: Limit): number =>
  isFixed ? Number.POSITIVE_INFINITY : (load.searches * allowed) / used;

/** What a load takes of the quotas and settings in its busiest second. */
import { linesOf } from '../../lib/pace/lines.ts';
import { shards, unfinishedShards } from '../../lib/store/partitions.ts';
import { batchSize } from '../function-limits.ts';
import { mostConsumers, sharesOf, totalOf } from '../stages.ts';
import type { AssumedValues } from './assumptions.ts';
import { monthDays } from './bill.ts';
import { pageSteps, pagesOf, starter } from './billed-seconds.ts';
import type { Counts } from './counts.ts';
import type { Figures } from './figures.ts';
import { type Load, rateSetting } from './load-options.ts';
import { api, consumer, type Mean, slowestOf } from './mean-search.ts';
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

/**
 * The functions that read the settings of the fetchers: at the start of an environment, and then each minute
 * (`lib/runtime/parameter.ts`).
 */
export const parameterReaders = [
  'functions/api/compat.ts',
  'functions/api/keyword.ts',
  'functions/api/mcp.ts',
  'functions/api/reporting.ts',
  'functions/api/serp.ts',
  'functions/api/status.ts',
  'functions/crawl/collect-pages.ts',
  'functions/crawl/fetch-page.ts',
  'functions/crawl/fetch-pages.ts',
  'functions/crawl/post-search.ts',
  'functions/crawl/render-page.ts',
  'functions/crawl/start-crawl.ts',
];

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
  const shares = sharesOf(load.concurrency);
  // A consumer prepares its batch, waits for the slowest run of it, and queues the webhooks.
  const batchSeconds = mean.starting + slowestOf(mean.runKinds, batchSize);
  const runs = (counts['calls EXPRESS'] ?? 0) * peak;
  // Consumers that are all busy receive full batches. Fewer messages come in smaller ones.
  const consumers = Math.min((busy.get(starter) ?? 0) * peak, shares.crawlConcurrency);
  const concurrent = (entry: string) => (entry === starter ? consumers : (busy.get(entry) ?? 0) * peak);
  const all = [...busy.keys()].reduce((sum, entry) => sum + concurrent(entry), 0);
  const calls = sumBy(counts, /^calls functions\//) * peak;
  const [largest = 0] = [...busy.values()].toSorted((one, other) => other - one);
  const pages = pagesOf(counts) * peak;
  const sumOf = (entries: readonly string[], of: (entry: string) => number) =>
    entries.reduce((sum, entry) => sum + of(entry), 0);
  const callsOf = (entry: string) => rate(`calls ${entry}`);
  const environments = sumOf(pageSteps, concurrent);
  const keyRequests = figures.month
    .filter(({ what }) => what.startsWith('requests for the keys'))
    .reduce((sum, { count }) => sum + count, 0);
  const traces = (rate('requests') + rate('calls EXPRESS') + rate(`calls ${consumer}`)) * values.sampled;
  const more = 'Raise CONCURRENCY, and the quota Concurrent executions of Lambda with it.';
  const quota = (service: string, name: string) => `Raise the quota ${name} of ${service}.`;
  const ofConsumer = (invocations: number) =>
    `${invocations < mostConsumers ? more : 'Divide the tasks among several queues.'} Until then messages wait in the queue.`;
  const { reserved, waits } = shares;
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
      what: 'runs started per second, by the crawl consumers',
      used: runs,
      allowed: (shares.crawlConcurrency * batchSize) / batchSeconds,
      raise: ofConsumer(shares.crawlConcurrency),
    },
    ...(waits
      ? [
          {
            what: 'requests that wait at a time, of all users',
            used: load.held * mean.runs * peak,
            allowed: waits.serp.all,
            raise: more,
          },
          {
            what: 'requests that wait at a time, of one user',
            used: (load.held * mean.runs * peak) / load.users,
            allowed: waits.serp.perUser,
            raise: more,
          },
        ]
      : []),
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
      what: 'writes per second, table of tasks that is new',
      used: rate('write Tasks'),
      allowed: quotas.newTableWrites,
      raise:
        'DynamoDB gives twice the former peak after half an hour; until then work is postponed. Before a load that comes at once, set the warm throughput of the table.',
    },
    ...(load.rate > 0
      ? [
          {
            what: 'writes per second, item of a line of the engine',
            used: Math.min(rate('write Pace'), pages) / linesOf(load.rate),
            allowed: quotas.partitionWrites,
            raise: 'AWS does not raise it: use more lines (lib/pace/lines.ts).',
          },
        ]
      : []),
    {
      what: "writes per second, item of a user's limits",
      used: rate('write Limits') / load.users,
      allowed: quotas.partitionWrites,
      raise: 'AWS does not raise it: divide the work among several users.',
    },
    {
      what: 'reads per second, table of tasks',
      used: rate('read Tasks'),
      allowed: quotas.tableReads,
      raise: quota('DynamoDB', 'Table-level read throughput'),
    },
    {
      what: 'writes per second, one partition of a user',
      used: rate('write Tasks') / load.users / shards,
      allowed: quotas.partitionWrites,
      raise: 'AWS does not raise it: use more partitions (lib/store/partitions.ts).',
    },
    {
      what: 'writes per second, one partition of unfinished work',
      used: rate('write Tasks/unfinished') / unfinishedShards.written,
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
      what: 'reads of the settings of the fetchers per second',
      used: sumOf(
        parameterReaders,
        (entry) => concurrent(entry) / minuteSeconds + callsOf(entry) * values['cold-share'],
      ),
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

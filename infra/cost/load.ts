/** What a load takes of the quotas and settings, and what its month costs. Follows from the measured figures. Pure. */
import { defaultEngine } from '../../lib/model/engine.ts';
import { engineSetting } from '../../lib/model/settings.ts';
import { batchSize } from '../function-limits.ts';
import { mostConsumers, sharesOf, totalOf } from '../stages.ts';
import { type AssumedValues, assumptionsFor } from './assumptions.ts';
import { bill, billedSeconds, dollarsOf, monthDays, runSeconds, type Service, services } from './bill.ts';
import { type Counts, scaled, sumOf } from './counts.ts';
import type { Figures } from './figures.ts';
import { kinds } from './kinds.ts';
import { quotas } from './quotas.ts';
import { eventCosts, searchOf } from './searches.ts';

const rateSetting = engineSetting(defaultEngine, 'RATE');

/** Options of `npm run capacity`: the default and a description. Shares are from 0 to 1. */
export const loadOptions = {
  searches: [10_000_000, 'searches a month'],
  browser: [0.1, 'share of the searches whose pages are opened in the browser'],
  webhook: [0.5, 'share of the searches with a webhook; the others are read'],
  deep: [0.1, 'share of the searches of depth 100; the others have depth 10'],
  batched: [0, 'share of the searches that are posted in batches'],
  waiting: [0, 'waits of a search for its engine, on the average'],
  reads: [0, 'further reads of a task, on the average'],
  opened: [0, 'stored pages that are opened for a search, on the average'],
  failing: [0.01, 'share of the webhooks whose five attempts fail'],
  peak: [3, 'how much larger the load of the busiest second is than the average'],
  users: [100, 'users that share the load evenly'],
  'rate-limit': [2000, 'requests per minute that a user may make; 0 = no limit'],
  tracked: [100_000, 'tracked keywords, each crawled once a day; not part of the searches'],
  concurrency: [1000, "CONCURRENCY of the stage: the account's quota, or a share of it"],
  rate: [1, `${rateSetting}: pages per second; 0 = no limit`],
} as const satisfies Record<string, readonly [number, string]>;

export type LoadName = keyof typeof loadOptions;
export type Load = Record<LoadName, number>;

export const loadNames = Object.keys(loadOptions) as LoadName[];

export const defaultLoad = Object.fromEntries(
  Object.entries(loadOptions).map(([name, [value]]) => [name, value]),
) as Load;

const positive: LoadName[] = ['searches', 'peak', 'users', 'tracked', 'concurrency'];
const fractions: LoadName[] = ['browser', 'webhook', 'deep', 'batched', 'failing'];

/** @throws with a sentence if a value makes no sense. */
export const checkLoad = (load: Load): Load => {
  const zero = positive.find((name) => !(load[name] > 0));
  if (zero) throw new Error(`--${zero} must be a number above 0`);
  const large = fractions.find((name) => load[name] > 1);
  if (large) throw new Error(`--${large} must be a share from 0 to 1`);
  return load;
};

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

export type Month = { searches: number; fixed: number; byService: { service: Service; dollars: number }[] };

export type Model = {
  /** Searches in the busiest second. */
  peak: number;
  /** The nearest limit comes first. */
  limits: Limit[];
  month: Month;
};

/** The mean of all kinds of searches in this load. */
type Mean = {
  counts: Counts;
  /** Invocations at a time for each search per second, by function. */
  busy: Map<string, number>;
  /** Runs at a time for each search per second. */
  runs: number;
  /** Deliveries at a time for each search per second. */
  deliveries: number;
  dollars: Map<Service, number>;
};

const consumer = 'functions/postback/deliver.ts';
const api = 'functions/api/serp.ts';

const shareOf = (load: Load, kind: (typeof kinds)[number], inBatch: boolean): number => {
  const part = (isIn: boolean, share: number) => (isIn ? share : 1 - share);
  return (
    part(kind.path === 'browser', load.browser) *
    part(kind.webhook, load.webhook) *
    part(kind.depth === 100, load.deep) *
    part(inBatch, load.batched)
  );
};

const meanOf = (figures: Figures, load: Load, values: AssumedValues): Mean => {
  const mean: Mean = { counts: {}, busy: new Map(), runs: 0, deliveries: 0, dollars: new Map() };
  const addBusy = (entry: string, seconds: number) =>
    mean.busy.set(entry, (mean.busy.get(entry) ?? 0) + seconds);
  for (const kind of kinds) {
    for (const inBatch of [false, true]) {
      const share = shareOf(load, kind, inBatch);
      if (share === 0) continue;
      const assumptions = assumptionsFor(values, kind.path);
      const search = searchOf(figures, kind, inBatch);
      const { counts } = search;
      mean.counts = sumOf(mean.counts, scaled(counts, share));
      const seconds = billedSeconds(figures.functions, search, assumptions);
      for (const [entry, each] of seconds) addBusy(entry, share * (counts[`calls ${entry}`] ?? 0) * each);
      mean.runs += share * (counts['calls EXPRESS'] ?? 0) * runSeconds(seconds, search, assumptions);
      mean.deliveries += share * (counts[`messages ${consumer}`] ?? 0) * (seconds.get(consumer) ?? 0);
      const lines = bill(figures.functions, search, assumptions);
      for (const service of services) {
        const dollars = share * dollarsOf(lines, service);
        mean.dollars.set(service, (mean.dollars.get(service) ?? 0) + dollars);
      }
    }
  }
  const { waiting, read, page } = figures.events;
  const alone = searchOf(figures, { path: 'HTTP', depth: 10, webhook: false }, false).counts;
  const oneWait = Object.fromEntries(
    Object.entries(waiting).map(([name, count]) => [name, Math.max(0, count - (alone[name] ?? 0))]),
  );
  for (const [counts, times] of [
    [oneWait, load.waiting],
    [read, load.reads],
    [page, load.opened],
  ] as const) {
    mean.counts = sumOf(mean.counts, scaled(counts, times));
    const seconds = billedSeconds(figures.functions, { counts }, assumptionsFor(values, 'HTTP'));
    for (const [entry, each] of seconds) addBusy(entry, times * (counts[`calls ${entry}`] ?? 0) * each);
  }
  return mean;
};

/** Partitions of a user's tasks, and of each kind of unfinished work (`lib/store/partitions.ts`). */
const partitions = 16;

const minuteSeconds = 60;

/** Seconds for which a function keeps a secret, and DynamoDB the key of a table. */
const keptSeconds = 300;

const sumBy = (counts: Counts, pattern: RegExp): number =>
  Object.entries(counts).reduce((sum, [name, count]) => sum + (pattern.test(name) ? count : 0), 0);

const limitsOf = (figures: Figures, load: Load, values: AssumedValues, mean: Mean, peak: number): Limit[] => {
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
      // Each environment of a step reads the settings of the fetchers at its start, and again each minute (lib/runtime/parameter.ts).
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

/** Computes a load. The cost of searches and the use of each limit grow in proportion to the searches. */
export const modelOf = (figures: Figures, load: Load, values: AssumedValues): Model => {
  const peak = (load.searches / (monthDays * 86_400)) * load.peak;
  const mean = meanOf(figures, load, values);
  const [waits, read, opened, failed] = eventCosts(figures, values).map(({ assumed }) => assumed);
  const events =
    load.waiting * (waits ?? 0) +
    load.reads * (read ?? 0) +
    load.opened * (opened ?? 0) +
    load.webhook * load.failing * (failed ?? 0);
  const byService = services.map((service) => ({
    service,
    dollars: (mean.dollars.get(service) ?? 0) * load.searches,
  }));
  return {
    peak,
    limits: limitsOf(figures, load, values, mean, peak),
    month: {
      searches: byService.reduce((sum, { dollars }) => sum + dollars, 0) + events * load.searches,
      fixed: figures.month.reduce((sum, { count, price }) => sum + count * price, 0),
      byService,
    },
  };
};

/** Searches a month at which a limit is reached; Infinity if they do not count. */
export const reachedAt = (load: Load, { used, allowed, isFixed }: Limit): number =>
  isFixed ? Number.POSITIVE_INFINITY : (load.searches * allowed) / used;

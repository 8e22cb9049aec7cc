/**
 * The cost of a search on AWS: counts of the embedded stack times list prices, and assumptions. Pure.
 */
import { usualPageDays } from '../../lib/model/page-days.ts';
import type { Counts } from './counts.ts';
import { prices } from './prices.ts';

export const services = [
  'API Gateway',
  'Lambda',
  'Step Functions',
  'SQS',
  'DynamoDB',
  'S3',
  'Logs',
  'Secrets',
  'X-Ray',
  'Transfer',
] as const;
export type Service = (typeof services)[number];

/** The cost is `count` × `price`, in dollars. */
export type CostLine = { service: Service; what: string; count: number; price: number };

export const dollarsOf = (lines: readonly CostLine[], service?: Service): number =>
  lines
    .filter((line) => service === undefined || line.service === service)
    .reduce((sum, { count, price }) => sum + count * price, 0);

/** The numbers that a laptop cannot measure. */
export type Assumptions = {
  /** Seconds that a request to an AWS service waits for its answer, by service. */
  requestSeconds: Record<string, number>;
  /** Seconds that a call of a function waits for the engine or for a webhook receiver, by entry file. */
  waits: Record<string, number>;
  /**
   * Processor seconds that a real page takes more than a page of the sandbox, for each page, by entry file.
   */
  pageWork: Record<string, number>;
  /** Seconds between two steps of a state machine. */
  stepSeconds: number;
  /** Days for which stored pages are kept. */
  pageDays: number;
  /** KB of a compressed stored page. Without it, the sandbox's pages count. */
  pageKilobytes?: number;
  /**
   * The share of calls that start a new execution environment, and the seconds of the start, by entry file
   * and otherwise.
   */
  starts: { share: number; seconds: number; secondsOf: Record<string, number> };
  /** The share of calls of functions with a secret that read it again. */
  secretReads: number;
  /** The share of traces that X-Ray records, from 0 to 1. */
  sampled: number;
  /** Days for which CloudWatch keeps the logs. */
  logDays: number;
  /** Whether data transfer out is billed. AWS does not bill the first 100 GB of a month. */
  transferPaid: boolean;
};

/**
 * Bills what the service itself does. Assumes nothing about engines, pages, receivers, traces and traffic.
 */
export const nothingAssumed: Assumptions = {
  // Typical times from a function in the same region, for small items and objects.
  requestSeconds: {
    DynamoDB: 0.005,
    SQS: 0.01,
    S3: 0.025,
    'Step Functions': 0.025,
    'Secrets Manager': 0.02,
    'Systems Manager': 0.02,
  },
  waits: {},
  pageWork: {},
  stepSeconds: 0.02,
  pageDays: usualPageDays,
  starts: { share: 0, seconds: 0, secondsOf: {} },
  secretReads: 0,
  sampled: 0,
  // As in the stage prod.
  logDays: 90,
  transferPaid: false,
};

/** Lambda grants one whole core for this much memory. */
const coreMegabytes = 1769;

const starter = 'functions/crawl/start-crawl.ts';
const browser = 'functions/crawl/render-page.ts';
const pageSteps = ['fetch-page', 'render-page'].map((name) => `functions/crawl/${name}.ts`);
const parser = 'functions/crawl/parse-task.ts';

export type Search = {
  counts: Counts;
  /**
   * Counts of the same search while nothing else ran, for the work of a call. Searches of a batch run in
   * parallel, and the meter cannot tell apart whose time it is.
   */
  alone?: Counts;
};

export type Fn = {
  /** Source file of the handler, relative to the project's folder. */
  entry: string;
  memoryMb: number;
  architecture: 'arm64' | 'x86_64';
  /** Whether Lambda itself logs START, END and REPORT lines for each call. */
  isReported: boolean;
};

/**
 * How much more processor time the process took than its threads of JavaScript: the work of the collector, of
 * the compiler and of compression, which has its own threads.
 */
const helperFactor = (counts: Counts): number => {
  const threads = counts['cpu threads'] ?? 0;
  return threads > 0 ? Math.max(1, (counts['cpu process'] ?? 0) / threads) : 1;
};

/** Seconds of processor time and of waits for AWS, for each message that a function handles. */
const workOf = (
  { entry, memoryMb }: Fn,
  { counts, alone }: Search,
  { requestSeconds, pageWork }: Assumptions,
): { processor: number; requests: number } => {
  // In a batch too, a call of the API handles one request, with all of its tasks.
  const measured = entry.startsWith('functions/api/') || !alone?.[`calls ${entry}`] ? counts : alone;
  const messages = Math.max(1e-9, measured[`messages ${entry}`] ?? 0);
  const browsers = entry === browser ? (measured['cpu browsers'] ?? 0) : 0;
  const ms = (measured[`cpu ${entry}`] ?? 0) * helperFactor(measured) + browsers;
  const pages = entry.endsWith('parse-task.ts') ? (measured['calls functions/crawl/fetch-page.ts'] ?? 0) : 1;
  const more = (pageWork[entry] ?? 0) * pages;
  // A function with little memory has a small share of a core.
  const processor = (ms / 1000 / messages + more) * Math.max(1, coreMegabytes / memoryMb);
  const requests = Object.entries(requestSeconds).reduce(
    (sum, [service, seconds]) => sum + ((measured[`asks ${entry} ${service}`] ?? 0) / messages) * seconds,
    0,
  );
  return { processor, requests };
};

/**
 * The billed seconds of a call of each function. Messages of a batch share the processor, and wait at the
 * same time. Requests of one call count as if they followed one another.
 */
export const billedSeconds = (
  functions: readonly Fn[],
  search: Search,
  assumptions: Assumptions,
): Map<string, number> => {
  const { counts } = search;
  const called = (entry: string) => counts[`calls ${entry}`] ?? 0;
  const seconds = new Map(
    functions
      .filter(({ entry }) => called(entry) > 0)
      .map((fn) => {
        const { processor, requests } = workOf(fn, search, assumptions);
        const messages = (counts[`messages ${fn.entry}`] ?? 0) / called(fn.entry);
        return [fn.entry, processor * messages + requests + (assumptions.waits[fn.entry] ?? 0)];
      }),
  );
  const own = seconds.get(starter);
  if (own !== undefined && runsOf(counts) > 0) {
    // A call that only sends its messages back does not wait for a run.
    const waiting = Math.min(1, runsOf(counts) / called(starter));
    seconds.set(starter, own + waiting * runSeconds(seconds, search, assumptions));
  }
  return seconds;
};

const runsOf = (counts: Counts): number => counts['calls EXPRESS'] ?? 0;

/** Seconds of a run of the crawl machine: the first page, the others in parallel, and the step after them. */
export const runSeconds = (
  seconds: ReadonlyMap<string, number>,
  { counts }: Search,
  { stepSeconds }: Assumptions,
): number => {
  const sum = (entries: string[]) =>
    entries.reduce(
      (total, entry) => total + (seconds.has(entry) ? (seconds.get(entry) ?? 0) + stepSeconds : 0),
      0,
    );
  const pages = counts['calls functions/crawl/fetch-page.ts'] ?? 0;
  const rounds = pages / Math.max(1e-9, runsOf(counts)) >= 2 ? 2 : 1;
  return sum([parser]) + rounds * sum(pageSteps);
};

/** The call of a consumer starts a new trace, which is linked to the trace of the request. */
export const tracesOf = (counts: Counts): number =>
  (counts.requests ?? 0) + runsOf(counts) + (counts['calls functions/postback/deliver.ts'] ?? 0);

const totalOf = (counts: Counts, pattern: RegExp): number =>
  Object.entries(counts).reduce((sum, [name, count]) => sum + (pattern.test(name) ? count : 0), 0);

/** EXPRESS runs are billed in steps of 64 MB (our runs need one) and 100 ms, functions in steps of 1 ms. */
const expressGigabytes = 64 / 1024;
const roundUp = (seconds: number, step: number): number => Math.ceil(seconds / step - 1e-6) * step;

/**
 * Bytes of Lambda's own three lines of a traced call (START, END, REPORT), and what CloudWatch adds to each.
 */
const platformBytes = 480;
const lineBytes = 26;

export const monthDays = 30.4;

/** All lines of the bill for the counts of a search. */
export const bill = (functions: readonly Fn[], search: Search, assumptions: Assumptions): CostLine[] => {
  const { counts } = search;
  const count = (name: string) => counts[name] ?? 0;
  const seconds = billedSeconds(functions, search, assumptions);
  const calls = totalOf(counts, /^calls functions\//);
  const lines: CostLine[] = [];
  const add = (service: Service, what: string, amount: number, price: number) => {
    if (amount > 0) lines.push({ service, what, count: amount, price });
  };

  add('API Gateway', 'requests', count('requests'), prices.gatewayRequest);

  add('Lambda', 'calls', calls, prices.functionCall);
  for (const { entry, memoryMb, architecture } of functions) {
    const each = seconds.get(entry) ?? 0;
    const times = count(`calls ${entry}`);
    add(
      'Lambda',
      `GB-s of ${entry.replace(/^functions\/|\.ts$/g, '')}: ${times} × ${each.toFixed(3)} s × ${memoryMb} MB, ${architecture}`,
      (times * roundUp(each, 0.001) * memoryMb) / 1024,
      prices.gigabyteSecond[architecture],
    );
  }

  for (const { entry, memoryMb, architecture } of functions) {
    const start = assumptions.starts.secondsOf[entry] ?? assumptions.starts.seconds;
    add(
      'Lambda',
      `GB-s of starts of ${entry.replace(/^functions\/|\.ts$/g, '')}`,
      (count(`calls ${entry}`) * assumptions.starts.share * start * memoryMb) / 1024,
      prices.gigabyteSecond[architecture],
    );
  }

  const runs = runsOf(counts);
  if (runs > 0) {
    const run = roundUp(runSeconds(seconds, search, assumptions), 0.1);
    add('Step Functions', 'EXPRESS runs', runs, prices.expressRun);
    add(
      'Step Functions',
      `GB-s of EXPRESS: ${runs} × ${run.toFixed(1)} s × 64 MB`,
      runs * run * expressGigabytes,
      prices.expressGigabyteSecond,
    );
  }
  add('Step Functions', 'STANDARD transitions', count('transitions'), prices.transition);

  add('SQS', 'requests to fair queues, by 64 KB', count('SQS'), prices.queueRequest + prices.fairRequest);

  for (const [name, units] of Object.entries(counts)) {
    if (name.startsWith('write ')) add('DynamoDB', `units, ${name}`, units, prices.tableWrite);
    if (name.startsWith('read ')) add('DynamoDB', `units, ${name}`, units, prices.tableRead);
  }

  // Rows are stored for a day, and DynamoDB deletes them up to a day later.
  const months = (table: string, days: number) => ((count(`stored ${table}`) / 1e9) * days) / monthDays;
  add('DynamoDB', 'GB-months of Tasks, 2 days', months('Tasks', 2), prices.tableMonth);
  add('DynamoDB', 'GB-months of recovery of Tasks, 2 days', months('Tasks', 2), prices.recoveryMonth);
  // Snapshots are a cache, so they have no point-in-time recovery.
  add('DynamoDB', 'GB-months of Snapshots, 35 days', months('Snapshots', 35), prices.tableMonth);

  add('S3', 'PUT', count('S3 write'), prices.objectWrite);
  add('S3', 'GET, HEAD', count('S3 read'), prices.objectRead);
  const pages = count('calls functions/crawl/fetch-page.ts');
  const stored =
    assumptions.pageKilobytes === undefined ? count('S3 bytes') : pages * assumptions.pageKilobytes * 1000;
  // S3 deletes an object at the midnight after its last day: half a day later on the average.
  const kept = (assumptions.pageDays + 0.5) / monthDays;
  add('S3', `GB-months of pages, ${assumptions.pageDays} days`, (stored / 1e9) * kept, prices.objectMonth);

  const reported = functions.reduce(
    (sum, { entry, isReported }) => sum + (isReported ? count(`calls ${entry}`) : 0),
    0,
  );
  const logged =
    count('log bytes') + count('log lines') * lineBytes + reported * (platformBytes + 3 * lineBytes);
  add('Logs', 'GB ingested', logged / 1e9, prices.logGigabyte);
  // AWS bills the compressed size: a fifth, as an estimate.
  add(
    'Logs',
    `GB-months, ${assumptions.logDays} days`,
    ((logged / 1e9) * (assumptions.logDays / monthDays)) / 5,
    prices.logMonth,
  );

  const withSecret = pageSteps.reduce((sum, entry) => sum + count(`calls ${entry}`), 0);
  add('Secrets', 'reads', withSecret * assumptions.secretReads, prices.secretRead);

  add('X-Ray', 'recorded traces', tracesOf(counts) * assumptions.sampled, prices.trace);

  if (assumptions.transferPaid) {
    add('Transfer', 'GB out', (count('answer bytes') + count('posted bytes')) / 1e9, prices.gigabyteOut);
  }
  return lines;
};

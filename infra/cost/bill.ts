/**
 * The cost of a search on AWS, line by line: the counts of the embedded stack times the list prices. Assumptions replace the numbers
 * that a laptop cannot measure. Pure.
 */
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
  /** Seconds that a call of a function waits for the engine or for a webhook receiver, by entry file. */
  waits: Record<string, number>;
  /** Seconds between two steps of a state machine. */
  stepSeconds: number;
  /** KB of a compressed stored page. Without it, the sandbox's pages count. */
  pageKilobytes?: number;
  /** The share of traces that X-Ray records, from 0 to 1. */
  sampled: number;
  /** Whether CPU time is scaled by 1,769 MB / memory, because Lambda grants CPU in proportion to memory. */
  sharesOfCore: boolean;
  /** Whether data transfer out is billed. AWS does not bill the first 100 GB of a month. */
  transferPaid: boolean;
};

/** Bills only what was counted. */
export const nothingAssumed: Assumptions = {
  waits: {},
  stepSeconds: 0,
  sampled: 0,
  sharesOfCore: false,
  transferPaid: false,
};

/** Lambda grants one whole core for this much memory. */
const coreMegabytes = 1769;

/** The number of cores that a function keeps busy. Chromium's threads use both cores of the measuring machine. */
const coresOf = (entry: string): number => (entry === 'functions/crawl/render-page.ts' ? 2 : 1);

export const starter = 'functions/crawl/start-crawl.ts';
const pageSteps = ['fetch-page', 'render-page', 'resolve-links'].map((name) => `functions/crawl/${name}.ts`);
const taskSteps = ['plan-pages', 'parse-task'].map((name) => `functions/crawl/${name}.ts`);

export type Search = {
  counts: Counts;
  /** Milliseconds of a call from a more exact run, by entry file. On a laptop, parallel pages slow each other down. */
  measuredMs?: Record<string, number>;
};

type Fn = {
  /** Source file of the handler, relative to the project's folder. */
  entry: string;
  memoryMb: number;
  architecture: 'arm64' | 'x86_64';
  /** Whether Lambda itself logs START, END and REPORT lines for each call. */
  isReported: boolean;
};

/** The consumer's own work in milliseconds, without its wait for the run. */
export const ownOfStarter = (counts: Counts): number => {
  const meanMs = (name: string) => (counts[`ms ${name}`] ?? 0) / Math.max(1, counts[`calls ${name}`] ?? 0);
  return Math.max(0, meanMs(starter) - meanMs('EXPRESS'));
};

/** The billed duration of a call of each function, in seconds. */
const billedSeconds = (
  functions: readonly Fn[],
  { counts, measuredMs = {} }: Search,
  { waits, stepSeconds, sharesOfCore }: Assumptions,
): Map<string, number> => {
  const called = (entry: string) => counts[`calls ${entry}`] ?? 0;
  const meanMs = (name: string) => (counts[`ms ${name}`] ?? 0) / Math.max(1, counts[`calls ${name}`] ?? 0);
  // All time except the assumed waits counts as CPU time. A function with little memory has a small share of a core.
  const stretched = ({ entry, memoryMb }: Fn, ms: number) =>
    (ms / 1000) * (sharesOfCore ? Math.max(1, (coresOf(entry) * coreMegabytes) / memoryMb) : 1);
  const seconds = new Map(
    functions
      .filter(({ entry }) => called(entry) > 0)
      .map((fn) => [
        fn.entry,
        stretched(fn, measuredMs[fn.entry] ?? meanMs(fn.entry)) + (waits[fn.entry] ?? 0),
      ]),
  );
  const start = functions.find(({ entry }) => entry === starter);
  if (start && seconds.has(starter)) {
    const own = measuredMs[starter] ?? ownOfStarter(counts);
    seconds.set(starter, runSeconds(seconds, called, stepSeconds) + stretched(start, own));
  }
  return seconds;
};

/** Seconds of a run of the crawl machine: the first page, then the other pages in parallel, and the steps before and after. */
const runSeconds = (
  seconds: Map<string, number>,
  called: (entry: string) => number,
  stepSeconds: number,
): number => {
  const sum = (entries: string[]) =>
    entries.reduce(
      (total, entry) => total + (seconds.has(entry) ? (seconds.get(entry) ?? 0) + stepSeconds : 0),
      0,
    );
  const rounds = called('functions/crawl/fetch-page.ts') >= 2 ? 2 : 1;
  return sum(taskSteps) + rounds * sum(pageSteps);
};

const totalOf = (counts: Counts, pattern: RegExp): number =>
  Object.entries(counts).reduce((sum, [name, count]) => sum + (pattern.test(name) ? count : 0), 0);

/** EXPRESS runs are billed in steps of 64 MB (our runs need one) and 100 ms, functions in steps of 1 ms. */
const expressGigabytes = 64 / 1024;
const roundUp = (seconds: number, step: number): number => Math.ceil(seconds / step - 1e-6) * step;

/** Bytes of Lambda's own three lines for a traced call (START, END, REPORT), and the bytes that CloudWatch adds to each line. */
const platformBytes = 480;
const lineBytes = 26;

const storedMonths = 35 / 30.4;

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

  const runs = count('calls EXPRESS');
  if (runs > 0) {
    const called = (entry: string) => count(`calls ${entry}`);
    const run = roundUp(runSeconds(seconds, called, assumptions.stepSeconds), 0.1);
    add('Step Functions', 'EXPRESS runs', runs, prices.expressRun);
    add(
      'Step Functions',
      `GB-s of EXPRESS: ${runs} × ${run.toFixed(1)} s × 64 MB`,
      runs * run * expressGigabytes,
      prices.expressGigabyteSecond,
    );
  }
  add('Step Functions', 'STANDARD transitions', count('transitions'), prices.transition);

  add('SQS', 'requests, by 64 KB', count('SQS'), prices.queueRequest);

  for (const [name, units] of Object.entries(counts)) {
    if (name.startsWith('write ')) add('DynamoDB', `units, ${name}`, units, prices.tableWrite);
    if (name.startsWith('read ')) add('DynamoDB', `units, ${name}`, units, prices.tableRead);
  }

  add('S3', 'PUT', count('S3 write'), prices.objectWrite);
  add('S3', 'GET, HEAD', count('S3 read'), prices.objectRead);
  const pages = count('calls functions/crawl/fetch-page.ts');
  const stored =
    assumptions.pageKilobytes === undefined ? count('S3 bytes') : pages * assumptions.pageKilobytes * 1000;
  add('S3', 'GB-months of pages, 35 days', (stored / 1e9) * storedMonths, prices.objectMonth);

  const reported = functions.reduce(
    (sum, { entry, isReported }) => sum + (isReported ? count(`calls ${entry}`) : 0),
    0,
  );
  const logged =
    count('log bytes') + count('log lines') * lineBytes + reported * (platformBytes + 3 * lineBytes);
  add('Logs', 'GB ingested', logged / 1e9, prices.logGigabyte);

  // The call of a consumer starts a new trace, which is linked to the trace of the request.
  const traces = count('requests') + runs + count('calls functions/postback/deliver.ts');
  add('X-Ray', 'recorded traces', traces * assumptions.sampled, prices.trace);

  if (assumptions.transferPaid) {
    add('Transfer', 'GB out', (count('answer bytes') + count('posted bytes')) / 1e9, prices.gigabyteOut);
  }
  return lines;
};

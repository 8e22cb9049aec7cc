/**
 * The cost of a search on AWS: counts of the embedded stack times list prices, and assumptions. Pure.
 */
import {
  type Assumptions,
  billedSeconds,
  type Fn,
  pageSteps,
  pagesOf,
  runSeconds,
  runsOf,
  type Search,
} from './billed-seconds.ts';
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

/** Days for which the history of a tracked keyword is stored (`docs/privacy.md`). */
const historyDays = 731;

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
  const history = months('Tracking', historyDays);
  add('DynamoDB', `GB-months of Tracking, ${historyDays} days`, history, prices.tableMonth);
  add('DynamoDB', `GB-months of recovery of Tracking, ${historyDays} days`, history, prices.recoveryMonth);

  add('S3', 'PUT', count('S3 write'), prices.objectWrite);
  add('S3', 'GET, HEAD', count('S3 read'), prices.objectRead);
  const pages = pagesOf(counts);
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

/**
 * The counts of the embedded stack as flat numbers, which can be subtracted and compared. All costs are
 * calculated from them.
 */
import type { Meter } from './meter.ts';

/** Requests of one action, the bytes of their bodies, and the number of 64 KB chunks that SQS bills. */
export type Call = { requests: number; bytes: number; chunks: number };

/**
 * Read and write units since the start, and bytes that were added to tables: `write Tasks`, `read
 * Users/by-key`, `stored Tasks`.
 */
export type Units = Record<string, number>;

/**
 * The requests that the stores received since their start, by action (`SQS.SendMessage`), and the units that
 * DynamoDB would bill.
 */
export type Asked = { calls: Record<string, Call>; units: Units };

/**
 * By name: `calls functions/crawl/fetch-page.ts`, and of the same calls `ms …` (from start to end), `cpu …`
 * (milliseconds of processor time), `messages …` and `asks … DynamoDB`; `write Tasks/unfinished`, `SQS`, `S3
 * write`, `log bytes` and so on.
 */
export type Counts = Record<string, number>;

/** A table's name without the suffix that CloudFormation adds. */
const plain = (name: string) => name.replace(/[0-9A-F]{8}(?=\/|$)/, '');

const kindOf = (action: string): string => {
  if (action.startsWith('SQS.')) return 'SQS';
  if (/^S3\.(GET|HEAD)$/.test(action)) return 'S3 read';
  return /^S3\.(PUT|POST)$/.test(action) ? 'S3 write' : action;
};

/** All counts since the start. */
export const takeCounts = async (meter: Meter, asked: () => Promise<Asked>): Promise<Counts> => {
  const { calls, units } = await asked();
  const counts: Counts = {
    requests: meter.requests,
    'answer bytes': meter.answerBytes,
    'log bytes': meter.logBytes,
    'log lines': meter.logLines,
    transitions: meter.transitions,
  };
  const add = (name: string, count: number) => {
    counts[name] = (counts[name] ?? 0) + count;
  };
  for (const [entry, { count, durationMs }] of meter.functions) {
    add(`calls ${entry}`, count);
    add(`ms ${entry}`, durationMs);
  }
  for (const [entry, { cpuMs, messages, requests }] of meter.work) {
    add(`cpu ${entry}`, cpuMs);
    add(`messages ${entry}`, messages);
    for (const [service, times] of Object.entries(requests)) add(`asks ${entry} ${service}`, times);
  }
  for (const [name, { count, durationMs }] of meter.machines) {
    add(`calls ${name.split(' ')[0]}`, count);
    add(`ms ${name.split(' ')[0]}`, durationMs);
  }
  for (const [action, { requests, bytes, chunks }] of Object.entries(calls)) {
    add(kindOf(action), action.startsWith('SQS.') ? chunks : requests);
    if (kindOf(action) === 'S3 write') add('S3 bytes', bytes);
  }
  for (const [what, count] of Object.entries(units)) add(plain(what), count);
  return counts;
};

/** The counts that were added between two moments. */
export const difference = (before: Counts, after: Counts): Counts =>
  Object.fromEntries(
    Object.entries(after).flatMap(([name, count]) => {
      const added = count - (before[name] ?? 0);
      return added > 0 ? [[name, added] as const] : [];
    }),
  );

/** All counts multiplied by `times`. */
export const scaled = (counts: Counts, times: number): Counts =>
  Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, count * times]));

/** The counts of two kinds of work together. */
export const sumOf = (one: Counts, other: Counts): Counts => {
  const sum = { ...one };
  for (const [name, count] of Object.entries(other)) sum[name] = (sum[name] ?? 0) + count;
  return sum;
};

const median = (numbers: number[]): number => {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
};

/** The median of each count over several searches. */
export const medians = (several: Counts[]): Counts =>
  Object.fromEntries(
    [...new Set(several.flatMap(Object.keys))].map((name) => [
      name,
      median(several.map((counts) => counts[name] ?? 0)),
    ]),
  );

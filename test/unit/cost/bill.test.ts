import { expect, test } from 'vitest';
import { bill, dollarsOf, type Service } from '../../../infra/cost/bill.ts';
import { nothingAssumed } from '../../../infra/cost/billed-seconds.ts';
import { difference, medians } from '../../../infra/cost/counts.ts';

const fn = (entry: string, memoryMb: number, architecture: 'arm64' | 'x86_64' = 'arm64') => ({
  entry: `functions/${entry}.ts`,
  memoryMb,
  architecture,
  isReported: false,
});

test('subtracts earlier counts, and takes the median of several counts', () => {
  expect(difference({ SQS: 3, requests: 2 }, { SQS: 5, requests: 2, transitions: 1 })).toEqual({
    SQS: 2,
    transitions: 1,
  });
  expect(medians([{ a: 1 }, { a: 9, b: 4 }, { a: 2, b: 2 }])).toEqual({ a: 2, b: 2 });
});

// Calculated by hand: the count times the price on AWS's pricing page, times 1,000.
test.each<[string, Service, Record<string, number>, number]>([
  ['two requests', 'API Gateway', { requests: 2 }, 0.007],
  ['seven calls', 'Lambda', { 'calls functions/a.ts': 7 }, 0.0014],
  ['three queue requests', 'SQS', { SQS: 3 }, 0.0015],
  ['four transitions', 'Step Functions', { transitions: 4 }, 0.1],
  ['eight units written', 'DynamoDB', { 'write Tasks': 7, 'write Tasks/unfinished': 1 }, 0.005],
  ['a unit and a half read', 'DynamoDB', { 'read Tasks': 1, 'read Users/by-key': 0.5 }, 0.0001875],
  ['an object stored and read', 'S3', { 'S3 write': 1, 'S3 read': 2 }, 0.0058],
  // 1,000 × 100 KB = 0.1 GB, for 7.5 of 30.4 days, at 0.023.
  ['100 KB kept', 'S3', { 'S3 bytes': 100_000 }, 0.000567],
  // 1,000 × (1,948 + 2 × 26) bytes at half a dollar for 10^9, and a fifth of them for 90 of 30.4 days at
  // 0.03.
  ['two lines logged', 'Logs', { 'log bytes': 1948, 'log lines': 2 }, 0.00103553],
  ['10 KB answered and 10 posted', 'Transfer', { 'answer bytes': 10_000, 'posted bytes': 10_000 }, 0.0018],
])('bills %s', (_, service, counts, dollars) => {
  expect(
    dollarsOf(bill([], { counts }, { ...nothingAssumed, transferPaid: true }), service) * 1000,
  ).toBeCloseTo(dollars, 5);
});

/** Counts of calls of a function that each handle one message, with the processor time of one call. */
const callsOf = (entry: string, calls: number, cpuMs: number) => ({
  [`calls ${entry}`]: calls,
  [`messages ${entry}`]: calls,
  [`cpu ${entry}`]: calls * cpuMs,
});

/** Assumes nothing, and no wait for AWS either. */
const noWaits = { ...nothingAssumed, requestSeconds: {}, stepSeconds: 0 };

test.each([
  // More than a whole core, so the time stays as measured: 0.1 s × 2 GB × 0.0000133334.
  ['a large function', fn('crawl/parse-task', 2048), 100, 0, 0.1 * 2 * 0.0000133334],
  // 256 MB are 0.1447 of a core: 10 ms of work take 69.1 ms, billed as 70 ms.
  ['a small function', fn('crawl/start-crawl', 256), 10, 0, 0.07 * 0.25 * 0.0000133334],
  // Only the 10 ms of work are scaled, not the wait of 0.1 s.
  ['a function that waits', fn('postback/deliver', 256), 10, 0.1, 0.17 * 0.25 * 0.0000133334],
  ['Chromium', fn('crawl/render-page', 2048, 'x86_64'), 100, 1, 1.1 * 2 * 0.0000166667],
])('bills the processor time of %s', (_, run, ms, wait, dollars) => {
  const lines = bill(
    [run],
    { counts: callsOf(run.entry, 1, ms) },
    { ...noWaits, waits: { [run.entry]: wait } },
  );

  expect(dollarsOf(lines, 'Lambda')).toBeCloseTo(dollars + 0.0000002, 12);
});

test('does not bill the time from start to end, which depends on the machine', () => {
  const run = fn('crawl/parse-task', 1769);
  const counts = { ...callsOf(run.entry, 1, 10), [`ms ${run.entry}`]: 9999, 'answer bytes': 10_000 };

  const lines = bill([run], { counts }, noWaits);

  expect(dollarsOf(lines)).toBeCloseTo(((0.01 * 1769) / 1024) * 0.0000133334 + 0.0000002, 12);
});

test('a request to AWS waits for its answer, at any memory', () => {
  const run = fn('crawl/fetch-page', 512);
  const counts = {
    ...callsOf(run.entry, 1, 0),
    [`asks ${run.entry} DynamoDB`]: 2,
    [`asks ${run.entry} S3`]: 1,
  };

  const lines = bill(
    [run],
    { counts },
    { ...noWaits, requestSeconds: { DynamoDB: 0.005, S3: 0.025, SQS: 0.01 } },
  );

  // 2 × 5 ms and 25 ms, at half a GB.
  expect(dollarsOf(lines, 'Lambda')).toBeCloseTo(0.035 * 0.5 * 0.0000133334 + 0.0000002, 12);
});

test('the collector, the compiler and compression add processor time in proportion', () => {
  const run = fn('crawl/fetch-page', 1769);
  const counts = { ...callsOf(run.entry, 1, 10), 'cpu process': 60, 'cpu threads': 40 };

  const lines = bill([run], { counts }, noWaits);

  // 10 ms × 60 / 40.
  expect(lines.find(({ what }) => what.includes('fetch-page'))?.count).toBeCloseTo((0.015 * 1769) / 1024, 9);
});

test('the work of the browser belongs to the page that it opens', () => {
  const run = fn('crawl/render-page', 1769);
  const counts = { ...callsOf(run.entry, 1, 10), 'cpu browsers': 200 };

  const lines = bill([run], { counts }, noWaits);

  expect(lines.find(({ what }) => what.includes('render-page'))?.count).toBeCloseTo((0.21 * 1769) / 1024, 9);
});

test('messages of a batch share the processor, and wait at the same time', () => {
  const run = fn('postback/deliver', 1769);
  const alone = { ...callsOf(run.entry, 1, 10), [`asks ${run.entry} DynamoDB`]: 2 };
  const counts = { [`calls ${run.entry}`]: 0.1, [`messages ${run.entry}`]: 1 };

  const lines = bill([run], { counts, alone }, { ...noWaits, requestSeconds: { DynamoDB: 0.005 } });

  // A call has ten messages: 10 × 10 ms of work, and 2 × 5 ms of waits.
  expect(lines.find(({ what }) => what.includes('deliver'))?.count).toBeCloseTo(
    (0.1 * 0.11 * 1769) / 1024,
    9,
  );
});

const crawlSteps = ['crawl/start-crawl', 'crawl/fetch-page', 'crawl/parse-task'];

const crawlCounts = {
  'calls EXPRESS': 1,
  ...callsOf('functions/crawl/start-crawl.ts', 1, 10),
  ...callsOf('functions/crawl/fetch-page.ts', 10, 30),
  ...callsOf('functions/crawl/parse-task.ts', 1, 20),
};

test('a run takes the time of its steps and of a second round of pages, and the consumer waits for the run', () => {
  const lines = bill(
    crawlSteps.map((name) => fn(name, 1769)),
    { counts: crawlCounts },
    { ...noWaits, waits: { 'functions/crawl/fetch-page.ts': 0.5 }, stepSeconds: 0.02 },
  );

  // 0.02 + 0.02 s for parsing, 2 × (0.53 + 0.02) s for two rounds of pages: 1.14 s, billed as 1.2 s.
  expect(dollarsOf(lines, 'Step Functions')).toBeCloseTo(0.000001 + (1.2 / 16) * 0.00001667, 12);
  // The consumer is billed for the run and its own 10 ms, at 1,769 MB.
  const consumer = lines.find(({ what }) => what.includes('start-crawl'));
  expect(consumer?.count).toBeCloseTo((1.15 * 1769) / 1024, 6);
});

test('a call of the consumer that only postpones its task does not wait for a run', () => {
  const counts = { ...crawlCounts, ...callsOf('functions/crawl/start-crawl.ts', 2, 10) };

  const lines = bill(
    crawlSteps.map((name) => fn(name, 1769)),
    { counts },
    noWaits,
  );

  // One run of 2 × 30 + 20 ms, and 10 ms of work for each of the two calls.
  const consumer = lines.find(({ what }) => what.includes('start-crawl'));
  expect(consumer?.count).toBeCloseTo((0.1 * 1769) / 1024, 6);
});

test('real pages take more work: that of parsing for each page of the task', () => {
  const pageWork = { 'functions/crawl/fetch-page.ts': 0.02, 'functions/crawl/parse-task.ts': 0.01 };

  const lines = bill(
    crawlSteps.map((name) => fn(name, 1769)),
    { counts: crawlCounts },
    { ...noWaits, pageWork },
  );

  const gigabyteSeconds = (name: string) => lines.find(({ what }) => what.includes(name))?.count;
  expect(gigabyteSeconds('fetch-page')).toBeCloseTo((10 * 0.05 * 1769) / 1024, 6);
  expect(gigabyteSeconds('parse-task')).toBeCloseTo((0.12 * 1769) / 1024, 6);
});

test('the step that ends a search of one page has the work of parsing too, and the run no further step', () => {
  const fetch = 'functions/crawl/fetch-page.ts';
  const pageWork = { [fetch]: 0.02, 'functions/crawl/parse-task.ts': 0.01 };
  const counts = {
    'calls EXPRESS': 1,
    ...callsOf('functions/crawl/start-crawl.ts', 1, 10),
    ...callsOf(fetch, 1, 30),
  };

  const lines = bill(
    crawlSteps.map((name) => fn(name, 1769)),
    { counts },
    { ...noWaits, pageWork, stepSeconds: 0.02 },
  );

  const gigabyteSeconds = (name: string) => lines.find(({ what }) => what.includes(name))?.count;
  expect(gigabyteSeconds('fetch-page')).toBeCloseTo((0.06 * 1769) / 1024, 6);
  expect(gigabyteSeconds('parse-task')).toBeUndefined();
  // 0.06 + 0.02 s of the run, and 10 ms of its own.
  expect(gigabyteSeconds('start-crawl')).toBeCloseTo((0.09 * 1769) / 1024, 6);
});

test('a call for several pages has the work of each of them, waits once, and makes all of its requests', () => {
  const entry = 'functions/crawl/fetch-pages.ts';
  const counts = {
    ...crawlCounts,
    ...callsOf('functions/crawl/fetch-page.ts', 1, 30),
    // Nine pages of 30 ms.
    ...callsOf(entry, 1, 270),
    [`messages ${entry}`]: 9,
    [`asks ${entry} DynamoDB`]: 12,
  };
  const waits = { 'functions/crawl/fetch-page.ts': 0.5, [entry]: 0.5 };

  const lines = bill(
    [...crawlSteps, 'crawl/fetch-pages'].map((name) => fn(name, 1769)),
    { counts },
    {
      ...noWaits,
      requestSeconds: { DynamoDB: 0.005 },
      waits,
      pageWork: { [entry]: 0.02 },
      pageKilobytes: 100,
    },
  );

  // Nine pages of 30 ms and 20 ms for real ones, a wait of 0.5 s and twelve of 5 ms.
  const pages = 9 * 0.05 + 0.5 + 0.06;
  expect(lines.find(({ what }) => what.includes('fetch-pages'))?.count).toBeCloseTo((pages * 1769) / 1024, 6);
  // The run waits for the first page, for the others, and for the reading: 0.53 s, 1.01 s and 0.02 s.
  expect(lines.find(({ what }) => what.includes('of EXPRESS'))?.count).toBeCloseTo(1.6 / 16, 9);
  // Ten pages of 100 KB for 7.5 days.
  const stored = lines.find(({ what }) => what.startsWith('GB-months of pages'));
  expect(stored?.count).toBeCloseTo((0.001 * 7.5) / 30.4, 9);
});

test('Lambda bills the start of an execution environment', () => {
  const run = fn('crawl/fetch-page', 512);

  const lines = bill(
    [run],
    { counts: callsOf(run.entry, 10, 0) },
    { ...noWaits, starts: { share: 0.01, seconds: 0.4, secondsOf: {} } },
  );

  expect(dollarsOf(lines, 'Lambda')).toBeCloseTo(10 * 0.0000002 + 10 * 0.01 * 0.4 * 0.5 * 0.0000133334, 12);
});

test('bills the share of page steps that read the secret, and the storage of rows and logs', () => {
  const counts = {
    'calls functions/crawl/fetch-page.ts': 10,
    'stored Snapshots': 1400,
    'stored Tasks': 3400,
    'log bytes': 1e6,
  };

  const lines = bill([], { counts }, { ...noWaits, secretReads: 0.01 });

  expect(dollarsOf(lines, 'Secrets')).toBeCloseTo(0.1 * 0.000005, 12);
  const stored = lines.filter(({ what }) => what.startsWith('GB-months'));
  // 1,400 bytes for 35 days at 0.25, 3,400 bytes for 2 days at 0.45 with recovery; a fifth of 1 MB for 90
  // days at 0.03.
  expect(dollarsOf(stored)).toBeCloseTo(
    ((1400 * 35 * 0.25 + 3400 * 2 * 0.45) / 1e9 + 0.0002 * 90 * 0.03) / 30.4,
    12,
  );
});

test('bills three log lines of Lambda for each call of a reported function', () => {
  const run = { ...fn('a', 256), isReported: true };

  const lines = bill([run], { counts: { 'calls functions/a.ts': 2 } }, nothingAssumed);

  // 2 × (480 + 3 × 26) bytes at half a dollar for 10^9.
  const ingested = lines.filter(({ what }) => what === 'GB ingested');
  expect(dollarsOf(ingested) * 1e6).toBeCloseTo(0.558, 9);
});

test('bills the sampled share of traces, one for each request, run and delivery', () => {
  const counts = { requests: 2, 'calls EXPRESS': 1, 'calls functions/postback/deliver.ts': 1 };

  const lines = bill([], { counts }, { ...nothingAssumed, sampled: 0.05 });

  expect(dollarsOf(lines, 'X-Ray') * 1000).toBeCloseTo(4 * 0.05 * 0.005, 9);
});

import { expect, test } from 'vitest';
import { bill, dollarsOf, nothingAssumed, type Service } from '../../../infra/cost/bill.ts';
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
  ['three queue requests', 'SQS', { SQS: 3 }, 0.0012],
  ['four transitions', 'Step Functions', { transitions: 4 }, 0.1],
  ['eight units written', 'DynamoDB', { 'write Tasks': 7, 'write Tasks/unfinished': 1 }, 0.005],
  ['a unit and a half read', 'DynamoDB', { 'read Tasks': 1, 'read Users/by-key': 0.5 }, 0.0001875],
  ['an object stored and read', 'S3', { 'S3 write': 1, 'S3 read': 2 }, 0.0058],
  // 1,000 × 100 KB = 0.1 GB, for 35 of 30.4 days, at 0.023.
  ['100 KB kept', 'S3', { 'S3 bytes': 100_000 }, 0.00265],
  // 1,000 × (1,944 + 2 × 26) bytes at half a dollar for 10^9.
  ['two lines logged', 'Logs', { 'log bytes': 1948, 'log lines': 2 }, 0.001],
  ['10 KB answered and 10 posted', 'Transfer', { 'answer bytes': 10_000, 'posted bytes': 10_000 }, 0.0018],
])('bills %s', (_, service, counts, dollars) => {
  expect(
    dollarsOf(bill([], { counts }, { ...nothingAssumed, transferPaid: true }), service) * 1000,
  ).toBeCloseTo(dollars, 5);
});

test.each([
  // More than a whole core, so the time stays as measured: 0.1 s × 2 GB × 0.0000133334.
  ['a large function', fn('crawl/parse-task', 2048), 100, 0, 0.1 * 2 * 0.0000133334],
  // 256 MB are 0.1447 of a core: 10 ms of work take 69.1 ms, billed as 70 ms.
  ['a small function', fn('crawl/plan-pages', 256), 10, 0, 0.07 * 0.25 * 0.0000133334],
  // Only the 10 ms of work are scaled, not the wait of 0.1 s.
  ['a function that waits', fn('postback/deliver', 256), 10, 0.1, 0.17 * 0.25 * 0.0000133334],
  // Chromium uses two cores on a laptop and has 1.158 on Lambda: 100 ms take 172.8 ms, plus the wait of 1 s.
  ['Chromium', fn('crawl/render-page', 2048, 'x86_64'), 100, 1, 1.173 * 2 * 0.0000166667],
])('bills the time of %s', (_, run, ms, wait, dollars) => {
  const counts = { [`calls ${run.entry}`]: 1, [`ms ${run.entry}`]: ms };

  const lines = bill(
    [run],
    { counts },
    { ...nothingAssumed, sharesOfCore: true, waits: { [run.entry]: wait } },
  );

  expect(dollarsOf(lines, 'Lambda')).toBeCloseTo(dollars + 0.0000002, 12);
});

test('without assumptions, bills the measured time, and does not bill transferred data', () => {
  const run = fn('crawl/plan-pages', 256);
  const counts = { [`calls ${run.entry}`]: 1, [`ms ${run.entry}`]: 10, 'answer bytes': 10_000 };

  const lines = bill([run], { counts }, nothingAssumed);

  expect(dollarsOf(lines)).toBeCloseTo(0.01 * 0.25 * 0.0000133334 + 0.0000002, 12);
});

test('a run takes the time of its steps and of a second round of pages, and the consumer waits for the run', () => {
  const functions = [
    fn('crawl/start-crawl', 1769),
    fn('crawl/plan-pages', 1769),
    fn('crawl/fetch-page', 1769),
    fn('crawl/parse-task', 1769),
  ];
  const counts = {
    'calls EXPRESS': 1,
    'ms EXPRESS': 50,
    'calls functions/crawl/start-crawl.ts': 1,
    'ms functions/crawl/start-crawl.ts': 60,
    'calls functions/crawl/plan-pages.ts': 1,
    'ms functions/crawl/plan-pages.ts': 10,
    'calls functions/crawl/fetch-page.ts': 10,
    'ms functions/crawl/fetch-page.ts': 9999,
    'calls functions/crawl/parse-task.ts': 1,
    'ms functions/crawl/parse-task.ts': 20,
  };

  const lines = bill(
    functions,
    { counts, measuredMs: { 'functions/crawl/fetch-page.ts': 30 } },
    { ...nothingAssumed, waits: { 'functions/crawl/fetch-page.ts': 0.5 }, stepSeconds: 0.02 },
  );

  // 0.03 + 0.04 s for plan and parse, 2 × (0.53 + 0.02) s for two rounds of pages: 1.17 s, billed as 1.2 s.
  expect(dollarsOf(lines, 'Step Functions')).toBeCloseTo(0.000001 + (1.2 / 16) * 0.00001667, 12);
  // The consumer is billed for the run and its own 10 ms, at 1,769 MB.
  const consumer = lines.find(({ what }) => what.includes('start-crawl'));
  expect(consumer?.count).toBeCloseTo((1.18 * 1769) / 1024, 6);
});

test('bills three log lines of Lambda for each call of a reported function', () => {
  const run = { ...fn('a', 256), isReported: true };

  const lines = bill([run], { counts: { 'calls functions/a.ts': 2 } }, nothingAssumed);

  // 2 × (480 + 3 × 26) bytes at half a dollar for 10^9.
  expect(dollarsOf(lines, 'Logs') * 1e6).toBeCloseTo(0.558, 9);
});

test('bills the sampled share of traces, one for each request, run and delivery', () => {
  const counts = { requests: 2, 'calls EXPRESS': 1, 'calls functions/postback/deliver.ts': 1 };

  const lines = bill([], { counts }, { ...nothingAssumed, sampled: 0.05 });

  expect(dollarsOf(lines, 'X-Ray') * 1000).toBeCloseTo(4 * 0.05 * 0.005, 9);
});

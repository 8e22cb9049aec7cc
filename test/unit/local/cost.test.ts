import { expect, test } from 'vitest';
import { type Count, countNow, estimate } from '../../../infra/local/cost.ts';
import { addUsage, newMeter } from '../../../infra/local/meter.ts';
import { prices } from '../../../infra/local/prices.ts';

const nothing = (): Promise<Count> => countNow(newMeter(), async () => ({}));

const dollarsOf = (service: string, lines: ReturnType<typeof estimate>) =>
  lines.find((line) => line.service === service)?.dollars;

test('counts what was added between two moments', async () => {
  const meter = newMeter();
  const calls = { 'SQS.SendMessage': { requests: 5, bytes: 10 } };
  meter.requests = 7;
  const before = await countNow(meter, async () => structuredClone(calls));
  meter.requests = 9;
  calls['SQS.SendMessage'].requests = 8;

  const lines = estimate(before, await countNow(meter, async () => calls));

  expect(dollarsOf('API Gateway', lines)).toBeCloseTo(2 * prices.gatewayRequest, 12);
  expect(dollarsOf('SQS', lines)).toBeCloseTo(3 * prices.queueRequest, 12);
});

test.each([
  ['small requests', { 'DynamoDB.UpdateItem': { requests: 3, bytes: 600 } }, 3 * prices.tableWrite],
  [
    'a batch by its bytes',
    { 'DynamoDB.BatchWriteItem': { requests: 1, bytes: 5 * 1024 } },
    5 * prices.tableWrite,
  ],
  ['reads', { 'DynamoDB.GetItem': { requests: 2, bytes: 100 } }, 2 * prices.tableRead],
])('prices %s of a table', async (_, calls, expected) => {
  const after = await countNow(newMeter(), async () => calls);

  expect(dollarsOf('DynamoDB', estimate(await nothing(), after))).toBeCloseTo(expected, 12);
});

test('rounds a duration up as its bill does', async () => {
  const meter = newMeter();
  addUsage(meter.functions, 'a', { durationMs: 0.4, memoryMb: 1024, billedInMs: 1 });
  addUsage(meter.machines, 'EXPRESS Crawl', { durationMs: 101, memoryMb: 1024, billedInMs: 100 });

  const { functions, express } = await countNow(meter, async () => ({}));

  expect(functions.gigabyteSeconds).toBeCloseTo(0.001, 9);
  expect(express.gigabyteSeconds).toBeCloseTo(0.2, 9);
});

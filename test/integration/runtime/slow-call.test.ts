/** Slow calls of AWS are logged. The server on loopback moves the clock, so no test depends on real time. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { dynamo, sfn, sqs } from '../../../lib/runtime/aws.ts';
import { s3 } from '../../../lib/runtime/s3.ts';
import { withScope } from '../../../lib/runtime/scope.ts';
import { secretsManager } from '../../../lib/runtime/secrets-manager.ts';
import { loggingSlowCalls } from '../../../lib/runtime/slow-call.ts';

let now = 0;

/** Milliseconds that the next call takes, and the status of its answer. */
let next = { takes: 0, status: 200 };
let server: Server;
const written: string[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    now += next.takes;
    request.resume();
    response.statusCode = next.status;
    response.setHeader('content-type', 'application/x-amz-json-1.0');
    response.end(next.status === 200 ? '{}' : '{"__type":"x#ResourceNotFoundException","message":"secret"}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => server.close());
beforeEach(() => {
  vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => written.push(String(chunk)) > 0);
});
afterEach(() => {
  vi.restoreAllMocks();
  written.length = 0;
});

const endpoint = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const readThing = async (): Promise<unknown> => {
  const client = new DynamoDBClient({ endpoint: endpoint() });
  client.middlewareStack.use(loggingSlowCalls(() => now));
  const tables = DynamoDBDocumentClient.from(client);
  const command = new GetCommand({ TableName: 'things', Key: { id: 'somebody' } });
  return withScope({ task_id: 7 }, () => tables.send(command)).finally(() => client.destroy());
};

test('logs the name and the time of a call of a second or more, and the task, but not the input', async () => {
  next = { takes: 1500, status: 200 };
  await readThing();

  const [line] = written.map((each) => JSON.parse(each));
  expect(written).toHaveLength(1);
  expect(line).toMatchObject({
    level: 'WARN',
    message: 'slow AWS call',
    call: 'DynamoDB GetItem',
    milliseconds: 1500,
    task_id: 7,
  });
  expect(written.join()).not.toMatch(/things|somebody/);
});

test('logs the name of the error of a slow call that failed, and passes it on', async () => {
  next = { takes: 2000, status: 400 };

  await expect(readThing()).rejects.toThrow('secret');
  expect(written.map((each) => JSON.parse(each))).toMatchObject([
    { call: 'DynamoDB GetItem', milliseconds: 2000, error: 'ResourceNotFoundException' },
  ]);
  expect(written.join()).not.toContain('secret');
});

test.each([200, 400])('does not log a quick call with the status %i', async (status) => {
  next = { takes: 999, status };
  await readThing().catch(() => undefined);

  expect(written).toEqual([]);
});

test('does not log a call that waits by design', async () => {
  next = { takes: 20_000, status: 200 };
  const client = new SQSClient({ endpoint: endpoint() });
  client.middlewareStack.use(loggingSlowCalls(() => now));
  await client.send(new ReceiveMessageCommand({ QueueUrl: `${endpoint()}/1/q` }));
  client.destroy();

  expect(written).toEqual([]);
});

test.each([
  ['DynamoDB', () => dynamo.middlewareStack],
  ['SQS', () => sqs.middlewareStack],
  ['Step Functions', () => sfn.middlewareStack],
  ['Secrets Manager', () => secretsManager.middlewareStack],
  ['S3', () => s3.middlewareStack],
])('the client of %s logs its slow calls', (_, stackOf) => {
  const steps = stackOf().identify().join();

  expect(steps).toContain('logSlowCalls');
  // It would copy each request and each answer for nothing.
  expect(steps).not.toContain('loggerMiddleware');
});

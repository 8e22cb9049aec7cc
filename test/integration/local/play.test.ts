import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient, GetItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { SFNClient, StartExecutionCommand, StartSyncExecutionCommand } from '@aws-sdk/client-sfn';
import { GetQueueAttributesCommand, SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Emulators, startEmulators } from '../../../infra/local/emulators.ts';
import { type Play, playTemplate } from '../../../infra/local/play.ts';
import { template } from './fixtures/template.ts';

const folder = mkdtempSync(join(tmpdir(), 'play-'));
let emulators: Emulators;
let play: Play;

beforeAll(async () => {
  emulators = await startEmulators(folder, () => undefined);
  play = await playTemplate(emulators, template, {
    host: '127.0.0.1',
    port: 0,
    clockRate: 60,
    service: { SANDBOX_MISFORTUNE: 'slow' },
  });
});

afterAll(async () => {
  await play.stop();
  rmSync(folder, { recursive: true });
});

const until = <T>(ask: () => Promise<T>) => vi.waitFor(ask, { timeout: 8000, interval: 50 });

const row = async (id: string) => {
  const { Item } = await new DynamoDBClient({}).send(
    new GetItemCommand({ TableName: process.env.THINGS_TABLE, Key: { id: { S: id } } }),
  );
  return Item;
};

describe('environment', () => {
  test('is the union of the functions’, with the user’s settings and no real account', () => {
    expect(process.env).toMatchObject({
      STAGE: 'local',
      THINGS_TABLE: 'Things',
      WORK_QUEUE_URL: `${emulators.endpoints.sqs}/000000000000/Work`,
      SANDBOX_MISFORTUNE: 'slow',
      AWS_ACCESS_KEY_ID: 'local',
      AWS_ENDPOINT_URL_SQS: emulators.endpoints.sqs,
    });
  });
});

describe('gateway', () => {
  /** Sends a path as it is: `fetch` would tidy it up. */
  const raw = (path: string, options: { method?: string; headers?: Record<string, string> } = {}) =>
    new Promise<{ status: number; event: APIGatewayProxyEvent }>((resolve, reject) => {
      const { hostname, port } = new URL(play.url);
      request({ hostname, port, path, ...options }, async (response) => {
        let text = '';
        for await (const chunk of response) text += chunk;
        resolve({ status: response.statusCode ?? 0, event: JSON.parse(text) });
      })
        .on('error', reject)
        .end();
    });

  test.each([
    ['/', '/', null],
    ['/items', '/items', null],
    ['/items/', '/items', null],
    ['/items/known', '/items/known', null],
    ['/items/7', '/items/{id}', { id: '7' }],
    ['/items/%00', '/items/{id}', { id: '%00' }],
    ['/items/..%2f..%2Fetc', '/items/{id}', { id: '..%2f..%2Fetc' }],
    ['/items/7/a/b', '/items/{id}/{rest+}', { id: '7', rest: 'a/b' }],
    ['/items/known/a', '/items/{id}/{rest+}', { id: 'known', rest: 'a' }],
  ])('takes %s to %s, undecoded', async (path, resource, pathParameters) => {
    const { event } = await raw(path);

    expect(event).toMatchObject({ path, resource, pathParameters, httpMethod: 'GET' });
  });

  test.each([
    ['an unknown path', '/nothing', 'GET'],
    ['an unknown method', '/items', 'DELETE'],
  ])('answers %s with its own response', async (_, path, method) => {
    const reply = await fetch(play.url + path, { method });

    expect(reply.status).toBe(404);
    expect(reply.headers.get('cache-control')).toBe('no-store');
    expect(await reply.json()).toEqual({ detail: 'Not Found' });
  });

  test('passes headers, queries and origin as a REST API does', async () => {
    const { event } = await raw('/items?a=1&b=x%20y+z&a=2&__proto__=3', {
      headers: { 'X-Mixed-Case': 'kept', 'X-Forwarded-Proto': 'https', Host: 'evil.example' },
    });

    const { host } = new URL(play.url);
    expect(event.headers).toMatchObject({ 'X-Mixed-Case': 'kept', 'X-Forwarded-Proto': 'http' });
    expect(event.multiValueQueryStringParameters).toMatchObject({ a: ['1', '2'], b: ['x y z'] });
    expect(event.queryStringParameters?.a).toBe('2');
    expect(event.requestContext).toMatchObject({ domainName: host, path: '/items', httpMethod: 'GET' });
    expect(event.requestContext.identity.sourceIp).toBe('127.0.0.1');
    expect(event.body).toBeNull();
  });

  test.each([
    ['text', 'application/json', Buffer.from('{"a":"ä"}'), false],
    ['a binary media type', 'image/png', Buffer.from('abc'), true],
    ['no UTF-8', 'application/json', Buffer.from([0x7b, 0xff]), true],
  ])('passes a body of %s whole', async (_, type, body, isBase64Encoded) => {
    const reply = await fetch(`${play.url}/items/7`, {
      method: 'POST',
      headers: { 'content-type': type },
      body,
    });

    const event = (await reply.json()) as APIGatewayProxyEvent;
    expect(event.isBase64Encoded).toBe(isBase64Encoded);
    expect(Buffer.from(event.body ?? '', isBase64Encoded ? 'base64' : 'utf8')).toEqual(body);
  });

  test('answers 413 above 10 MB, declared or not', async () => {
    const declared = await fetch(`${play.url}/items/7`, {
      method: 'POST',
      body: Buffer.alloc(11 * 1024 * 1024),
    });
    const streamed = await fetch(`${play.url}/items/7`, {
      method: 'POST',
      duplex: 'half',
      body: ReadableStream.from(Array.from({ length: 11 }, () => Buffer.alloc(1024 * 1024))),
    });

    expect([declared.status, streamed.status]).toEqual([413, 413]);
    expect(await declared.json()).toEqual({ detail: 'Too large' });
  });

  test.each([
    ['throws', '/items/throws', 502],
    ['answers nonsense', '/items/nonsense', 502],
    ['answers an impossible header', '/items/bad-header', 502],
    ['takes too long', '/items/hangs', 504],
  ])('speaks for a handler that %s', async (_, path, status) => {
    const reply = await fetch(play.url + path);

    expect(reply.status).toBe(status);
    expect(await reply.json()).toHaveProperty('detail');
  });

  test('hands on bytes and repeated headers', async () => {
    const image = await fetch(`${play.url}/items/image`);
    const cookies = await fetch(`${play.url}/items/cookies`);

    expect(Buffer.from(await image.arrayBuffer())).toEqual(Buffer.from([0x89, 0x50, 0xff]));
    expect(cookies.status).toBe(204);
    expect(cookies.headers.get('x-one')).toBe('a, b');
  });

  test('answers what is no HTTP', async () => {
    const reply = await new Promise<string>((resolve) => {
      let text = '';
      const socket = connect(Number(new URL(play.url).port), '127.0.0.1', () =>
        socket.end('nonsense\r\n\r\n'),
      );
      socket.on('data', (chunk) => {
        text += chunk;
      });
      socket.on('close', () => resolve(text));
    });

    expect(reply).toMatch(/^HTTP\/1\.1 400 /);
  });
});

describe('queues', () => {
  const send = (...bodies: string[]) =>
    new SQSClient({}).send(
      new SendMessageBatchCommand({
        QueueUrl: process.env.WORK_QUEUE_URL,
        Entries: bodies.map((MessageBody, at) => ({ Id: String(at), MessageBody })),
      }),
    );

  const count = async (queue: string) => {
    const { Attributes } = await new SQSClient({}).send(
      new GetQueueAttributesCommand({
        QueueUrl: `${emulators.endpoints.sqs}/000000000000/${queue}`,
        AttributeNames: ['All'],
      }),
    );
    return (
      Number(Attributes?.ApproximateNumberOfMessages) +
      Number(Attributes?.ApproximateNumberOfMessagesNotVisible)
    );
  };

  test('repeats the failed message of a batch only, and then lays it with the dead letters', async () => {
    await send('good', 'fail');

    await until(async () => expect(await count('DeadLetters')).toBe(1));
    expect(await row('good')).toMatchObject({ receives: { N: '1' } });
    expect(await row('fail')).toMatchObject({ receives: { N: '2' } });
    expect(await count('Work')).toBe(0);
  });

  test('repeats the whole batch of a function that throws', async () => {
    await send('throw', 'beside');

    await until(async () => expect(await row('beside')).toMatchObject({ receives: { N: '2' } }));
  });

  test('keeps the rows’ index', async () => {
    await send('indexed');

    await until(async () => {
      const { Items } = await new DynamoDBClient({}).send(
        new QueryCommand({
          TableName: process.env.THINGS_TABLE,
          IndexName: 'by-kind',
          KeyConditionExpression: 'kind = :kind',
          ExpressionAttributeValues: { ':kind': { S: 'message' } },
        }),
      );
      expect(Items?.map(({ id }) => id?.S)).toContain('indexed');
    });
  });
});

test('stores objects', async () => {
  const s3 = new S3Client({});
  await s3.send(
    new PutObjectCommand({ Bucket: process.env.FILES, Key: 'html/a/b.gz', Body: Buffer.from([1, 2]) }),
  );

  const { Body } = await s3.send(new GetObjectCommand({ Bucket: process.env.FILES, Key: 'html/a/b.gz' }));

  expect(await Body?.transformToByteArray()).toEqual(new Uint8Array([1, 2]));
});

test('runs a schedule soon after the start and then at the clock’s rate', async () => {
  await until(async () => expect(Number((await row('tick'))?.runs?.N)).toBeGreaterThanOrEqual(2));
});

describe('machines', () => {
  const client = () => new SFNClient({ disableHostPrefix: true });
  const arn = (name: string) => `arn:aws:states:us-east-1:000000000000:stateMachine:${name}`;
  const runExpress = (items: number[]) =>
    client().send(
      new StartSyncExecutionCommand({ stateMachineArn: arn('Express'), input: JSON.stringify({ items }) }),
    );

  test('waits for an EXPRESS run and tells its output', async () => {
    expect(await runExpress([1, 2, 3])).toMatchObject({ status: 'SUCCEEDED', output: '[2,4,6]' });
  });

  test('retries with the interval of the definition, divided by the clock’s rate', async () => {
    const started = Date.now();

    const { output } = await runExpress([-3]);

    expect(output).toBe('[-6]');
    expect(Date.now() - started).toBeGreaterThanOrEqual(990);
  });

  test('tells the error of a step that stays broken', async () => {
    const { status, error, cause } = await runExpress([-2]);
    expect({ status, error, cause }).toMatchObject({ status: 'TIMED_OUT' });

    const broken = await client().send(
      new StartSyncExecutionCommand({ stateMachineArn: arn('Express'), input: '{"items":"none"}' }),
    );
    expect(broken).toMatchObject({ status: 'FAILED', error: 'States.Runtime' });
  });

  test('lets a STANDARD execution of one name run once', async () => {
    const start = (input: string) =>
      client().send(new StartExecutionCommand({ stateMachineArn: arn('Standard'), name: 'one', input }));

    const first = await start('{"number":1}');
    const again = await start('{"number":1}');

    expect(again.executionArn).toBe(first.executionArn);
    await expect(start('{"number":2}')).rejects.toThrow(
      expect.objectContaining({ name: 'ExecutionAlreadyExists' }),
    );
    await until(async () => expect(play.meter.machines.get('STANDARD Standard')?.count).toBe(1));
    await expect(start('{"number":1}')).rejects.toThrow(
      expect.objectContaining({ name: 'ExecutionAlreadyExists' }),
    );
    expect(play.meter.transitions).toBe(2);
  });

  test('refuses to wait for a STANDARD execution', async () => {
    const waiting = client().send(new StartSyncExecutionCommand({ stateMachineArn: arn('Standard') }));

    await expect(waiting).rejects.toThrow(expect.objectContaining({ name: 'StateMachineTypeNotSupported' }));
  });
});

test('goes on with a fresh thread when an error ends the functions’ own', async () => {
  await expect(play.functions.invoke('Step', -4)).rejects.toThrow(
    expect.objectContaining({ name: 'Runtime.ExitError' }),
  );

  expect(await play.functions.invoke('Step', 2)).toBe(4);
});

test('counts the calls of each action', async () => {
  const before = await play.calls();
  await row('any');

  const after = await play.calls();

  expect(after['DynamoDB.GetItem']?.requests).toBeGreaterThan(before['DynamoDB.GetItem']?.requests ?? 0);
  expect(Object.keys(after)).toEqual(
    expect.arrayContaining(['SQS.ReceiveMessage', 'DynamoDB.UpdateItem', 'S3.PUT']),
  );
});

/** A small template on the embedded stack: its queues, objects, schedules and machines behave as on AWS. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { DynamoDBClient, GetItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { SFNClient, StartExecutionCommand, StartSyncExecutionCommand } from '@aws-sdk/client-sfn';
import { GetQueueAttributesCommand, SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Playing, startPlaying } from './fixtures/playing.ts';

let play: Playing;

beforeAll(async () => {
  play = await startPlaying();
});

afterAll(() => play.end());

const until = <T>(ask: () => Promise<T>) => vi.waitFor(ask, { timeout: 55_000, interval: 50 });

const row = async (id: string) => {
  const { Item } = await new DynamoDBClient({}).send(
    new GetItemCommand({ TableName: process.env.THINGS_TABLE, Key: { id: { S: id } } }),
  );
  return Item;
};

describe('environment', () => {
  test('is the union of those of the functions, with the settings of the user and no real account', () => {
    expect(process.env).toMatchObject({
      STAGE: 'local',
      THINGS_TABLE: 'Things',
      WORK_QUEUE_URL: `${play.endpoints.sqs}/000000000000/Work`,
      SANDBOX_MISFORTUNE: 'slow',
      AWS_ACCESS_KEY_ID: 'local',
      AWS_ENDPOINT_URL_SQS: play.endpoints.sqs,
    });
  });
});

describe('tables', () => {
  test('the functions of the gateway call them without HTTP', async () => {
    const { dynamo } = await import('../../../lib/runtime/aws.ts');
    const read = () => dynamo.send(new GetCommand({ TableName: 'Things', Key: { id: 'nothing' } }));
    let requests = 0;
    const onStart = () => {
      requests += 1;
    };

    await until(async () => {
      requests = 0;
      subscribe('http.client.request.start', onStart);
      await read().finally(() => unsubscribe('http.client.request.start', onStart));
      expect(requests).toBe(0);
    });
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
        QueueUrl: `${play.endpoints.sqs}/000000000000/${queue}`,
        AttributeNames: ['All'],
      }),
    );
    return (
      Number(Attributes?.ApproximateNumberOfMessages) +
      Number(Attributes?.ApproximateNumberOfMessagesNotVisible)
    );
  };

  test('repeats only the failed message of a batch, and then moves it to the dead-letter queue', async () => {
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

  test('keeps the index of the rows', async () => {
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

test('runs a schedule soon after the start, and again', async () => {
  await until(async () => expect(Number((await row('tick'))?.runs?.N)).toBeGreaterThanOrEqual(2));
});

describe('machines', () => {
  const client = () => new SFNClient({ disableHostPrefix: true });
  const arn = (name: string) => `arn:aws:states:us-east-1:000000000000:stateMachine:${name}`;
  const runExpress = (items: number[]) =>
    client().send(
      new StartSyncExecutionCommand({ stateMachineArn: arn('Express'), input: JSON.stringify({ items }) }),
    );

  test('waits for an EXPRESS run and returns its output', async () => {
    expect(await runExpress([1, 2, 3])).toMatchObject({ status: 'SUCCEEDED', output: '[2,4,6]' });
  });

  test('waits at least the interval of the definition, divided by the clock rate, before a retry', async () => {
    const started = Date.now();

    const { output } = await runExpress([-3]);

    expect(output).toBe('[-6]');
    expect(Date.now() - started).toBeGreaterThanOrEqual(990);
  });

  test('returns the error of a step that stays broken', async () => {
    const { status, error, cause } = await runExpress([-2]);
    expect({ status, error, cause }).toMatchObject({ status: 'TIMED_OUT' });

    const broken = await client().send(
      new StartSyncExecutionCommand({ stateMachineArn: arn('Express'), input: '{"items":"none"}' }),
    );
    expect(broken).toMatchObject({ status: 'FAILED', error: 'States.Runtime' });
  });

  test('runs a STANDARD execution of one name once', async () => {
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

test('starts a new thread when an error ends the thread of the functions', async () => {
  await expect(play.functions.invoke('Step', -4)).rejects.toThrow(
    expect.objectContaining({ name: 'Runtime.ExitError' }),
  );

  expect(await play.functions.invoke('Step', 2)).toBe(4);
});

test('counts the calls of each action', async () => {
  const before = (await play.asked()).calls;
  await row('any');

  const after = (await play.asked()).calls;

  expect(after['DynamoDB.GetItem']?.requests).toBeGreaterThan(before['DynamoDB.GetItem']?.requests ?? 0);
  expect(Object.keys(after)).toEqual(
    expect.arrayContaining(['SQS.ReceiveMessage', 'DynamoDB.UpdateItem', 'S3.PUT']),
  );
});

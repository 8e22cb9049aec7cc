/**
 * The doubles of a world answer as the emulators of the embedded stack do: random calls of each kind, on
 * both, give the same answers and the same errors.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as s3 from '@aws-sdk/client-s3';
import * as sqs from '@aws-sdk/client-sqs';
import * as documents from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { localTemplate } from '../../infra/local/cached-template.ts';
import { credentials, type Emulators, startEmulators } from '../../infra/local/stores/emulators.ts';
import { makeStores } from '../../infra/local/stores/make-stores.ts';
import { type LocalTemplate, readTemplate } from '../../infra/local/template.ts';
import { newObjects } from './services/objects.ts';
import { newQueues } from './services/queues.ts';
import { newTables } from './services/tables.ts';
import { newFaults } from './world/faults.ts';
import { type Random, randomOf } from './world/random.ts';
import { queueDefinitions, tableDefinitions } from './world/resources.ts';
import { newScheduler } from './world/scheduler.ts';

let emulators: Emulators;
let template: LocalTemplate;
const folder = mkdtempSync(join(tmpdir(), 'conformance-'));

beforeAll(async () => {
  emulators = await startEmulators(folder, () => undefined);
  template = readTemplate(await localTemplate(), emulators.endpoints.sqs);
  await makeStores(template, emulators.endpoints);
});

afterAll(async () => {
  await emulators.stop();
  rmSync(folder, { recursive: true, force: true });
});

const nameOf = (type: Parameters<LocalTemplate['all']>[0], part: string): string => {
  const found = template.all(type).find(({ logicalId }) => logicalId.startsWith(part));
  if (!found) throw new Error(`The template has no ${part}`);
  return found.name;
};

type Input = Record<string, unknown>;

const commandOf = <Command>(client: object, operation: string): Command =>
  Reflect.get(client, `${operation}Command`);

const tableCalls = (random: Random, TableName: string): [string, Input] => {
  const Key = { partition: `1#${random.int(3)}`, id: random.int(4) };
  const value = random.pick([
    1,
    'text',
    true,
    null,
    [1, 'a', { b: 2 }],
    { c: [3] },
    new Uint8Array([1, 2, 3]),
  ]);
  const ReturnValues = random.pick(['NONE', 'ALL_NEW', 'UPDATED_NEW', 'ALL_OLD']);
  const names = { '#status': 'status' };
  const values = { ':from': random.pick(['awaiting', 'crawling']), ':attempt': random.int(3) };
  const calls: [string, Input][] = [
    [
      'Put',
      {
        Item: {
          ...Key,
          value,
          status: 'awaiting',
          attempt: 0,
          unfinished: `u${random.int(2)}`,
          due_at: random.int(9),
        },
      },
    ],
    ['Put', { Item: { ...Key, value, log: [] }, ConditionExpression: 'attribute_not_exists(id)' }],
    ['Get', { Key, ConsistentRead: true }],
    ['Get', { Key, ProjectionExpression: 'id, #status, log[0]', ExpressionAttributeNames: names }],
    [
      'Update',
      {
        Key,
        UpdateExpression: 'SET #status = :to, attempt = :attempt + :one REMOVE due_at',
        ConditionExpression: '#status IN (:from, :other) AND attempt <= :attempt',
        ExpressionAttributeNames: names,
        ExpressionAttributeValues: { ...values, ':to': 'crawling', ':other': 'parsing', ':one': 1 },
        ReturnValues,
      },
    ],
    [
      'Update',
      {
        Key,
        UpdateExpression: 'SET log = list_append(if_not_exists(log, :none), :entry), due_at = :due',
        ExpressionAttributeValues: { ':none': [], ':entry': [[random.int(5)]], ':due': random.int(9) },
        ReturnValues: 'UPDATED_NEW',
      },
    ],
    [
      'Update',
      {
        Key,
        UpdateExpression: 'ADD hits :one',
        ExpressionAttributeValues: { ':one': 1 },
        ReturnValues: 'UPDATED_NEW',
      },
    ],
    [
      'Update',
      {
        Key,
        UpdateExpression: 'SET log[0] = :entry',
        ConditionExpression: 'attribute_exists(log) OR attempt = :attempt',
        ExpressionAttributeValues: { ':entry': 'x', ':attempt': values[':attempt'] },
        ReturnValues: 'ALL_NEW',
      },
    ],
    [
      'Delete',
      {
        Key,
        ConditionExpression: 'attribute_exists(hits) OR attempt > :n',
        ExpressionAttributeValues: { ':n': 0 },
      },
    ],
    [
      'Query',
      {
        KeyConditionExpression: '#partition = :partition AND id BETWEEN :first AND :last',
        ExpressionAttributeNames: { '#partition': 'partition' },
        ExpressionAttributeValues: { ':partition': Key.partition, ':first': 0, ':last': random.int(4) },
        ScanIndexForward: random.chance(0.5),
        Limit: 1 + random.int(3),
      },
    ],
    [
      'Query',
      {
        IndexName: 'unfinished',
        KeyConditionExpression: 'unfinished = :u AND due_at BETWEEN :from AND :to',
        FilterExpression: 'begins_with(#partition, :one)',
        ExpressionAttributeNames: { '#partition': 'partition' },
        ExpressionAttributeValues: {
          ':u': `u${random.int(2)}`,
          ':from': random.int(4),
          ':to': 4 + random.int(5),
          ':one': '1#',
        },
      },
    ],
    [
      'BatchGet',
      { RequestItems: { [TableName]: { Keys: [Key, { ...Key, id: Key.id + 1 }], ConsistentRead: true } } },
    ],
    [
      'BatchWrite',
      { RequestItems: { [TableName]: [{ PutRequest: { Item: { ...Key, batch: random.int(9) } } }] } },
    ],
    [
      'Update',
      { Key, UpdateExpression: 'SET status = :s', ExpressionAttributeValues: { ':s': 'reserved word' } },
    ],
    ['Get', { Key: { partition: 'p' } }],
  ];
  const [operation, input] = random.pick(calls);
  return [operation, operation.startsWith('Batch') ? input : { TableName, ...input }];
};

const outcome = async (work: () => unknown): Promise<unknown> => {
  try {
    const { $metadata: _metadata, ...answer } = (await work()) as Input;
    return answer;
  } catch (error) {
    return { error: (error as Error).name };
  }
};

/** Batches of reads have no order, and absent fields are not told from undefined ones. */
const comparable = (answer: unknown): unknown => {
  const { Responses } = answer as { Responses?: Record<string, Input[]> };
  const sorted = Responses && {
    Responses: Object.values(Responses).map((items) => items.map((item) => JSON.stringify(item)).sort()),
  };
  return JSON.parse(JSON.stringify({ ...(answer as object), ...sorted }));
};

test.each([1, 2, 3])('the tables answer 300 random calls as dynalite does (%i)', async (seed) => {
  const TableName = nameOf('AWS::DynamoDB::Table', 'Tasks');
  const client = documents.DynamoDBDocumentClient.from(
    new DynamoDBClient({ endpoint: emulators.endpoints.dynamodb, region: 'us-east-1', credentials }),
  );
  const doubles = newTables(tableDefinitions(template), { indexDelay: () => 0, later: () => undefined });
  const random = randomOf(seed, 'tables');
  for (let n = 0; n < 12; n++) {
    const Key = { partition: `1#${n % 3}`, id: Math.floor(n / 3) };
    await client.send(new documents.DeleteCommand({ TableName, Key }));
  }
  const kinds = new Set<string>();

  for (let n = 0; n < 300; n++) {
    const [operation, input] = tableCalls(random, TableName);
    const Command = commandOf<typeof documents.GetCommand>(documents, operation);
    const theirs = await outcome(() => client.send(new Command(input as never)));
    const ours = await outcome(() => doubles.call(operation, input));

    expect(comparable(ours), `${n}: ${operation} ${JSON.stringify(input)}`).toEqual(comparable(theirs));
    kinds.add(`${operation} ${typeof (ours as { error?: string }).error}`);
  }

  expect(kinds.size).toBeGreaterThan(8);
});

test('the queues deliver, hold, return and delete messages as fauxqs does', async () => {
  const name = nameOf('AWS::SQS::Queue', 'ScheduleDeadLetters');
  const QueueUrl = `${emulators.endpoints.sqs}/000000000000/${name}`;
  const client = new sqs.SQSClient({ endpoint: emulators.endpoints.sqs, region: 'us-east-1', credentials });
  const scheduler = newScheduler(0);
  const faults = newFaults({
    seed: 1,
    rates: {},
    now: scheduler.now,
    from: 0,
    until: 0,
    onStrike: () => undefined,
  });
  const doubles = newQueues(queueDefinitions(template), { scheduler, random: randomOf(1, 'queues'), faults });

  const run = async (
    call: (operation: string, input: Input) => Promise<Input>,
    pass: (ms: number) => Promise<void>,
  ) => {
    const seen: unknown[] = [];
    await call('SendMessageBatch', {
      QueueUrl,
      Entries: [
        { Id: '0', MessageBody: 'a' },
        { Id: '1', MessageBody: 'b' },
      ],
    });
    await call('SendMessage', { QueueUrl, MessageBody: 'late', DelaySeconds: 2 });
    await pass(100);
    const first = (await call('ReceiveMessage', { QueueUrl, MaxNumberOfMessages: 10, VisibilityTimeout: 1 }))
      .Messages as Input[];
    seen.push(first.map(({ Body }) => Body).sort());
    seen.push((await call('GetQueueAttributes', { QueueUrl, AttributeNames: ['All'] })).Attributes);
    seen.push((await call('ReceiveMessage', { QueueUrl })).Messages);
    await call('DeleteMessage', {
      QueueUrl,
      ReceiptHandle: first.find(({ Body }) => Body === 'a')?.ReceiptHandle,
    });
    await pass(2500);
    const again = (await call('ReceiveMessage', { QueueUrl, MaxNumberOfMessages: 10 })).Messages as Input[];
    seen.push(again.map(({ Body }) => Body).sort());
    for (const { ReceiptHandle } of again) await call('DeleteMessage', { QueueUrl, ReceiptHandle });
    seen.push((await call('ReceiveMessage', { QueueUrl })).Messages);
    return seen.map((it) => {
      if (typeof it !== 'object' || it === null || !('ApproximateNumberOfMessages' in it)) return it;
      const { ApproximateNumberOfMessages, ApproximateNumberOfMessagesNotVisible } = it as Input;
      return [ApproximateNumberOfMessages, ApproximateNumberOfMessagesNotVisible];
    });
  };
  const theirs = await run(
    async (operation, input) => {
      const Command = commandOf<typeof sqs.ReceiveMessageCommand>(sqs, operation);
      return (await client.send(new Command(input as never))) as unknown as Input;
    },
    (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  );
  const ours = await run(
    async (operation, input) => doubles.call(operation, input) as Input,
    (ms) => scheduler.runUntil(scheduler.now() + ms),
  );

  expect(ours).toEqual(theirs);
  // AWS refuses it, which not each release of fauxqs does.
  expect(() => doubles.call('SendMessage', { QueueUrl, MessageBody: 'x', DelaySeconds: 901 })).toThrow('901');
});

test('the objects are stored, read, listed and deleted as those of fauxqs', async () => {
  const Bucket = template.all('AWS::S3::Bucket')[0]?.name ?? '';
  const endpoint = emulators.endpoints.sqs;
  const client = new s3.S3Client({ endpoint, region: 'us-east-1', credentials, forcePathStyle: true });
  const doubles = newObjects(() => 0);
  const run = async (call: (operation: string, input: Input) => Promise<Input>) => {
    const seen: unknown[] = [];
    for (const Key of ['a/1', 'a/2', 'b/1'])
      await call('PutObject', {
        Bucket,
        Key,
        Body: Buffer.from(`body of ${Key}`),
        ContentType: 'text/plain',
      });
    type Stored = { Body: { transformToString: () => Promise<string> }; ContentType: string };
    const stored = (await call('GetObject', { Bucket, Key: 'a/2' })) as never as Stored;
    seen.push(await stored.Body.transformToString(), stored.ContentType);
    seen.push(await outcome(() => call('GetObject', { Bucket, Key: 'missing' })));
    seen.push(await outcome(() => call('HeadObject', { Bucket, Key: 'missing' })));
    await call('CopyObject', { Bucket, Key: 'c/1', CopySource: `${Bucket}/a/2` });
    const copy = (await call('GetObject', { Bucket, Key: 'c/1' })) as never as Stored;
    seen.push(await copy.Body.transformToString(), copy.ContentType);
    const missing = { Bucket, Key: 'c/2', CopySource: `${Bucket}/missing` };
    seen.push(await outcome(() => call('CopyObject', missing)));
    const list = async (Prefix: string) =>
      ((await call('ListObjectsV2', { Bucket, Prefix })).Contents as Input[] | undefined)?.map(
        ({ Key }) => Key,
      );
    seen.push(await list('a/'));
    await call('DeleteObjects', {
      Bucket,
      Delete: { Objects: [{ Key: 'a/1' }, { Key: 'missing' }], Quiet: true },
    });
    await call('DeleteObject', { Bucket, Key: 'b/1' });
    seen.push(await list('a/'), await list('b/'));
    return seen;
  };
  const theirs = await run(async (operation, input) => {
    const Command = commandOf<typeof s3.GetObjectCommand>(s3, operation);
    return (await client.send(new Command(input as never))) as unknown as Input;
  });
  const ours = await run(async (operation, input) => doubles.call(operation, input) as Input);

  expect(ours).toEqual(theirs);
});

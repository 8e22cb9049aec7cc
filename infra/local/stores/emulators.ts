/** Starts the stores in a process of their own, and makes the template's tables, queues and buckets if they do not exist. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import {
  CreateTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { CreateBucketCommand, HeadBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { CreateQueueCommand, SetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import * as v from 'valibot';
import type { Asked } from '../../cost/counts.ts';
import { type LocalResource, type LocalTemplate, region } from '../template.ts';

export type ToEmulators = 'asked' | 'stop';
export type Endpoints = { dynamodb: string; sqs: string };
export type FromEmulators =
  | 'locked'
  | { ready: Endpoints; kept: string[] }
  | { failed: string }
  | { asked: Asked }
  | { load: number };

export type Emulators = {
  endpoints: Endpoints;
  /** Bodies of the messages in the queues at the start, from a former process. */
  kept: string[];
  asked: () => Promise<Asked>;
  /** The load of the process, 0 to 1. */
  load: () => number;
  stop: () => Promise<void>;
};

export const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };

const endedUnexpectedly = 'The stores ended unexpectedly';

/**
 * Starts the emulators. Calls `locked` when no other process uses the folder, before any of its data is opened. Calls `died` with a
 * sentence if their process ends before `stop` is called. Throws if the folder is in use, or if a file in it cannot be used.
 */
export const startEmulators = async (
  dataDir: string,
  died: (reason: string) => void,
  locked: () => void = () => undefined,
): Promise<Emulators> => {
  // Without the flags of this process, because `--inspect` would use the same port twice.
  const child = fork(new URL('emulator-process.ts', import.meta.url), [dataDir], { execArgv: [] });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const send = (message: ToEmulators) => child.send(message);
  const gone = ended.then(() => Promise.reject(new Error(endedUnexpectedly)));
  // Avoids an unhandled rejection if the emulators end while no request waits for them.
  gone.catch(() => undefined);
  const answer = async (): Promise<FromEmulators> => {
    const [message] = await Promise.race([once(child, 'message'), gone]);
    return message;
  };
  let reason = endedUnexpectedly;
  const exited = () => died(reason);

  let first = await answer();
  if (first === 'locked') {
    const next = answer();
    locked();
    first = await next;
  }
  if (typeof first === 'string' || !('ready' in first)) {
    throw new Error(typeof first === 'object' && 'failed' in first ? first.failed : endedUnexpectedly);
  }
  let load = 0;
  const asking: ((asked: Asked) => void)[] = [];
  child.on('message', (message: FromEmulators) => {
    if (typeof message !== 'object') return;
    if ('failed' in message) reason = message.failed;
    if ('load' in message) load = message.load;
    if ('asked' in message) asking.shift()?.(message.asked);
  });
  child.once('exit', exited);

  return {
    endpoints: first.ready,
    kept: first.kept,
    asked: () => {
      const { promise, resolve } = Promise.withResolvers<Asked>();
      asking.push(resolve);
      send('asked');
      return Promise.race([promise, gone]);
    },
    load: () => load,
    stop: async () => {
      child.removeListener('exit', exited);
      const kill = setTimeout(() => child.kill('SIGKILL'), 3000);
      if (child.connected) send('stop');
      await ended;
      clearTimeout(kill);
    },
  };
};

const KeySchema = v.array(v.object({ AttributeName: v.string(), KeyType: v.picklist(['HASH', 'RANGE']) }));
const TableProperties = v.object({
  KeySchema,
  AttributeDefinitions: v.array(
    v.object({ AttributeName: v.string(), AttributeType: v.picklist(['S', 'N', 'B']) }),
  ),
  GlobalSecondaryIndexes: v.optional(
    v.array(
      v.object({
        IndexName: v.string(),
        KeySchema,
        Projection: v.object({
          ProjectionType: v.picklist(['ALL', 'KEYS_ONLY', 'INCLUDE']),
          NonKeyAttributes: v.optional(v.array(v.string())),
        }),
      }),
    ),
  ),
});

/** Keys and index names as text. The text is equal for two tables of the same shape. */
const shape = (table: { KeySchema?: unknown; GlobalSecondaryIndexes?: { IndexName?: string }[] }) =>
  JSON.stringify([table.KeySchema, table.GlobalSecondaryIndexes?.map((index) => index.IndexName).sort()]);

const makeTable = async (dynamo: DynamoDBClient, { name, properties }: LocalResource) => {
  const wanted = v.parse(TableProperties, properties);
  const found = await dynamo.send(new DescribeTableCommand({ TableName: name })).catch((error: unknown) => {
    if (error instanceof Error && error.name === 'ResourceNotFoundException') return null;
    throw error;
  });
  if (!found) {
    await dynamo.send(new CreateTableCommand({ TableName: name, BillingMode: 'PAY_PER_REQUEST', ...wanted }));
    // A table that is still being created refuses writes.
    const waiter = { client: dynamo, maxWaitTime: 60, minDelay: 0.02, maxDelay: 1 };
    await waitUntilTableExists(waiter, { TableName: name });
  } else if (shape(found.Table ?? {}) !== shape(wanted)) {
    throw new Error(`The table ${name} on disk has other keys or indexes than the stack. Remove DATA_DIR.`);
  }
};

const queueAttributes = [
  'VisibilityTimeout',
  'MessageRetentionPeriod',
  'DelaySeconds',
  'ReceiveMessageWaitTimeSeconds',
  'MaximumMessageSize',
  'RedrivePolicy',
];

const makeQueue = async (sqs: SQSClient, { name, properties }: LocalResource) => {
  const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName: name }));
  const attributes = queueAttributes
    .filter((key) => key in properties)
    .map((key): [string, string] => {
      const value = properties[key];
      return [key, typeof value === 'object' ? JSON.stringify(value) : String(value)];
    });
  if (attributes.length > 0) {
    await sqs.send(new SetQueueAttributesCommand({ QueueUrl, Attributes: Object.fromEntries(attributes) }));
  }
};

const makeBucket = async (s3: S3Client, { name }: LocalResource) => {
  const found = await s3.send(new HeadBucketCommand({ Bucket: name })).then(
    () => true,
    () => false,
  );
  if (!found) await s3.send(new CreateBucketCommand({ Bucket: name }));
};

/** Makes the missing tables, queues and buckets. Existing ones keep their rows, messages and objects. */
export const makeStores = async (template: LocalTemplate, endpoints: Endpoints): Promise<void> => {
  const dynamo = new DynamoDBClient({ endpoint: endpoints.dynamodb, region, credentials });
  const sqs = new SQSClient({ endpoint: endpoints.sqs, region, credentials });
  const s3 = new S3Client({ endpoint: endpoints.sqs, region, credentials, forcePathStyle: true });
  await Promise.all([
    ...template.all('AWS::DynamoDB::Table').map((table) => makeTable(dynamo, table)),
    ...template.all('AWS::SQS::Queue').map((queue) => makeQueue(sqs, queue)),
    ...template.all('AWS::S3::Bucket').map((bucket) => makeBucket(s3, bucket)),
  ]);
  for (const client of [dynamo, sqs, s3]) client.destroy();
};

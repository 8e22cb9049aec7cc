/** Makes the template's tables, queues and buckets if they do not exist. */
import {
  CreateTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { CreateBucketCommand, HeadBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { CreateQueueCommand, SetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import * as v from 'valibot';
import { type LocalResource, type LocalTemplate, region } from '../template.ts';
import { credentials, type Endpoints } from './emulators.ts';

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

/** The tables as requests to create them, with the names of the environment. */
import type { CreateTableCommandInput } from '@aws-sdk/client-dynamodb';
import { schemas, type TableSchema } from '../lib/store/schema.ts';

type Key = Pick<TableSchema, 'partitionKey' | 'sortKey'>;

const attributesOf = ({ partitionKey, sortKey }: Key) => (sortKey ? [partitionKey, sortKey] : [partitionKey]);

const keySchemaOf = (key: Key) =>
  attributesOf(key).map(({ name }, n) => ({
    AttributeName: name,
    KeyType: n === 0 ? ('HASH' as const) : ('RANGE' as const),
  }));

const createTableInput = ({ variable, indexes = [], ...key }: TableSchema): CreateTableCommandInput => ({
  TableName: process.env[variable],
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: [key, ...indexes].flatMap(attributesOf).map(({ name, type }) => ({
    AttributeName: name,
    AttributeType: type,
  })),
  KeySchema: keySchemaOf(key),
  ...(indexes.length > 0 && {
    GlobalSecondaryIndexes: indexes.map(({ name, projection, ...indexKey }) => ({
      IndexName: name,
      KeySchema: keySchemaOf(indexKey),
      Projection: { ProjectionType: projection },
    })),
  }),
});

export const tableInputs = (): CreateTableCommandInput[] =>
  Object.values<TableSchema>(schemas).map(createTableInput);

/**
 * Empty tables on loopback, a mocked queue that accepts every message, and the fetchers and the key of the
 * tokens of a new stack.
 */
import { once } from 'node:events';
import { CreateTableCommand, type CreateTableCommandInput, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import {
  GetQueueAttributesCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { mockClient } from 'aws-sdk-client-mock';
import dynalite from 'dynalite';
import { stopSigning } from '../infra/local/stores/unsigned-requests.ts';
import { defaultFetcherSettings } from '../lib/model/fetchers.ts';
import { schemas, type TableSchema } from '../lib/store/schema.ts';
import { callInProcess } from './tables-in-process.ts';

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

/** Creates all tables at the endpoint in `AWS_ENDPOINT_URL_DYNAMODB`. */
export const createTables = async (): Promise<void> => {
  const client = new DynamoDBClient({});
  for (const schema of Object.values<TableSchema>(schemas)) {
    await client.send(new CreateTableCommand(createTableInput(schema)));
  }
};

/** Starts the tables and sets their endpoint in the environment. Import the code under test after this. */
export const startTables = async () => {
  const server = dynalite({ createTableMs: 0 });
  // Node closes an idle connection after 5 s, and on a busy machine the SDK uses it at that moment.
  server.keepAliveTimeout = 75_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = (typeof address === 'object' && address?.port) || 0;
  const callOverHttp = callInProcess(server, port);
  process.env.AWS_ENDPOINT_URL_DYNAMODB = `http://127.0.0.1:${port}`;
  await stopSigning();
  await createTables();
  return {
    ...mockServices(),
    stop: async () => {
      callOverHttp();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};

/**
 * Replaces the other services: a queue that accepts every message, and the fetchers and the key of the tokens
 * of a new stack.
 */
export const mockServices = () => {
  const queue = mockClient(SQSClient);
  queue.on(SendMessageCommand).resolves({});
  queue.on(SendMessageBatchCommand).resolves({ Successful: [], Failed: [] });
  queue.on(GetQueueAttributesCommand).resolves({ Attributes: { ApproximateNumberOfMessages: '0' } });
  const parameters = mockClient(SSMClient);
  parameters.on(GetParameterCommand).resolves({ Parameter: { Value: defaultFetcherSettings } });
  const secrets = mockClient(SecretsManagerClient);
  secrets.on(GetSecretValueCommand).resolves({});
  secrets
    .on(GetSecretValueCommand, { SecretId: process.env.TOKEN_KEY_SECRET })
    .resolves({ SecretString: JSON.stringify({ kid: '1', key: 'k'.repeat(64) }) });
  return { queue, secrets };
};

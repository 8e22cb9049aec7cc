/** The tables on loopback and empty, and a queue that takes everything. */
import { once } from 'node:events';
import { CreateTableCommand, type CreateTableCommandInput, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SendMessageBatchCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import dynalite from 'dynalite';

const key = (AttributeName: string, KeyType: 'HASH' | 'RANGE' = 'HASH') => ({ AttributeName, KeyType });
const attribute = (AttributeName: string, AttributeType: 'N' | 'S') => ({ AttributeName, AttributeType });

const tables: CreateTableCommandInput[] = [
  {
    TableName: process.env.USERS_TABLE,
    AttributeDefinitions: [attribute('id', 'N'), attribute('key_hash', 'S')],
    KeySchema: [key('id')],
    GlobalSecondaryIndexes: [
      { IndexName: 'by-key', KeySchema: [key('key_hash')], Projection: { ProjectionType: 'ALL' } },
    ],
  },
  {
    TableName: process.env.TASKS_TABLE,
    AttributeDefinitions: [
      attribute('user_id', 'N'),
      attribute('id', 'N'),
      attribute('unfinished', 'S'),
      attribute('due_at', 'N'),
    ],
    KeySchema: [key('user_id'), key('id', 'RANGE')],
    GlobalSecondaryIndexes: [
      {
        IndexName: 'unfinished',
        KeySchema: [key('unfinished'), key('due_at', 'RANGE')],
        Projection: { ProjectionType: 'KEYS_ONLY' },
      },
    ],
  },
  {
    TableName: process.env.LIMITS_TABLE,
    AttributeDefinitions: [attribute('key', 'S')],
    KeySchema: [key('key')],
  },
  {
    TableName: process.env.SNAPSHOTS_TABLE,
    AttributeDefinitions: [attribute('snapshot_hash', 'S'), attribute('source', 'S')],
    KeySchema: [key('snapshot_hash'), key('source', 'RANGE')],
  },
  {
    TableName: process.env.ENGINES_TABLE,
    AttributeDefinitions: [attribute('engine', 'S')],
    KeySchema: [key('engine')],
  },
];

/** Starts the tables and names them in the environment: import the code under test after this. */
export const startTables = async () => {
  const server = dynalite({ createTableMs: 0 });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  process.env.AWS_ENDPOINT_URL_DYNAMODB = `http://127.0.0.1:${port}`;
  const client = new DynamoDBClient({});
  for (const table of tables) {
    await client.send(new CreateTableCommand({ BillingMode: 'PAY_PER_REQUEST', ...table }));
  }
  const queue = mockClient(SQSClient);
  queue.on(SendMessageCommand).resolves({});
  queue.on(SendMessageBatchCommand).resolves({ Successful: [], Failed: [] });
  return {
    queue,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};

/**
 * Empty tables on loopback, a mocked queue that accepts every message, and the fetchers and the key of the
 * tokens of a new stack.
 */
import { once } from 'node:events';
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
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
import { useMemoryTables } from './memory-tables.ts';
import { tableInputs } from './table-inputs.ts';
import { callInProcess } from './tables-in-process.ts';

/** Creates all tables at the endpoint in `AWS_ENDPOINT_URL_DYNAMODB`. */
export const createTables = async (): Promise<void> => {
  const client = new DynamoDBClient({});
  for (const input of tableInputs()) await client.send(new CreateTableCommand(input));
};

/** Starts empty tables in this process, for its document clients. */
export const startTables = async () => {
  const stop = useMemoryTables();
  return { ...mockServices(), stop: async () => stop() };
};

/**
 * Starts the tables as a service of DynamoDB, for processes that a test starts, and for tests of the SDK's
 * requests. Sets their endpoint in the environment: import the code under test after this.
 */
export const startTableService = async () => {
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

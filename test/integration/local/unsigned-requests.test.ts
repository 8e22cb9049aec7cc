/** The requests of the embedded stack to its stores have no computed signature. */
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { beforeAll, expect, test } from 'vitest';
import { credentials } from '../../../infra/local/stores/emulators.ts';
import { stopSigning } from '../../../infra/local/stores/unsigned-requests.ts';

const sent: Record<string, string>[] = [];
const options = {
  region: 'us-east-1',
  credentials,
  maxAttempts: 1,
  requestHandler: {
    handle: async ({ headers }: { headers: Record<string, string> }) => {
      sent.push(headers);
      throw new Error('not sent');
    },
  },
};

beforeAll(stopSigning);

test.each([
  ['DynamoDB', () => new DynamoDBClient(options).send(new GetItemCommand({ TableName: 'Things', Key: {} }))],
  [
    'SQS',
    () => new SQSClient(options).send(new SendMessageCommand({ QueueUrl: 'http://q', MessageBody: 'x' })),
  ],
  ['S3', () => new S3Client(options).send(new PutObjectCommand({ Bucket: 'files', Key: 'a', Body: 'x' }))],
  [
    'Step Functions',
    () => new SFNClient(options).send(new StartExecutionCommand({ stateMachineArn: 'arn' })),
  ],
])('a request to %s has a constant signature', async (_, send) => {
  sent.length = 0;
  await expect(send()).rejects.toThrow();

  expect(sent).toHaveLength(1);
  expect(sent[0]?.authorization).toMatch(/^AWS4-HMAC-SHA256 Credential=\w+\/none, .*, Signature=none$/);
});

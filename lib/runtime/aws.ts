/** The AWS clients, each made once a process. A bundle holds only the clients that its function imports. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SFNClient } from '@aws-sdk/client-sfn';
import { SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { setting } from './env.ts';

/*#__PURE__*/
export const dynamo = DynamoDBDocumentClient.from(new DynamoDBClient({}), {
  marshallOptions: { removeUndefinedValues: true },
});
export const sqs = /*#__PURE__*/ new SQSClient({});
export const secretsManager = /*#__PURE__*/ new SecretsManagerClient({});
export const s3 = /*#__PURE__*/ new S3Client({});
// StartSyncExecution prefixes its host with `sync-`, which no emulator's address has.
export const sfn = /*#__PURE__*/ new SFNClient({ disableHostPrefix: setting('AWS_ENDPOINT_URL') !== '' });

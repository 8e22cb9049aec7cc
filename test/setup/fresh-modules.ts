/**
 * For rungs whose files share workers: each file gets new modules of the project, real clients of AWS, and
 * the environment with which its worker has begun. Only packages and pure modules (`vitest.config.ts`) stay
 * loaded, which is most of the time that a worker needs to begin.
 */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SFNClient } from '@aws-sdk/client-sfn';
import { SQSClient } from '@aws-sdk/client-sqs';
import { SSMClient } from '@aws-sdk/client-ssm';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { vi } from 'vitest';

const worker: { environment?: NodeJS.ProcessEnv } & typeof globalThis = globalThis;

worker.environment ??= { ...process.env };
for (const name of Object.keys(process.env)) if (!(name in worker.environment)) delete process.env[name];
Object.assign(process.env, worker.environment);

vi.useRealTimers();
vi.restoreAllMocks();
// A mocked client (`aws-sdk-client-mock`) is a method of its class that is replaced for all files.
for (const { prototype } of [
  DynamoDBClient,
  DynamoDBDocumentClient,
  S3Client,
  SecretsManagerClient,
  SFNClient,
  SQSClient,
  SSMClient,
]) {
  const { send } = prototype as { send: { restore?: () => void } };
  send.restore?.();
}
vi.resetModules();

/**
 * The AWS clients, created once per process; those of S3 and of Secrets Manager are in files of their own. A
 * bundle contains only the clients that its function imports.
 */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SFNClient } from '@aws-sdk/client-sfn';
import { SQSClient } from '@aws-sdk/client-sqs';
import { SSMClient } from '@aws-sdk/client-ssm';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { setting } from './env.ts';
import { scope } from './scope.ts';
import { loggingSlowCalls } from './slow-call.ts';

const hasHeaders = (request: unknown): request is { headers: Record<string, string> } =>
  typeof request === 'object' && request !== null && 'headers' in request;

/**
 * Sends the task's trace in the request header, which SQS and Step Functions continue. The SDK would send the
 * trace of the invocation, which in a consumer is the trace of the batch. (Step Functions prefers the header
 * to the trace in the request itself.)
 */
const inTrace =
  <Args extends { request: unknown }, Answer>(next: (args: Args) => Answer) =>
  (args: Args): Answer => {
    const { trace } = scope();
    if (trace && hasHeaders(args.request)) args.request.headers['X-Amzn-Trace-Id'] = trace;
    return next(args);
  };

const makeTables = (): DynamoDBDocumentClient => {
  const client = new DynamoDBClient({});
  client.middlewareStack.use(loggingSlowCalls());
  return DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
};

const makeParameters = (): SSMClient => {
  const client = new SSMClient({});
  client.middlewareStack.use(loggingSlowCalls());
  return client;
};

const makeQueues = (): SQSClient => {
  const client = new SQSClient({});
  client.middlewareStack.use(loggingSlowCalls());
  client.middlewareStack.add(inTrace, { step: 'build' });
  return client;
};

const makeMachines = (): SFNClient => {
  // StartSyncExecution adds the host prefix `sync-`, which the addresses of emulators do not have.
  const client = new SFNClient({
    disableHostPrefix: setting('AWS_ENDPOINT_URL') !== '',
    // The SDK must not repeat a start whose answer is lost: the machine may be running. A refused start is
    // postponed by its consumer.
    maxAttempts: 1,
    // So there is no idle connection that AWS may have closed: without the repetition, the next start would
    // fail on it.
    requestHandler: { httpAgent: { keepAlive: false }, httpsAgent: { keepAlive: false } },
  });
  client.middlewareStack.use(loggingSlowCalls());
  client.middlewareStack.add(inTrace, { step: 'build' });
  return client;
};

export const dynamo = /*#__PURE__*/ makeTables();
export const sqs = /*#__PURE__*/ makeQueues();
export const ssm = /*#__PURE__*/ makeParameters();
export const sfn = /*#__PURE__*/ makeMachines();

/**
 * The S3 client, created once per process. It has its own file, so that code that rarely needs it can load it
 * on demand: loading it takes a quarter of a cold start.
 */
import { S3Client } from '@aws-sdk/client-s3';
import { loggingSlowCalls } from './slow-call.ts';

const makeObjects = (): S3Client => {
  const client = new S3Client({});
  client.middlewareStack.use(loggingSlowCalls());
  return client;
};

export const s3 = /*#__PURE__*/ makeObjects();

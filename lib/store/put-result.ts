/**
 * Stores results of tasks, compressed: up to 8 KB as an item beside the task's row, larger ones in S3 under
 * `results/`.
 */
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { TaskKey } from '../model/workflow.ts';
import { dynamo } from '../runtime/aws.ts';
import { durably } from '../runtime/crash.ts';
import { resource } from '../runtime/env.ts';
import { s3 } from '../runtime/s3.ts';
import { resultKey } from './partitions.ts';
import type { IdeasResult, ResultPointer, StoredResult } from './results.ts';

const bucket = resource('BUCKET');
const table = resource('TASKS_TABLE');

/** An item of 8 KB costs as much as an object in S3. */
const maxItemBytes = 8 * 1024;

/** An eighth smaller than with gzip, in nearly the same time. A higher quality takes ten times as long. */
const compression = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

/**
 * Stores a result under the key of its run, or of a later reading `parse`, so that a second write of the same
 * step changes nothing.
 */
export const putResult = async (
  { user_id, id, attempt, ttl }: TaskKey & { attempt: number; ttl: number },
  result: StoredResult | IdeasResult,
  parse = 0,
): Promise<ResultPointer> => {
  const bytes = await promisify(brotliCompress)(JSON.stringify(result), compression);
  if (bytes.byteLength <= maxItemBytes) {
    const Item = { ...resultKey({ user_id, id }, attempt, parse), bytes, ttl };
    const put = new PutCommand({ TableName: table, Item });
    await durably('store-result', () => dynamo.send(put));
    return { attempt, ...(parse > 0 && { parse }) };
  }
  const key = `results/${user_id}/${id}/${attempt}${parse > 0 ? `-${parse}` : ''}.json.br`;
  const put = new PutObjectCommand({
    Bucket: bucket,
    Key: key,
    Body: bytes,
    ContentType: 'application/json',
    ContentEncoding: 'br',
  });
  await durably('store-result', () => s3.send(put));
  return { key };
};

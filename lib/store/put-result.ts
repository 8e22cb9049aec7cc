/** Stores results of tasks, gzipped: up to 8 KB in the task's row, larger ones in S3 under `results/`. */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { durably } from '../runtime/crash.ts';
import { resource } from '../runtime/env.ts';
import { s3 } from '../runtime/s3.ts';
import type { ResultPointer, StoredResult } from './results.ts';

const bucket = resource('BUCKET');

/** The limit keeps rows small: writing a row of 25 KB twice would cost more than the rest of the task. */
const maxInlineBytes = 8 * 1024;

/** Stores a result under the key of its run, so that a second write of the same step changes nothing. */
export const putResult = async (
  userId: number,
  id: number,
  attempt: number,
  stored: StoredResult,
): Promise<ResultPointer> => {
  const bytes = await promisify(gzip)(JSON.stringify(stored));
  if (bytes.byteLength <= maxInlineBytes) return { bytes };
  const key = `results/${userId}/${id}/${attempt}.json.gz`;
  const put = new PutObjectCommand({
    Bucket: bucket,
    Key: key,
    Body: bytes,
    ContentType: 'application/json',
    ContentEncoding: 'gzip',
  });
  await durably('store-result', () => s3.send(put));
  return { key };
};

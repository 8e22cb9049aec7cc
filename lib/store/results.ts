/**
 * Results of tasks, gzipped: up to 8 KB in the task's row, above that in S3 under `results/` (a 25 KB row written twice
 * would cost more than the rest of the task).
 */
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import type { RawResult, TrackingResult } from '../model/result.ts';
import { s3 } from '../runtime/aws.ts';
import { durably } from '../runtime/crash.ts';
import { resource } from '../runtime/env.ts';

const bucket = resource('BUCKET');
const maxInlineBytes = 8 * 1024;

/** What is kept of a task's answer: the polled result, each page's own, and what only the webhook shows. */
export type StoredResult = {
  result: RawResult;
  /** The domain tracking shape; null where no domain is tracked. */
  tracking: TrackingResult | null;
  /** Results by page, for the pages that the task keeps, by page number. */
  pages: Record<string, RawResult>;
  total_results: string;
  search_time: number | null;
};

/** Where a result lies: in the row itself, or under a key. */
export type ResultPointer = { bytes: Uint8Array } | { key: string };

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
  await durably('store-result', () =>
    s3.send(
      new PutObjectCommand({
        Bucket: bucket,
        Key: key,
        Body: bytes,
        ContentType: 'application/json',
        ContentEncoding: 'gzip',
      }),
    ),
  );
  return { key };
};

export const readResult = async (row: { stored?: ResultPointer }): Promise<StoredResult | null> => {
  if (!row.stored) return null;
  const bytes = 'bytes' in row.stored ? row.stored.bytes : await readObject(row.stored.key);
  return JSON.parse((await promisify(gunzip)(bytes)).toString('utf8'));
};

const readObject = async (key: string): Promise<Uint8Array> => {
  const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
  if (!Body) throw new Error(`The stored result ${key} is empty`);
  return Body.transformToByteArray();
};

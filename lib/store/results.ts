/** Results of tasks as they are kept (`put-result.ts`), in the task's row or, the large ones, in S3. */
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { RawResult, TrackingResult } from '../model/result.ts';

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

const bytesOf = async (stored: ResultPointer): Promise<Uint8Array> => {
  if ('bytes' in stored) return stored.bytes;
  // Loaded late: most results need no S3, and every reader of one would wait for its client at a cold start.
  const { readObject } = await import('./result-object.ts');
  return readObject(stored.key);
};

export const readResult = async (row: { stored?: ResultPointer }): Promise<StoredResult | null> => {
  if (!row.stored) return null;
  return JSON.parse((await promisify(gunzip)(await bytesOf(row.stored))).toString('utf8'));
};

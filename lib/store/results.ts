/** Results of tasks as `put-result.ts` stores them: in the task's row, or in S3 if they are large. */
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { RawResult, TrackingResult } from '../model/result.ts';

/** The stored parts of a result: those that the API returns, those of each page, and those that only the webhook contains. */
export type StoredResult = {
  result: RawResult;
  /** The result of domain tracking; null if no domain is tracked. */
  tracking: TrackingResult | null;
  /** The results of each page that the task keeps, by page number. */
  pages: Record<string, RawResult>;
  total_results: string;
  search_time: number | null;
};

/** Where a result is stored: in the row itself, or in S3 under a key. */
export type ResultPointer = { bytes: Uint8Array } | { key: string };

const bytesOf = async (stored: ResultPointer): Promise<Uint8Array> => {
  if ('bytes' in stored) return stored.bytes;
  // Imported on demand: most results need no S3, but its client would slow down every cold start.
  const { readObject } = await import('./result-object.ts');
  return readObject(stored.key);
};

export const readResult = async (row: { stored?: ResultPointer }): Promise<StoredResult | null> => {
  if (!row.stored) return null;
  return JSON.parse((await promisify(gunzip)(await bytesOf(row.stored))).toString('utf8'));
};

/**
 * Results of tasks as `put-result.ts` stores them: as an item beside the task's row, or in S3 if they are
 * large.
 */
import { promisify } from 'node:util';
import { brotliDecompress, gunzip } from 'node:zlib';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { Metrics } from '../model/keyword-metrics.ts';
import type { RawResult, UnreadBlock } from '../model/result.ts';
import type { TrackingResult } from '../model/tracking-result.ts';
import type { TaskKey } from '../model/workflow.ts';
import { dynamo } from '../runtime/aws.ts';
import { resource } from '../runtime/env.ts';
import { resultKey } from './partitions.ts';
import { type Item, requireReadable, upgrading } from './version.ts';

const table = resource('TASKS_TABLE');

/**
 * The stored parts of a result: those that the API returns, those of each page, and those that only the
 * webhook contains.
 */
export type StoredResult = {
  result: RawResult;
  /** The result of domain tracking; null if no domain is tracked. */
  tracking: TrackingResult | null;
  /** The results of each page that the task keeps, by page number. */
  pages: Record<string, RawResult>;
  /** The blocks of each page that were not read. Absent in results of earlier releases. */
  unread_blocks?: Record<string, UnreadBlock[]>;
  total_results: string;
  search_time: number | null;
  /** Hosts of the first organic results (Reading 11). Absent in results that belong to a row of version 2. */
  top_10?: string[];
};

/** The stored result of a task of keyword ideas, as a source (`lib/provider/contract.ts`) reads it. */
export type IdeasResult = {
  ideas: {
    text: string;
    metrics: Metrics;
    concepts: { name: string; group: { name: string; type: string } }[];
  }[];
  devices: { device: string; searches: number | null }[];
};

/**
 * Where a result is stored: as the item of a run, or in S3 under a key. `parse`: the number of the later
 * reading of the pages that made the result; absent for that of the run.
 */
export type ResultPointer = { attempt: number; parse?: number } | { key: string };

const bytesOf = async (task: TaskKey, stored: ResultPointer): Promise<Uint8Array> => {
  if ('attempt' in stored) return readItem(task, stored);
  // Imported on demand: most results need no S3, but its client would slow down every cold start.
  const { readObject } = await import('./result-object.ts');
  return readObject(stored.key);
};

const readItem = async (
  task: TaskKey,
  { attempt, parse }: { attempt: number; parse?: number },
): Promise<Uint8Array> => {
  const get = new GetCommand({
    TableName: table,
    Key: resultKey(task, attempt, parse),
    ConsistentRead: true,
  });
  const { Item } = await dynamo.send(get);
  if (!Item) throw new Error(`The stored result of the task ${task.id} is gone`);
  return Item.bytes;
};

/**
 * Results of earlier releases are gzipped. No result begins so otherwise: the first byte means the size
 * of Brotli's window.
 */
const isGzipped = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

type Finished = TaskKey & { stored?: ResultPointer };

const toPresent = upgrading('result', []);

const readJson = async <Result>(row: Finished): Promise<Result | null> => {
  if (!row.stored) return null;
  const bytes = await bytesOf(row, row.stored);
  const text = await promisify(isGzipped(bytes) ? gunzip : brotliDecompress)(bytes);
  const parsed: Item = JSON.parse(text.toString('utf8'));
  requireReadable('result', Number(parsed.version ?? 1), { id: row.id });
  const { version, ...result } = toPresent(parsed);
  return result as Result;
};

export const readResult = (row: Finished): Promise<StoredResult | null> => readJson(row);

/** As `readResult`, for a task of keyword ideas. */
export const readIdeasResult = (row: Finished): Promise<IdeasResult | null> => readJson(row);

/** The results of a batch as one file. */
import { gzipSync } from 'node:zlib';
import type { ResultsHeaders, ResultsQuery } from '../model/batch.ts';
import { acceptsGzip } from '../model/content-coding.ts';
import { HttpError } from '../model/http-error.ts';
import { maxResultsFileBytes } from '../model/request-limits.ts';
import type { Account } from '../model/user.ts';
import type { V1Task } from '../model/v1-task.ts';
import type { V2Task } from '../model/v2-task.ts';
import { clock } from '../runtime/clock.ts';
import { inBatches } from '../runtime/in-parallel.ts';
import { readResult } from '../store/results.ts';
import type { SerpRow } from '../store/task-row.ts';
import { isFinal } from '../task/status.ts';
import { csvOf, jsonLines } from './forms.ts';
import { batchRows, findBatch } from './read-batch.ts';
import { v1TaskOf, v2TaskOf } from './view.ts';

/** Results that are read at a time. */
const readWidth = 25;

/** The task as GET returns it. The results of its pages are left out: they would repeat `result`. */
const shown = async (row: SerpRow, now: number): Promise<V2Task | V1Task> => {
  const stored = await readResult(row);
  if (row.api === 'v1') return v1TaskOf(row, stored, now);
  const task = v2TaskOf(row, stored, now);
  return { ...task, pages: task.pages.map((page) => ({ ...page, results: null })) };
};

/**
 * Makes the file and returns a URL that downloads it, in the order of the requests.
 * @throws HttpError 404 if the id is unknown, expired, or another user's; 409 if a task is not final; 413 if
 * the file would be too large.
 */
export const batchResultsUrl = async (
  user: Account,
  id: number,
  { query, headers }: { query: ResultsQuery; headers: ResultsHeaders },
  now = clock(),
): Promise<string> => {
  const { format, for: program } = query;
  const batch = await findBatch(user, id, now);
  const rows: SerpRow[] = [];
  for await (const some of batchRows(batch, now)) rows.push(...some);
  if (!rows.every(({ status }) => isFinal(status))) {
    throw new HttpError(409, 'Tasks of this batch are still running');
  }
  const parts: Buffer[] = [];
  let bytes = 0;
  for (const some of inBatches(rows, readWidth)) {
    const tasks = await Promise.all(some.map((row) => shown(row, now)));
    const part = Buffer.from(
      format === 'csv' ? csvOf(tasks, null, { header: parts.length === 0, for: program }) : jsonLines(tasks),
    );
    bytes += part.byteLength;
    if (bytes > maxResultsFileBytes) {
      throw new HttpError(413, 'The results of this batch are larger than 100 MB: read the tasks one by one');
    }
    parts.push(part);
  }
  const isGzipped = acceptsGzip(headers['accept-encoding']);
  const whole = Buffer.concat(parts);
  // Imported on demand: few requests of the area need S3, but its client would slow down the cold start of
  // all of them.
  const { putBatchResults } = await import('../store/batch-results.ts');
  return putBatchResults(batch, { format, body: isGzipped ? gzipSync(whole) : whole, isGzipped });
};

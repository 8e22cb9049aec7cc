/** Reads the stored pages of a finished task again: a new reader, old pages. */
import type { TaskKey } from '../model/workflow.ts';
import { clock } from '../runtime/clock.ts';
import { log } from '../runtime/log.ts';
import { putResult } from '../store/put-result.ts';
import { hasAllHtml } from '../store/read-html.ts';
import { readRow, replaceResult } from '../store/tasks.ts';
import { readPages } from './parse-task.ts';

/**
 * Replaces the result of a successful task by what the present reader reads from its stored pages. The task
 * keeps its status, and no webhook is sent. A repeated call reads the pages once more. Returns what was done,
 * or why the result was left alone. An `error` is final (Reading 1), so such a task is left alone too.
 */
export const parseAgain = async ({ user_id, id }: TaskKey, now = clock()): Promise<string> => {
  const row = await readRow(user_id, id, now);
  if (!row) return 'expired';
  if (row.status !== 'success') return `left alone: its status is ${row.status}`;
  const keys = row.pages.flatMap(({ html }) => (html ? [html] : []));
  if (!(await hasAllHtml(keys)))
    return 'left alone: a stored page has expired, or only a later release can read it';
  // The task's own `complete` may be false because of what the former reader has read.
  const recorded = { ...row, complete: (row.failure ?? null) === null };
  const { row: read, isCut, fault, stored } = await readPages(recorded);
  if (fault !== null) return `left alone: ${fault}`;
  if (isCut) return 'left alone: a page needs too much processor time';
  const parses = (row.parses ?? 0) + 1;
  const pointer = await putResult(row, stored, parses);
  // If the process dies here, the task keeps its former result.
  if (
    !(await replaceResult(row, { stored: pointer, parses, complete: read.complete, findings: read.findings }))
  ) {
    return 'left alone: it was changed meanwhile';
  }
  log.info('task parsed again', { engine: row.engine, parses });
  return 'parsed again';
};

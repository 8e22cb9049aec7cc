/** Pages of a user's tasks that fit into a response of Lambda. */
import { listPage } from '../access/cursor.ts';
import { fieldNames } from '../model/forms.ts';
import { maxTaskBytes, payloadBytes } from '../model/request-limits.ts';
import type { Account } from '../model/user.ts';
import type { V1Task } from '../model/v1-task.ts';
import type { V2Task } from '../model/v2-task.ts';
import { inBatches } from '../runtime/in-parallel.ts';
import { leaveOut } from '../runtime/later-release.ts';
import { readResult, type StoredResult } from '../store/results.ts';
import type { SerpRow } from '../store/task-row.ts';

/** The rest of a response, and the commas between the tasks. */
const envelopeBytes = 1000;

/**
 * A task without its result, if it would not fit into any page with it. `without`: the task's fields without
 * a result.
 */
export const fitting = <Task extends V1Task | V2Task>(task: Task, without: Partial<Task>): Task =>
  payloadBytes(task) + envelopeBytes <= maxTaskBytes
    ? task
    : {
        ...task,
        ...without,
        warnings: [
          ...task.warnings,
          'The result of this task is larger than 6 MB and is not shown here: receive it by webhook.',
        ],
      };

/** Fields of a task that are stored with its result. */
const fieldsOfResult = ['result', 'pages', 'top_10', 'total_results', 'search_time'];

/** Whether a list with these `fields` shows something of the results. Without, they are not read. */
const showsResults = (fields: string): boolean => {
  const names = fieldNames(fields);
  return names === null || fieldsOfResult.some((name) => names.has(name));
};

/** Results that are read at a time: each can have megabytes. */
const readWidth = 25;

/** What `listRows` has found. */
type Found = { rows: SerpRow[]; next: number | null };

/** The list's name with its filter, the `fields` of the request, and how a row and its result are shown. */
type Page<Task> = {
  list: string;
  fields: string;
  show: (row: SerpRow, stored: StoredResult | null) => Task;
};

/**
 * A page of a list with the first tasks that fit into a response of Lambda, at least one. The list continues
 * after the last one of them. A task whose result only a later release can read is left out.
 */
export const fittingPage = async <Task extends V1Task | V2Task>(
  user: Account,
  { rows, next }: Found,
  { list, fields, show }: Page<Task>,
) => {
  const hasResults = showsResults(fields);
  const items: Task[] = [];
  let bytes = envelopeBytes;
  for (const some of inBatches(rows, readWidth)) {
    const read = await Promise.allSettled(some.map((row) => (hasResults ? readResult(row) : null)));
    for (const [n, row] of some.entries()) {
      const stored = read[n];
      if (stored?.status === 'rejected') {
        leaveOut(stored.reason);
        continue;
      }
      const task = show(row, stored?.value ?? null);
      bytes += payloadBytes(task);
      if (bytes > maxTaskBytes) return listPage(user, list, items, items.at(-1)?.id ?? null);
      items.push(task);
    }
  }
  return listPage(user, list, items, next);
};

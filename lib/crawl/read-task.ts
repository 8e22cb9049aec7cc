/** Reads a user's task with its result. */
import { pageLink } from '../access/page-link.ts';
import type { EngineName } from '../model/engine.ts';
import { HttpError } from '../model/http-error.ts';
import { maxTaskBytes, payloadBytes } from '../model/request-limits.ts';
import type { Account } from '../model/user.ts';
import type { V1Task } from '../model/v1-task.ts';
import type { V2Task } from '../model/v2-task.ts';
import { clock } from '../runtime/clock.ts';
import { readProgress } from '../store/page-progress.ts';
import { readResult, type StoredResult } from '../store/results.ts';
import type { SerpRow } from '../store/task-row.ts';
import { readRow } from '../store/tasks.ts';
import { whenFinal } from '../task/wait.ts';
import { v1TaskOf, v2TaskOf } from './view.ts';

/**
 * The row of the user's task, and its result if there is one, when it is final or after `wait` seconds.
 * Throws as `readV2Task`.
 */
const find = async (user: Account, id: number, api: SerpRow['api'] | 'any', wait = 0) => {
  const read = await readRow(user.id, id);
  const isAsked = read && (api === 'any' || read.api === api);
  const row = isAsked ? await whenFinal(read, wait) : undefined;
  if (!row) throw new HttpError(404, 'Task not found');
  return { row: await withProgress(row), stored: await readResult(row) };
};

/** The row with the pages that wait for the browser, or are in it (Reading 2). */
const withProgress = async (row: SerpRow): Promise<SerpRow> => {
  if (row.status !== 'crawling') return row;
  const progressOf = await readProgress(row);
  return {
    ...row,
    pages: row.pages.map((page) => ({ ...page, status: progressOf(page.page) ?? page.status })),
  };
};

/**
 * Returns a task if it fits in a response of Lambda. Real pages give 1 MB at most. Ten pages of the largest
 * accepted size, 5 MB, could give 100 MB: a task of v2 has each result twice.
 */
const fitting = <Task>(task: Task, advice: string): Task => {
  if (payloadBytes(task) > maxTaskBytes) {
    throw new HttpError(413, `The result of this task is larger than 6 MB: ${advice}`);
  }
  return task;
};

const withLinks = (user: Account, row: SerpRow, stored: StoredResult | null): V2Task =>
  v2TaskOf(row, stored, clock(), (html) => pageLink(row.base_url, html, user, row.ttl));

/**
 * Returns the user's task of either version in the form of v2, with the engine, when it is final or after
 * `wait` seconds. Throws HttpError 404 as `readV2Task`.
 */
export const readSearch = async (
  user: Account,
  id: number,
  wait?: number,
): Promise<V2Task & { engine: EngineName }> => {
  const { row, stored } = await find(user, id, 'any', wait);
  return { ...withLinks(user, row, stored), engine: row.engine };
};

/**
 * Returns the user's task of v2, with its result if there is one, when it is final or after `wait` seconds.
 * @throws HttpError 404 if the id is unknown, expired, another user's or of v1 (Readings 10 and 13); 413 if
 * the task does not fit in a response of Lambda.
 */
export const readV2Task = async (
  user: Account,
  id: number,
  wait?: number,
  fields: ReadonlySet<string> | null = null,
): Promise<V2Task> => {
  const { row, stored } = await find(user, id, undefined, wait);
  const task = withLinks(user, row, stored);
  return fitting(
    fields ? withoutRepeated(task, fields) : task,
    'search with a smaller depth, or receive it by webhook',
  );
};

/**
 * The fields of a task that a request has named. The results of its pages are left out where `result` has
 * them already.
 */
const withoutRepeated = (task: V2Task, fields: ReadonlySet<string>): V2Task => {
  const hasResult = fields.has('result') && !task.domain;
  return {
    ...task,
    result: fields.has('result') ? task.result : null,
    pages: fields.has('pages')
      ? task.pages.map((page) => (hasResult ? { ...page, results: null } : page))
      : [],
  };
};

/** As `readV2Task`, for a task of v1. */
export const readV1Task = async (user: Account, id: number, wait?: number): Promise<V1Task> => {
  const { row, stored } = await find(user, id, 'v1', wait);
  return fitting(v1TaskOf(row, stored), 'receive it by webhook');
};

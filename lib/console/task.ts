/** What the console shows of a task, whatever its version. */

import type { RawResult, ResultItem } from '../model/result.ts';
import type { TrackingResult } from '../model/tracking-result.ts';
import type { V1Task } from '../model/v1-task.ts';
import type { V2Task } from '../model/v2-task.ts';
import { call } from './session.ts';

export type Api = 'v1' | 'v2';
export type AnyTask = V2Task | V1Task;

const finals = new Set(['success', 'error', 'dead_letter', 'completed']);

export const isFinal = ({ status }: Pick<AnyTask, 'status'>): boolean => finals.has(status);

export const taskPath = (api: Api, id: number | string): string => `api/${api}/serp/crawl/${id}`;

/** Milliseconds between two reads of a task that is not final: more for a task that waits for long. */
export const pollMs = ({ created_at }: Pick<AnyTask, 'created_at'>): number =>
  Math.min(15_000, Math.max(700, (Date.now() / 1000 - created_at) * 100));

export const readTask = (api: Api, id: number | string, signal?: AbortSignal): Promise<AnyTask> =>
  call<AnyTask>(taskPath(api, id), signal ? { signal } : {});

/** `left` is the main column. A tracked domain has no such name, because it has a dot. */
const isRaw = (result: AnyTask['result']): result is RawResult =>
  result !== null && 'left' in result && Array.isArray(result.left);

export type PageOfTask = {
  page: number;
  status: string;
  url: string;
  retries: number;
  /** Whether the HTML can be read. */
  isStored: boolean;
  items: ResultItem[];
};

const itemsOf = (result: RawResult | null): ResultItem[] => (result ? [...result.left, ...result.right] : []);

/** The pages of a task. A task of v1 shows its first page only. */
export const pagesOf = (task: AnyTask): PageOfTask[] => {
  if ('pages' in task) {
    return task.pages.map(({ page, status, url, retry_count, html, results }) => ({
      page,
      status: status ?? 'awaiting',
      url,
      retries: retry_count ?? 0,
      isStored: html !== '',
      items: itemsOf(results ?? (task.pages.length === 1 && isRaw(task.result) ? task.result : null)),
    }));
  }
  return [
    {
      page: 1,
      status: task.html_key ? 'success' : task.status,
      url: task.engine_check_url,
      retries: 0,
      isStored: Boolean(task.html_key),
      items: isRaw(task.result) ? itemsOf(task.result) : [],
    },
  ];
};

/** The positions of domains; null if the task tracks none, or has no result. */
export const rankingsOf = ({ result, domain }: AnyTask): TrackingResult | null =>
  domain && result && !isRaw(result) && Object.keys(result).length > 0 ? (result as TrackingResult) : null;

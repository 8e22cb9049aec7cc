/** The items of a search that has ended, or the reason why there are none. Pure. */
import { type EngineName, engines } from '../model/engine.ts';
import { HttpError } from '../model/http-error.ts';
import type { ResultItem } from '../model/result.ts';
import type { V2Task } from '../model/v2-task.ts';
import { siteRules } from '../serp/sites.ts';
import { distinct } from './present.ts';

/** Which results of a search are meant. */
export type Window = {
  engine: EngineName;
  /** How many results are wanted, and how many of the first ones are not. */
  size: number;
  from: number;
};

/** A task that has ended, and the items of the pages that were asked for. */
export type Found = {
  task: V2Task;
  engine: EngineName;
  /** What the engine ranks, such as web results, as many as were asked for. */
  organic: ResultItem[];
  /** All items of both columns. */
  left: ResultItem[];
  right: ResultItem[];
};

/** All items of both columns of some kinds, in page order. */
export const ofKinds = ({ left, right }: Found, ...kinds: ResultItem['type'][]): ResultItem[] =>
  [...left, ...right].filter(({ type }) => kinds.includes(type));

/** The related searches, each once. */
export const relatedIn = (found: Found): string[] =>
  distinct(ofKinds(found, 'related_search').flatMap(({ items = [] }) => items));

/** The word of a verdict, or of another cause of a failure (Reading 4). */
export const causeOf = ({ error_message }: Pick<V2Task, 'error_message'>): string =>
  /^[a-z_]+(?=:)/.exec(error_message ?? '')?.[0] ?? 'machinery';

/** The pages of a task that have the results of a window. */
const pagesIn = ({ pages }: V2Task, { engine, size, from }: Window): V2Task['pages'] => {
  const perPage = engines[engine].resultsPerPage;
  return pages.slice(Math.floor(from / perPage), Math.ceil((from + size) / perPage));
};

/** A sentence for each of these pages that failed, if the search itself did not. */
export const unreadIn = (task: V2Task, window: Window): string[] =>
  (task.status === 'success' ? pagesIn(task, window) : [])
    .filter(({ status }) => status === 'failed')
    .map(({ page }) => `Page ${page} was not read: its results are absent.`);

/** The statuses of failures: the engine refused, or it did not answer in time. */
const statusOf = (task: V2Task): number => (['timeout', 'throttled'].includes(causeOf(task)) ? 504 : 502);

/**
 * The items of the pages that were asked for.
 * @throws HttpError 502 or 504 with the verdict and these headers, if the search, or the first of these
 * pages, has no result.
 */
export const foundIn = (
  task: V2Task & { engine: EngineName },
  { size, from }: Omit<Window, 'engine'>,
  headers: Record<string, string> = {},
): Found => {
  const { engine } = task;
  const refuse = (sentence: string): never => {
    // A search can have results on other pages than those that were asked for.
    const verdict = { 'x-search-verdict': causeOf({ error_message: sentence }) };
    throw new HttpError(statusOf(task), sentence, { ...headers, ...verdict });
  };
  if (task.status !== 'success') refuse(task.error_message ?? 'machinery: the search failed');
  const perPage = engines[engine].resultsPerPage;
  const first = Math.floor(from / perPage);
  const asked = pagesIn(task, { engine, size, from });
  if (asked[0] && !asked[0].results) refuse(`unresolved: page ${asked[0].page} was not read`);
  const pages = asked.flatMap(({ results }) => (results ? [results] : []));
  const left = pages.flatMap((each) => each.left);
  const organic = left
    .filter(({ type }) => type === siteRules[engine].ranked)
    .slice(from - first * perPage)
    .slice(0, size);
  return { task, engine, organic, left, right: pages.flatMap((each) => each.right) };
};

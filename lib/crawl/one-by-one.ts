/** Which tasks have their pages fetched one after another. */
import { hasContinuations } from '../serp/address.ts';
import type { SerpRow } from '../store/task-row.ts';

/**
 * Reading 43: such a task ends at the page on which its owner is found. Without `domain`, there is no owner.
 */
export const stopsOnMatch = ({ stop_on_match, domain }: SerpRow): boolean =>
  Boolean(stop_on_match) && Boolean(domain);

/**
 * Whether each page of the task is fetched after the page before it, which may end the crawl or has the token
 * for the next page. The pages of other tasks are fetched in parallel.
 */
export const isOneByOne = (row: SerpRow): boolean => stopsOnMatch(row) || hasContinuations(row.engine);

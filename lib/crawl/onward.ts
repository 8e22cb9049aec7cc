/** How a run whose pages are fetched one after another goes on after a page. */
import type { AnsweredPage } from '../model/workflow.ts';
import { clock } from '../runtime/clock.ts';
import { readers } from '../serp/reader.ts';
import { showsSite } from '../serp/tracking.ts';
import type { SerpRow } from '../store/task-row.ts';
import { runSeconds } from '../task/timing.ts';
import { isOneByOne, stopsOnMatch } from './one-by-one.ts';
import { parsePage } from './parse-page.ts';

/**
 * After so much of its time, a run fetches the rest of its pages at once. All of its pages fit in the rest of
 * its time.
 */
const oneByOneSeconds = 100;

/** Whether the stored page shows the tracked domain, as ParseTask will read it. */
const showsOwner = async (row: SerpRow, page: AnsweredPage): Promise<boolean> => {
  const parsed = await parsePage(row, page);
  return parsed !== undefined && showsSite(parsed, row.domain ?? '', readers[row.engine].sites);
};

/**
 * Adds to a page that leads to further ones how the run goes on (Reading 43): not at all if the page shows
 * the tracked domain, and with all further pages at once, by their URLs, if the run is late.
 */
export const withOnward = async (row: SerpRow, page: AnsweredPage, now = clock()): Promise<AnsweredPage> => {
  if (!isOneByOne(row) || page.outcome !== 'fetched' || !page.has_next) return page;
  if (stopsOnMatch(row) && (await showsOwner(row, page))) return { ...page, onward: 'stop' };
  return row.lease_until - now < runSeconds - oneByOneSeconds ? { ...page, onward: 'all' } : page;
};

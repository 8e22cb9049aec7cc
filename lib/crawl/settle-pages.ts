/** Decides which pages of a run count, and whether the result is complete (Readings 5 and 6). Pure. */
import type { FetchedPage } from '../model/workflow.ts';
import type { SerpRow } from '../store/task-row.ts';
import { blockReason } from './block-reason.ts';

type RowPage = SerpRow['pages'][number];

/** Whether a page was read when it was fetched. */
export const isFetched = ({ status }: RowPage): boolean => status === 'success' || status === 'parsed';

type SettledPages = {
  /** The task's pages from now on, without the planned pages that the engine does not have. */
  pages: RowPage[];
  /**
   * Numbers of the pages that the result is built from: those before the first failed one, and up to one that
   * shows the owner (Reading 43).
   */
  counted: number[];
  /** The first failed page, which ends the result; null if every page that the request asks for was read. */
  failed: FetchedPage | null;
};

const pageAfter = (planned: RowPage, fetched: FetchedPage | undefined): RowPage => ({
  ...planned,
  // A page that was not fetched, because the first page failed, has failed too.
  status: fetched?.outcome === 'fetched' ? 'success' : 'failed',
  retry_count: Math.max(0, (fetched?.fetches ?? 0) - 1),
  html: fetched?.html ?? '',
});

/**
 * Goes through the planned pages in order until the engine has no more. Pages after a failed one do not
 * count, nor do pages after one that ends the crawl: if they were not fetched, they stay `awaiting`.
 */
export const settlePages = (planned: readonly RowPage[], fetched: readonly FetchedPage[]): SettledPages => {
  const byNumber = new Map(fetched.map((page) => [page.page, page]));
  const settled: SettledPages = { pages: [], counted: [], failed: null };
  let more = true;
  let stopped = false;
  for (const page of planned) {
    const got = byNumber.get(page.page);
    const isRead = got?.outcome === 'fetched';
    // The engine has no more pages if this one says that nothing was found, or if the last page that was read
    // links to no next page and this one was not read.
    if (page.page > 1 && (isRead ? got.verdict === 'empty' : !more)) break;
    if (stopped) {
      settled.pages.push(got ? pageAfter(page, got) : { ...page, status: 'awaiting' });
      continue;
    }
    settled.pages.push(pageAfter(page, got));
    if (isRead && !settled.failed) settled.counted.push(page.page);
    if (!isRead) settled.failed ??= got ?? null;
    more = isRead ? got.has_next : more;
    stopped = isRead && got.onward === 'stop' && !settled.failed;
  }
  return settled;
};

/**
 * The row without a page that was read when it was fetched, and cannot be read now, and without those behind
 * it, which are not tried: as if their fetches had failed (Reading 6).
 */
export const withoutPagesFrom = (row: SerpRow, page: number): SerpRow => {
  const pages = row.pages.map((each) =>
    each.page >= page && isFetched(each) ? { ...each, status: 'failed' as const } : each,
  );
  const counted = row.counted ?? [];
  return counted.includes(page)
    ? {
        ...row,
        pages,
        counted: counted.slice(0, counted.indexOf(page)),
        complete: false,
        failure: blockReason('unknown_layout'),
      }
    : { ...row, pages };
};

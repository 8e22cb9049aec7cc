/** Which pages of a run count, and whether they are all there is (Readings 5 and 6). Pure. */
import type { FetchedPage } from '../model/workflow.ts';
import type { SerpRow } from '../store/task-row.ts';

type RowPage = SerpRow['pages'][number];

export type SettledPages = {
  /** The task's pages from here on: planned ones that the engine turned out not to have are dropped. */
  pages: RowPage[];
  /** Numbers of the pages that the result is built from: those before the first failed one. */
  counted: number[];
  /** The first failed page, which ends the result; null where every planned page was read. */
  failed: FetchedPage | null;
};

const pageAfter = ({ links, ...planned }: RowPage, fetched: FetchedPage | undefined): RowPage => ({
  ...planned,
  // A page that no one came to fetch, because the first one failed, has failed with it.
  status: fetched?.outcome === 'fetched' ? 'success' : 'failed',
  retry_count: Math.max(0, (fetched?.fetches ?? 0) - 1),
  html: fetched?.html ?? '',
  ...(fetched?.links && { links: true }),
});

/** Goes through the pages in order until the engine has no more of them, or one has failed. */
export const settlePages = (planned: readonly RowPage[], fetched: readonly FetchedPage[]): SettledPages => {
  const byNumber = new Map(fetched.map((page) => [page.page, page]));
  const settled: SettledPages = { pages: [], counted: [], failed: null };
  let more = true;
  for (const page of planned) {
    const got = byNumber.get(page.page);
    const isRead = got?.outcome === 'fetched';
    // The engine ends where a page says that nothing was found, or where the last one links no further and no results
    // contradict it.
    if (page.page > 1 && (isRead ? got.verdict === 'empty' : !more)) break;
    settled.pages.push(pageAfter(page, got));
    if (isRead && !settled.failed) settled.counted.push(page.page);
    if (!isRead) settled.failed ??= got ?? null;
    more = isRead ? got.has_next : more;
  }
  return settled;
};

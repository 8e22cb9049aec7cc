/**
 * Result reuse (Reading 14): which stored pages answer a task without a crawl, and which pages are stored for
 * later tasks.
 */

import { sourceName } from '../fetcher/choose.ts';
import { identityFor } from '../fetcher/identity.ts';
import type { RawResult } from '../model/result.ts';
import { hasHiddenAddress, hasUnknownHost, type SiteRules } from '../serp/tracking.ts';
import { putSnapshot, readSnapshot, type Snapshot } from '../store/snapshots.ts';
import type { SerpRow } from '../store/task-row.ts';
import { reuseSeconds } from './reuse-seconds.ts';

/** The snapshot that answers this task at `now`; undefined if the task must be crawled. */
export const findSnapshot = async (row: SerpRow, now: number): Promise<Snapshot | undefined> => {
  const seconds = reuseSeconds(row.engine, row.frequency);
  if (seconds === 0) return undefined;
  const key = { snapshot_hash: row.snapshot_hash, source: sourceName(row.engine) };
  const snapshot = await readSnapshot(key, now);
  if (!snapshot || snapshot.crawled_at + seconds <= now) return undefined;
  if (row.domain && !snapshot.fit_for_tracking) return undefined;
  // Imported on demand: most tasks of a request have no snapshot, but the client of S3 would slow down every
  // cold start of the API.
  const { hasAllHtml } = await import('../store/read-html.ts');
  // The snapshot and its pages do not expire at the same moment.
  return (await hasAllHtml(snapshot.pages.map(({ html }) => html))) ? snapshot : undefined;
};

/** The changes that make a snapshot the pages of a task, as if its own run had fetched them. */
export const reusedChanges = (row: SerpRow, snapshot: Snapshot) => {
  const kept = new Map(snapshot.pages.map((page) => [page.page, page]));
  return {
    pages: row.pages.flatMap((planned) => {
      const page = kept.get(planned.page);
      return page ? [{ ...planned, ...page, status: 'success' as const, retry_count: 0 }] : [];
    }),
    crawled_at: snapshot.crawled_at,
    reused: true,
    complete: true,
    counted: snapshot.counted,
    failure: null,
    nothing_found: snapshot.nothing_found,
    ...(row.api === 'v1' && { user_agent: snapshot.user_agent }),
  };
};

/**
 * Stores the pages of a successful task for later tasks. Partial results (Readings 6 and 43) and reused ones
 * are not stored. `sites`: what the engine ranks, if it is not web results.
 */
export const keepSnapshot = async (row: SerpRow, result: RawResult, sites?: SiteRules): Promise<void> => {
  if (row.reused || !row.complete || !row.source || !row.counted) return;
  if (row.counted.length < row.pages.length) return;
  await putSnapshot({
    snapshot_hash: row.snapshot_hash,
    source: row.source,
    crawled_at: row.crawled_at,
    pages: row.pages.map(({ url, status, retry_count, ...page }) => page),
    counted: row.counted,
    nothing_found: row.nothing_found ?? false,
    // What the upstream provider sends to the engine is not known.
    ...(!row.upstream_id && { user_agent: identityFor(row.device, row.language_code).userAgent }),
    // Hidden links may be looked up for tracking only (`RESOLVE_LINKS`), so a raw search may know fewer
    // targets.
    fit_for_tracking:
      !hasUnknownHost(result, sites) && (row.domain ? true : !hasHiddenAddress(result, sites)),
  });
};

/** The second half of a run: reads the stored pages and writes the task's final state. */
import type { ParsedPage } from '../model/parsed-page.ts';
import type { RawResult } from '../model/result.ts';
import type { TaskStatus } from '../model/task-status.ts';
import type { BlockSignal, ChosenFetcher, FetchedPage, TaskKey } from '../model/workflow.ts';
import { clock } from '../runtime/clock.ts';
import type { Measured } from '../runtime/metrics.ts';
import { mergePages, topTen } from '../serp/merge.ts';
import { readers } from '../serp/reader.ts';
import {
  couldBeHidden,
  countRanked,
  foundAll,
  hasUnknownHost,
  showsSite,
  type TrackingRequest,
  trackDomains,
} from '../serp/tracking.ts';
import { putResult } from '../store/put-result.ts';
import type { StoredResult } from '../store/results.ts';
import type { SerpRow } from '../store/task-row.ts';
import { moveRow, readRow } from '../store/tasks.ts';
import { batchOf, finalChanges, logEnd, waitingDelivery } from '../task/final-write.ts';
import { isFinal, statesBefore } from '../task/status.ts';
import { blockSignalOf } from './block-signal.ts';
import { findingsOf } from './findings.ts';
import { lastingPages } from './lasting-pages.ts';
import { stopsOnMatch } from './one-by-one.ts';
import { type KnownPage, parsePages } from './parse-page.ts';
import { keepSnapshot } from './reuse.ts';
import { isFetched, settlePages, withoutPagesFrom } from './settle-pages.ts';

/**
 * `final`: the task has ended, and `delivery` is to be queued if it is not null. `throttled`: a later run
 * must fetch the pages, and the task keeps its state. `refused`: the same, because a step met back-pressure.
 * `upstream`: the provider `next` gets the search. `stale`: another run holds the task.
 */
export type ParsedTask = TaskKey & {
  /** The run that has ended. */
  attempt: number;
  outcome: 'final' | 'throttled' | 'refused' | 'upstream' | 'stale';
  delivery: string | null;
  /** The batch to check after the end of the task; absent if there is none. */
  batch_id?: number;
  met: BlockSignal;
  next?: ChosenFetcher;
};

/**
 * `byProvider`: the upstream provider fetched the pages, so they say nothing about how the engine treats the
 * service.
 */
type Run = TaskKey & { attempt: number; byProvider?: boolean | undefined };

/**
 * Adds the stored pages of a run that gets no result to the task, so that they can be seen if nothing else is
 * fetched.
 */
const keepEvidence = async (row: SerpRow, fetched: readonly FetchedPage[]): Promise<void> => {
  const htmlByPage = new Map(fetched.map(({ page, html }) => [page, html]));
  const pages = row.pages.map((page) => ({ ...page, html: htmlByPage.get(page.page) || page.html }));
  await moveRow(row, { from: ['crawling'], attempt: row.attempt }, { pages });
};

/** The states of a task whose pages are fetched, by the service or by the provider. */
const fetchingStates: TaskStatus[] = ['crawling', 'awaiting_webhook'];

/**
 * The provider, if one of the pages is left to it. It then gets the whole search, so that all pages are of
 * one moment.
 */
const handedTo = (fetched: readonly FetchedPage[]): ChosenFetcher | undefined =>
  fetched.find(({ outcome }) => outcome === 'upstream')?.next;

/**
 * Records the pages that the run fetched. Returns the updated row, or the reason why the run cannot go on.
 */
const recordFetched = async (
  run: Run,
  fetched: readonly FetchedPage[],
  row: SerpRow | undefined,
): Promise<SerpRow | 'throttled' | 'refused' | 'upstream' | 'stale'> => {
  if (row?.attempt !== run.attempt) return 'stale';
  // The step ran before, or this run continues one that died: the row has the pages already.
  if (row.status === 'parsing' || isFinal(row.status)) return row;
  if (!fetchingStates.includes(row.status)) return 'stale';
  if (handedTo(fetched)) {
    if (fetched.some(({ html }) => html !== '')) await keepEvidence(row, fetched);
    return 'upstream';
  }
  const { pages, counted, failed } = settlePages(row.pages, fetched);
  // No page is at fault, so no partial result is built from the other pages: a later run fetches all of them.
  if (failed?.outcome === 'refused') return 'refused';
  if (failed?.outcome === 'throttled') {
    await keepEvidence(row, fetched);
    return 'throttled';
  }
  const changes: Partial<SerpRow> = {
    status: 'parsing',
    pages,
    crawled_at: Math.max(0, ...fetched.map((page) => page.fetched_at)),
    complete: !failed,
    counted,
    failure: failed?.reason ?? null,
    nothing_found: fetched.some((page) => page.page === 1 && page.verdict === 'empty'),
  };
  const moved = await moveRow(row, { from: [row.status], attempt: run.attempt }, changes);
  return moved ? { ...row, ...changes } : 'stale';
};

const readStored = async (row: SerpRow, known?: KnownPage): ReturnType<typeof parsePages> => {
  const { parsed, ...rest } = await parsePages(row, row.pages.filter(isFetched), known);
  // Reading 7: if nothing was found, both arrays are empty, whatever else the page offers.
  if (row.nothing_found)
    for (const [page, each] of parsed) parsed.set(page, { ...each, left: [], right: [] });
  return { parsed, ...rest };
};

/** The tracking settings of a task; null in raw mode. An empty `domain` means none, because forms send it. */
const trackingOf = (row: SerpRow): TrackingRequest | null =>
  row.domain
    ? {
        domain: row.domain,
        competitors: row.competitors,
        business_name: row.business_name,
        keyword_id: row.keyword_id,
      }
    : null;

/** Reading 43: whether the crawl ended before the depth, because its last page shows the owner. */
const endedEarly = (row: SerpRow, result: RawResult): boolean =>
  stopsOnMatch(row) &&
  !row.failure &&
  (row.counted?.length ?? 0) < row.pages.length &&
  countRanked(result, readers[row.engine].sites) < row.depth;

/** Reading 6: why the task must end in `error` despite its pages; null if the result is valid. */
const faultOf = (row: SerpRow, result: RawResult, tracked: TrackingRequest | null): string | null => {
  if (row.counted?.length === 0) return row.failure ?? 'machinery: no page was fetched';
  const { sites } = readers[row.engine];
  if (!tracked || foundAll(result, tracked, sites)) return null;
  if (row.failure) return row.failure;
  if (endedEarly(row, result)) {
    return showsSite(result, tracked.domain, sites)
      ? null
      : 'unresolved: the crawl ended at a page on which the domain is not found any more';
  }
  // Rank 1000 claims that a domain is not in the results. This is uncertain while a result of an unknown
  // address could be the domain's.
  if (!couldBeHidden(result, tracked, sites)) return null;
  return hasUnknownHost(result, sites)
    ? 'unresolved: the host of a result is hidden, and a missing domain may be behind it'
    : 'unresolved: the address of a result is hidden, and a missing path may be behind it';
};

/** What the pages of a task say, and why they give no valid result; null if they do. */
type ReadPages = {
  /** The row, with `complete` and the pages as reading has shown them. */
  row: SerpRow;
  /** Whether a page needs too much processor time to be read. */
  isCut: boolean;
  fault: string | null;
  result: RawResult;
  stored: StoredResult;
  /** The pages that the result is built from. */
  counted: ParsedPage[];
};

/** Reads the stored pages of a task whose row names them, with the present readers. */
export const readPages = async (of: SerpRow, known?: KnownPage): Promise<ReadPages> => {
  const { parsed, endless } = await readStored(of, known);
  const recorded = endless === undefined ? of : withoutPagesFrom(of, endless);
  const first = parsed.get(1);
  const { sites } = readers[recorded.engine];
  const counted = (recorded.counted ?? []).flatMap((page) => parsed.get(page) ?? []);
  // Reading 5: v1 has no depth, so its result has everything that its pages have.
  const result = mergePages(counted, recorded.api === 'v1' ? Infinity : recorded.depth, sites);
  // Results for other words or in another language are not what was asked for (Readings 4 and 7).
  const findings = findingsOf(recorded, counted);
  const row = {
    ...recorded,
    complete: recorded.complete && findings.length === 0,
    findings: findings.length > 0 ? findings : undefined,
  };
  const tracked = trackingOf(row);
  const fault = faultOf(row, result, tracked);
  const stored = {
    result,
    tracking:
      tracked && fault === null ? trackDomains(result, tracked, sites, endedEarly(row, result)) : null,
    pages: Object.fromEntries([...parsed].map(([page, { left, right }]) => [page, { left, right }])),
    unread_blocks: Object.fromEntries([...parsed].map(([page, { unread_blocks }]) => [page, unread_blocks])),
    total_results: first?.total_results ?? '',
    search_time: first?.search_time ?? null,
    top_10: topTen(result, sites),
  };
  return { row, isCut: endless !== undefined, fault, result, stored, counted };
};

/** The lookups of hidden links in a run, as metrics; none if there was nothing to look up. */
const lookupsOf = (fetched: readonly FetchedPage[]): Measured => {
  const sum = (counts: (number | undefined)[]) =>
    counts.reduce<number>((total, count) => total + (count ?? 0), 0);
  const LinksAsked = sum(fetched.map(({ links_asked }) => links_asked));
  return LinksAsked === 0
    ? {}
    : { LinksAsked, LinksFound: sum(fetched.map(({ links_found }) => links_found)) };
};

/** The output of the step if it met back-pressure. */
export const unparsed = ({ user_id, id, attempt }: Run): ParsedTask => ({
  user_id,
  id,
  attempt,
  outcome: 'refused',
  delivery: null,
  met: null,
});

/** What the step that fetched the only page of a task has: the row that it read, and the page. */
type Known = { row?: SerpRow | undefined; page?: KnownPage | undefined };

/** One try of `parseTask`. It is `stale` also if a write was made whose answer was lost. */
const tryToParse = async (
  run: Run,
  fetched: readonly FetchedPage[],
  now: number,
  known: Known,
): Promise<ParsedTask> => {
  const met = run.byProvider ? null : blockSignalOf(fetched);
  const stale = { ...unparsed(run), outcome: 'stale', met } as const;
  const recorded = await recordFetched(run, fetched, known.row ?? (await readRow(run.user_id, run.id)));
  // The engine did not get past the service, but the provider may get past the engine: no reason to rest the
  // engine.
  if (recorded === 'upstream') return { ...stale, outcome: recorded, met: null, next: handedTo(fetched) };
  if (typeof recorded === 'string') return { ...stale, outcome: recorded };
  const final = { ...stale, outcome: 'final', ...batchOf(recorded) } as const;
  if (isFinal(recorded.status)) return { ...final, delivery: waitingDelivery(recorded) };
  const { row, isCut, fault, result, stored: read, counted } = await readPages(recorded, known.page);
  const ended =
    fault === null ? { status: 'success' as const } : { status: 'error' as const, error_message: fault };
  const end = finalChanges(row, ended, now);
  const pages = await lastingPages(row, now);
  const [stored] =
    fault === null
      ? await Promise.all([
          putResult(row, read),
          // Stored before the task is final: a client that reads the result and repeats the search gets the
          // snapshot.
          keepSnapshot(row, result, readers[row.engine].sites),
        ])
      : [];
  const moved = await moveRow(
    row,
    { from: statesBefore(row.kind, end.status), attempt: run.attempt },
    {
      ...end,
      complete: row.complete,
      ...(isCut && { counted: row.counted, failure: row.failure }),
      findings: fault === null ? row.findings : undefined,
      stored,
      pages: pages.map((page) => (page.status === 'success' ? { ...page, status: 'parsed' } : page)),
    },
  );
  if (!moved) return stale;
  const ResultUnclaimed = counted.some(({ unread_blocks }) => unread_blocks.length > 0) ? 1 : 0;
  logEnd(row, ended, now, { ...lookupsOf(fetched), ...(fault === null && { ResultUnclaimed }) });
  return { ...final, delivery: end.delivery };
};

/**
 * Parses the pages of a run and ends the task: `success` with its result, or `error` with the reason. If the
 * run has ended the task before, the output is the same, without a delivery that has begun.
 */
export const parseTask = async (
  run: Run,
  fetched: readonly FetchedPage[],
  now = clock(),
  known: Known = {},
): Promise<ParsedTask> => {
  const tried = await tryToParse(run, fetched, now, known);
  if (tried.outcome !== 'stale') return tried;
  // The SDK repeats a write whose answer is lost, and the repetition finds the task in its next state
  // already. The row says whether this run has brought it there, or another one.
  return tryToParse(run, fetched, now, { page: known.page });
};

/**
 * The recorder: adds the results of finished crawls to the history and the positions of all subscribers of a search. The search waits for its next
 * crawl only when everything is written, and every write may be repeated. So a process that dies loses nothing, and adds nothing twice. A crawl
 * whose recording fails each time becomes a gap after some hours, so that the search is crawled again.
 */
import { trackedRows } from '../../crawl/create.ts';
import type { Gap, Project, TrackedKeyword } from '../../model/tracking.ts';
import { isBackPressure } from '../../runtime/back-pressure.ts';
import { calendar, clockOf } from '../../runtime/calendar.ts';
import { inParallel } from '../../runtime/in-parallel.ts';
import { log } from '../../runtime/log.ts';
import { timeLimit } from '../../runtime/time-limit.ts';
import { type Chunk, changeChunk, readChunk } from '../../store/chunks.ts';
import { type HistoryEntry, isGap, putHistory } from '../../store/observations.ts';
import { requestCheck } from '../../store/project-checks.ts';
import { readProject } from '../../store/projects.ts';
import { readResult } from '../../store/results.ts';
import {
  dropSubscriber,
  readSearch,
  type SearchRow,
  type Subscribed,
  type Subscriber,
  settleSubscriber,
  writeSearch,
} from '../../store/searches.ts';
import type { SerpRow } from '../../store/task-row.ts';
import { readRows } from '../../store/tasks.ts';
import { acceptMissing } from '../../task/accept.ts';
import { deadlineOf } from '../../task/deadline.ts';
import { createdAt } from '../../task/id.ts';
import { isFinal } from '../../task/status.ts';
import { nextAlertTime } from '../due-time.ts';
import { observe, observeGap } from '../observe.ts';
import { checkSeconds } from './check-time.ts';
import { lacksVolumes } from './lacks-volumes.ts';
import { type CrawledPages, readPosition } from './read-position.ts';
import { allShards, callWidth, type Failures, runSeconds, workThrough } from './waiting.ts';

/** What a finished crawl gave: its pages, or the reason why they give no positions. */
export type Outcome = CrawledPages | Gap;

const isLost = (outcome: Outcome): outcome is Gap => 'reason' in outcome;

/** Why a crawl that has ended gives no positions; null if it does (Reading 6). */
const faultOf = ({ status, complete, error_message, failure }: SerpRow): string | null => {
  if (status !== 'success') return error_message ?? `machinery: the task ended as ${status}`;
  if (complete) return null;
  return failure ?? 'incomplete: the engine answered other words than those asked';
};

/**
 * The outcome of a crawl that began at `began` on the calendar, from its final task. A gap has the time of the beginning, which no repetition
 * changes. The pages are later by as many seconds as the task took.
 */
const outcomeOf = async (row: SerpRow, began: number): Promise<Outcome> => {
  const reason = faultOf(row);
  if (reason !== null) return { at: began, reason };
  const stored = await readResult(row);
  if (!stored) return { at: began, reason: 'machinery: the result of the task is gone' };
  return {
    at: began + row.crawled_at - row.created_at,
    result: stored.result,
    first: stored.pages['1'] ?? stored.result,
  };
};

/** A search whose crawl has ended. */
type Finished = { row: SearchRow; subscribers: Subscriber[]; outcome: Outcome };

type Entry = { subscriber: Subscriber; finished: Finished };

/** The keyword after a crawl, and when it is due again. */
const fold = (keyword: TrackedKeyword, entry: HistoryEntry, nextAt: number): TrackedKeyword => ({
  ...(isGap(entry) ? observeGap(keyword, entry) : observe(keyword, entry)),
  next_at: nextAt,
});

const entryOf = (keyword: TrackedKeyword, { competitors }: Project, outcome: Outcome): HistoryEntry =>
  isLost(outcome) ? outcome : readPosition(keyword, competitors, outcome);

/** Counts of a run. */
type Counts = { results: number; gaps: number };

/** Asks for what follows from a result: the alert of the day, and the volumes of keywords that have none. */
const requestChecks = async (
  { user_id, project_id, alerts }: Project,
  chunk: number,
  keywords: readonly TrackedKeyword[],
  now: number,
): Promise<void> => {
  if (alerts) await requestCheck({ kind: 'alerts', user_id, project_id }, nextAlertTime(project_id, now));
  if (keywords.some((keyword) => lacksVolumes(keyword, now))) {
    await requestCheck({ kind: 'volumes', user_id, project_id, chunk }, now);
  }
};

/** What crawls gave for keywords of one chunk. The history has it already, the positions do not. */
type Recorded = {
  project: Project;
  chunk: number;
  entries: Map<number, { entry: HistoryEntry; nextAt: number }>;
};

/** Writes what crawls gave for keywords of one chunk into their history. Undefined if none of the keywords exists. */
const writeHistory = async (
  project: Project | undefined,
  found: readonly Entry[],
): Promise<Recorded | undefined> => {
  const [first] = found;
  if (!first) return undefined;
  const { project_id, chunk: n } = first.subscriber;
  const chunk: Chunk = await readChunk(project_id, n);
  const known = new Map(chunk.keywords.map((keyword) => [keyword.keyword_id, keyword]));
  const entries: Recorded['entries'] = new Map();
  for (const { subscriber, finished } of found) {
    const keyword = known.get(subscriber.keyword_id);
    if (!project || !keyword) {
      await dropSubscriber(subscriber);
      continue;
    }
    const entry = entryOf(keyword, project, finished.outcome);
    entries.set(keyword.keyword_id, { entry, nextAt: finished.row.next_at });
  }
  if (!project || entries.size === 0) return undefined;
  await putHistory([...entries].map(([keyword_id, { entry }]) => ({ keyword_id, entry })));
  return { project, chunk: n, entries };
};

/** Writes what crawls gave into the positions of the keywords, in one write. */
const writePositions = async ({ project, chunk, entries }: Recorded, counts: Counts, now: number) => {
  const { keywords } = await changeChunk(project.project_id, chunk, (before) =>
    before.map((keyword) => {
      const found = entries.get(keyword.keyword_id);
      return found ? fold(keyword, found.entry, found.nextAt) : keyword;
    }),
  );
  await requestChecks(project, chunk, keywords, now);
  for (const { entry } of entries.values()) {
    if (isGap(entry)) counts.gaps += 1;
    else counts.results += 1;
  }
};

/** Lets a search wait for its next crawl, and takes the subscribers out of the index that have got their first result. */
const release = async ({ row, subscribers }: Finished): Promise<void> => {
  for (const subscriber of subscribers) {
    if (subscriber.first_at !== undefined) await settleSubscriber(subscriber);
  }
  await writeSearch({ ...row, state: 'due', at: row.next_at, failing_since: 0 });
};

/** Looks at the crawl of a search again later. */
const checkLater = (row: SearchRow, now: number): Promise<boolean> =>
  writeSearch({ ...row, at: now + checkSeconds(row.checks + 1), checks: row.checks + 1 });

/**
 * Creates the task of a search again, because the planner died before it did, or its write was lost. Returns a gap if the deadline of the task is
 * past: then the crawl has failed.
 */
const createAgain = async (row: SearchRow, now: number): Promise<Gap | undefined> => {
  const created = createdAt(row.task_id);
  if (clockOf(now) >= deadlineOf(created)) {
    return { at: row.crawl_at, reason: 'machinery: the task of the crawl is gone' };
  }
  // On a fast calendar, the planner may still be about to create the task.
  if (clockOf(now) < created + checkSeconds(0)) return undefined;
  const rows = await trackedRows([{ user_id: row.task_user, id: row.task_id, search: row.search }]);
  await acceptMissing(rows);
  return undefined;
};

/** Finds the outcome of a search's crawl. Undefined if it is not final yet: then the search is looked at again later. */
const finishedOf = async (
  { row, subscribers }: Subscribed & { row: SearchRow },
  task: SerpRow | undefined,
  now: number,
): Promise<Finished | undefined> => {
  const lost = task ? undefined : await createAgain(row, now);
  if (lost) return { row, subscribers, outcome: lost };
  if (!task || !isFinal(task.status)) {
    await checkLater(row, now);
    return undefined;
  }
  return { row, subscribers, outcome: await outcomeOf(task, row.crawl_at) };
};

type Running = Subscribed & { row: SearchRow };

const isRunning = (subscribed: Subscribed, now: number): subscribed is Running =>
  subscribed.row?.state === 'running' && subscribed.row.at <= now;

/**
 * How long a recording is tried that fails each time: longer than it takes to repair the service, and shorter than the data of a task is kept.
 * Back-pressure does not count.
 */
const tryingSeconds = 6 * 3600;

const unrecorded = ({ crawl_at }: SearchRow): Gap => ({
  at: crawl_at,
  reason: 'machinery: the result could not be recorded',
});

/** Counts the failures of a run, by search. */
const failuresOf = (failures: Failures, now: number) => {
  const left = new Set<string>();
  const failing = new Map<string, SearchRow>();
  return {
    /** The searches that the next run must handle. */
    left,
    /** Searches whose recording has failed for the first time. */
    failing,
    leave: (hashes: readonly string[], error: unknown): void => {
      failures.add(error);
      for (const hash of hashes) left.add(hash);
    },
    /** Notes that the recording of a search has failed. Returns whether to give it up. */
    fail: (row: SearchRow, error: unknown): boolean => {
      failures.add(error);
      const isCounted = !isBackPressure(error);
      if (isCounted && row.failing_since && clockOf(now) - row.failing_since >= tryingSeconds) {
        const reason = error instanceof Error ? error.message : String(error);
        log.error('result not recorded', { search: row.search_hash, task_id: row.task_id, reason });
        return true;
      }
      left.add(row.search_hash);
      if (isCounted && !row.failing_since) failing.set(row.search_hash, row);
      return false;
    },
  };
};

/** Records searches. Returns those that could not be handled. */
const recordBatch = async (
  hashes: readonly string[],
  projectOf: (subscriber: Subscriber) => Promise<Project | undefined>,
  now: number,
  counts: Counts,
  failures: Failures,
): Promise<string[]> => {
  const { left, failing, leave, fail } = failuresOf(failures, now);
  const attempt = async (touched: readonly string[], work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      leave(touched, error);
    }
  };
  const running: Running[] = [];
  await inParallel(hashes, callWidth, (hash) =>
    attempt([hash], async () => {
      const subscribed = await readSearch(hash);
      if (isRunning(subscribed, now)) running.push(subscribed);
    }),
  );
  const tasks = await readRows(
    running.map(({ row }) => ({ user_id: row.task_user, id: row.task_id })),
    clockOf(now),
  );
  const finished: Finished[] = [];
  await inParallel(running.entries(), callWidth, async ([n, each]) => {
    try {
      const task = tasks[n];
      if (task?.status === 'rejected') throw task.reason;
      const row = task?.value?.kind === 'serp' ? task.value : undefined;
      const found = await finishedOf(each, row, now);
      if (found) finished.push(found);
    } catch (error) {
      if (fail(each.row, error)) finished.push({ ...each, outcome: unrecorded(each.row) });
    }
  });

  const record = async (ofChunk: readonly Entry[], noted: { isInHistory: boolean }): Promise<void> => {
    const [first] = ofChunk;
    if (!first) return;
    const recorded = await writeHistory(await projectOf(first.subscriber), ofChunk);
    noted.isInHistory = true;
    if (recorded) await writePositions(recorded, counts, now);
  };
  /** Records the crawl of one search for its keywords of one chunk. A crawl that is given up is a gap, unless the history has it. */
  const recordAlone = async (entries: readonly Entry[], { row }: Finished): Promise<void> => {
    const noted = { isInHistory: false };
    try {
      await record(entries, noted);
    } catch (error) {
      if (!fail(row, error) || noted.isInHistory) return;
      const asGaps = entries.map((entry) => ({
        ...entry,
        finished: { ...entry.finished, outcome: unrecorded(row) },
      }));
      await record(asGaps, noted).catch((cause) => failures.add(cause));
    }
  };
  const entries = finished.flatMap((each) =>
    each.subscribers.map((subscriber) => ({ subscriber, finished: each })),
  );
  const byChunk = Map.groupBy(entries, ({ subscriber }) => `${subscriber.project_id}/${subscriber.chunk}`);
  await inParallel(byChunk.values(), callWidth, async (ofChunk) => {
    try {
      await record(ofChunk, { isInHistory: false });
    } catch (error) {
      const bySearch = Map.groupBy(ofChunk, (entry) => entry.finished);
      if (isBackPressure(error))
        leave(
          [...bySearch.keys()].map(({ row }) => row.search_hash),
          error,
        );
      // One by one, so that a search whose recording fails does not keep the others from theirs.
      else for (const [each, own] of bySearch) await recordAlone(own, each);
    }
  });
  const recorded = finished.filter(({ row }) => !left.has(row.search_hash));
  await inParallel(recorded, callWidth, (each) => attempt([each.row.search_hash], () => release(each)));
  await inParallel(failing.values(), callWidth, (row) =>
    attempt([row.search_hash], () => writeSearch({ ...row, failing_since: clockOf(now) })),
  );
  return [...left];
};

/**
 * Records the crawls of the shards that have ended by `now`. Runs may overlap and be repeated. Returns the number of keywords that got a position or a
 * gap.
 */
export const recordResults = async (
  shards: readonly number[] = allShards,
  now = calendar(),
  isOver = timeLimit(runSeconds),
): Promise<number> => {
  const projects = new Map<number, Promise<Project | undefined>>();
  const projectOf = ({ user_id, project_id }: Subscriber) => {
    const project = projects.get(project_id) ?? readProject(user_id, project_id);
    projects.set(project_id, project);
    return project;
  };
  const counts: Counts = { results: 0, gaps: 0 };
  const { overdueSeconds } = await workThrough({
    state: 'running',
    shards,
    now,
    isOver,
    work: (hashes, failures) => recordBatch(hashes, projectOf, now, counts, failures),
  });
  const { results, gaps } = counts;
  log.info(
    'results recorded',
    { results, gaps },
    { ResultsRecorded: results, GapsRecorded: gaps, OverdueSearchSeconds: overdueSeconds },
  );
  return results + gaps;
};

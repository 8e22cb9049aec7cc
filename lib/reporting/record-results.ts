/**
 * The recorder: adds the results of finished crawls to the history and the positions of all subscribers of a search. The search waits for its next
 * crawl only when everything is written, and every write may be repeated. So a process that dies loses nothing, and adds nothing twice.
 */
import { trackedRows } from '../crawl/create.ts';
import type { Gap, Project, TrackedKeyword } from '../model/tracking.ts';
import { clock } from '../runtime/clock.ts';
import { inParallel } from '../runtime/in-parallel.ts';
import { log } from '../runtime/log.ts';
import { timeLimit } from '../runtime/time-limit.ts';
import { type Chunk, changeChunk, readChunk } from '../store/chunks.ts';
import { type HistoryEntry, isGap, putHistory } from '../store/observations.ts';
import { requestCheck } from '../store/project-checks.ts';
import { readProject } from '../store/projects.ts';
import { readResult } from '../store/results.ts';
import {
  dropSubscriber,
  readSearch,
  type SearchRow,
  type Subscribed,
  type Subscriber,
  settleSubscriber,
  writeSearch,
} from '../store/searches.ts';
import type { SerpRow } from '../store/task-row.ts';
import { readRows } from '../store/tasks.ts';
import { acceptMissing } from '../task/accept.ts';
import { deadlineOf } from '../task/deadline.ts';
import { isFinal } from '../task/status.ts';
import { checkSeconds } from './check-time.ts';
import { nextAlertTime } from './due-time.ts';
import { lacksVolumes } from './lacks-volumes.ts';
import { observe, observeGap } from './observe.ts';
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

/** The outcome of a crawl that began at `began`, from its final task. A gap has the time of the beginning, which no repetition changes. */
const outcomeOf = async (row: SerpRow, began: number): Promise<Outcome> => {
  const reason = faultOf(row);
  if (reason !== null) return { at: began, reason };
  const stored = await readResult(row);
  if (!stored) return { at: began, reason: 'machinery: the result of the task is gone' };
  return { at: row.crawled_at, result: stored.result, first: stored.pages['1'] ?? stored.result };
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

/** Records what crawls gave for keywords of one chunk: first their history, then their positions, in one write. */
const recordChunk = async (
  project: Project | undefined,
  entries: readonly Entry[],
  counts: Counts,
  now: number,
): Promise<void> => {
  const [first] = entries;
  if (!first) return;
  const { project_id, chunk: n } = first.subscriber;
  const chunk: Chunk = await readChunk(project_id, n);
  const known = new Map(chunk.keywords.map((keyword) => [keyword.keyword_id, keyword]));
  const recorded = new Map<number, { entry: HistoryEntry; nextAt: number }>();
  for (const { subscriber, finished } of entries) {
    const keyword = known.get(subscriber.keyword_id);
    if (!project || !keyword) {
      await dropSubscriber(subscriber);
      continue;
    }
    const entry = entryOf(keyword, project, finished.outcome);
    recorded.set(keyword.keyword_id, { entry, nextAt: finished.row.next_at });
  }
  if (!project || recorded.size === 0) return;
  await putHistory([...recorded].map(([keyword_id, { entry }]) => ({ keyword_id, entry })));
  const { keywords } = await changeChunk(project_id, n, (before) =>
    before.map((keyword) => {
      const found = recorded.get(keyword.keyword_id);
      return found ? fold(keyword, found.entry, found.nextAt) : keyword;
    }),
  );
  await requestChecks(project, n, keywords, now);
  for (const { entry } of recorded.values()) {
    if (isGap(entry)) counts.gaps += 1;
    else counts.results += 1;
  }
};

/** Lets a search wait for its next crawl, and takes the subscribers out of the index that have got their first result. */
const release = async ({ row, subscribers }: Finished): Promise<void> => {
  for (const subscriber of subscribers) {
    if (subscriber.first_at !== undefined) await settleSubscriber(subscriber);
  }
  await writeSearch({ ...row, state: 'due', at: row.next_at });
};

/** Looks at the crawl of a search again later. */
const checkLater = (row: SearchRow, now: number): Promise<boolean> =>
  writeSearch({ ...row, at: now + checkSeconds(row.checks + 1), checks: row.checks + 1 });

/**
 * Creates the task of a search again, because the planner died before it did, or its write was lost. Undefined if the deadline of the task is past: then the crawl
 * has failed.
 */
const createAgain = async (row: SearchRow, now: number): Promise<Gap | undefined> => {
  if (now >= deadlineOf(row.crawl_at)) {
    return { at: row.crawl_at, reason: 'machinery: the task of the crawl is gone' };
  }
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

/** Records searches. Returns those that could not be handled. */
const recordBatch = async (
  hashes: readonly string[],
  projectOf: (subscriber: Subscriber) => Promise<Project | undefined>,
  now: number,
  counts: Counts,
  failures: Failures,
): Promise<string[]> => {
  const left = new Set<string>();
  const attempt = async (touched: readonly string[], work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      failures.add(error);
      for (const hash of touched) left.add(hash);
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
    now,
  );
  const finished: Finished[] = [];
  await inParallel(running.entries(), callWidth, ([n, each]) =>
    attempt([each.row.search_hash], async () => {
      const task = tasks[n];
      if (task?.status === 'rejected') throw task.reason;
      const row = task?.value?.kind === 'serp' ? task.value : undefined;
      const found = await finishedOf(each, row, now);
      if (found) finished.push(found);
    }),
  );
  const entries = finished.flatMap((each) =>
    each.subscribers.map((subscriber) => ({ subscriber, finished: each })),
  );
  const byChunk = Map.groupBy(entries, ({ subscriber }) => `${subscriber.project_id}/${subscriber.chunk}`);
  await inParallel(byChunk.values(), callWidth, (ofChunk) =>
    attempt(
      ofChunk.map(({ subscriber }) => subscriber.search_hash),
      async () => {
        const [first] = ofChunk;
        if (first) await recordChunk(await projectOf(first.subscriber), ofChunk, counts, now);
      },
    ),
  );
  const recorded = finished.filter(({ row }) => !left.has(row.search_hash));
  await inParallel(recorded, callWidth, (each) => attempt([each.row.search_hash], () => release(each)));
  return [...left];
};

/**
 * Records the crawls of the shards that have ended by `now`. Runs may overlap and be repeated. Returns the number of keywords that got a position or a
 * gap.
 */
export const recordResults = async (
  shards: readonly number[] = allShards,
  now = clock(),
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

/**
 * The recorder: adds the results of finished crawls to the history and the positions of all subscribers of a
 * search. The search waits for its next crawl only when everything is written, and every write may be
 * repeated. So a process that dies loses nothing, and adds nothing twice. A crawl whose recording fails each
 * time becomes a gap after some hours, so that the search is crawled again.
 */
import type { Project } from '../../model/tracking.ts';
import { isBackPressure } from '../../runtime/back-pressure.ts';
import { calendar, clockOf } from '../../runtime/calendar.ts';
import { inParallel } from '../../runtime/in-parallel.ts';
import { log } from '../../runtime/log.ts';
import type { RunErrors } from '../../runtime/run-errors.ts';
import { timeLimit } from '../../runtime/time-limit.ts';
import { readProject } from '../../store/projects.ts';
import { noCrawl, readSearch, type Subscriber, settleSubscriber, writeSearch } from '../../store/searches.ts';
import { readRows } from '../../store/tasks.ts';
import { failuresOf, unrecorded } from './count-failures.ts';
import { type Finished, finishedOf, isRunning, type Running } from './wait-for-crawls.ts';
import { allShards, callWidth, runSeconds, workThrough } from './waiting.ts';
import { type Counts, type Entry, writeHistory, writePositions } from './write-positions.ts';

/**
 * Lets a search wait for its next crawl, and takes the subscribers out of the index that have got their first
 * result. The search no longer names who paid: a user may be erased that has deleted its keyword before.
 */
const release = async ({ row, subscribers }: Finished): Promise<void> => {
  for (const subscriber of subscribers) {
    if (subscriber.first_at !== undefined) await settleSubscriber(subscriber);
  }
  await writeSearch({ ...row, ...noCrawl, state: 'due', at: row.next_at, failing_since: 0 });
};

/** Records searches. Returns those that could not be handled. */
const recordBatch = async (
  hashes: readonly string[],
  projectOf: (subscriber: Subscriber) => Promise<Project | undefined>,
  now: number,
  counts: Counts,
  errors: RunErrors,
): Promise<string[]> => {
  const { left, failing, leave, fail } = failuresOf(errors, now);
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
  /**
   * Records the crawl of one search for its keywords of one chunk. A crawl that is given up is a gap, unless
   * the history has it.
   */
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
      await record(asGaps, noted).catch((cause) => errors.add(cause));
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
 * Records the crawls of the shards that have ended by `now`. Runs may overlap and be repeated. Returns the
 * number of keywords that got a position or a gap.
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
    work: (hashes, errors) => recordBatch(hashes, projectOf, now, counts, errors),
  });
  const { results, gaps } = counts;
  log.info(
    'results recorded',
    { results, gaps },
    {
      ResultsRecorded: results,
      ...(gaps > 0 && { GapsRecorded: gaps }),
      ...(overdueSeconds > 0 && { OverdueSearchSeconds: overdueSeconds }),
    },
  );
  return results + gaps;
};

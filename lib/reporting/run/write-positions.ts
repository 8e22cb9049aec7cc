/**
 * Writes what crawls gave: first into the history of the keywords, then into their positions. Every write may
 * be repeated.
 */
import type { Project, TrackedKeyword } from '../../model/tracking.ts';
import { type Chunk, changeChunk, readChunk } from '../../store/chunks.ts';
import { type HistoryEntry, isGap, putHistory } from '../../store/observations.ts';
import { requestCheck } from '../../store/project-checks.ts';
import { dropSubscriber, type Subscriber } from '../../store/searches.ts';
import { nextAlertTime } from '../due-time.ts';
import { observe, observeGap } from '../observe.ts';
import { lacksVolumes } from './lacks-volumes.ts';
import { readPosition } from './read-position.ts';
import type { Finished, Outcome } from './wait-for-crawls.ts';

export type Entry = { subscriber: Subscriber; finished: Finished };

/** The keyword after a crawl, and when it is due again. */
const keywordAfter = (keyword: TrackedKeyword, entry: HistoryEntry, nextAt: number): TrackedKeyword => ({
  ...(isGap(entry) ? observeGap(keyword, entry) : observe(keyword, entry)),
  next_at: nextAt,
});

const entryOf = (keyword: TrackedKeyword, { competitors }: Project, outcome: Outcome): HistoryEntry =>
  'reason' in outcome ? outcome : readPosition(keyword, competitors, outcome);

/** Counts of a run. */
export type Counts = { results: number; gaps: number };

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

/**
 * Writes what crawls gave for keywords of one chunk into their history. Undefined if none of the keywords
 * exists, or if their project is paused: another project that tracks the same searches has crawled them, or a
 * crawl was under way. As with a paused keyword, the project's positions and alerts stay as they are.
 */
export const writeHistory = async (
  project: Project | undefined,
  found: readonly Entry[],
): Promise<Recorded | undefined> => {
  const [first] = found;
  if (!first) return undefined;
  if (project?.paused) return undefined;
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
export const writePositions = async ({ project, chunk, entries }: Recorded, counts: Counts, now: number) => {
  const { keywords } = await changeChunk(project.project_id, chunk, (before) =>
    before.map((keyword) => {
      const found = entries.get(keyword.keyword_id);
      return found ? keywordAfter(keyword, found.entry, found.nextAt) : keyword;
    }),
  );
  await requestChecks(project, chunk, keywords, now);
  for (const { entry } of entries.values()) {
    if (isGap(entry)) counts.gaps += 1;
    else counts.results += 1;
  }
};

/**
 * The first step on a page. It also ends a search of one page, so that ParseTask need not be called: the page
 * is not read from the bucket, and not parsed again if no target of its links was found.
 */
import type { AnsweredPage, PageKey } from '../model/workflow.ts';
import { isBackPressure, logRefusal } from '../runtime/back-pressure.ts';
import { clock, stopwatch } from '../runtime/clock.ts';
import { log } from '../runtime/log.ts';
import { putHtml } from '../store/html.ts';
import { pageWith } from '../store/page-file.ts';
import type { SerpRow } from '../store/task-row.ts';
import { isFinal } from '../task/status.ts';
import { fetchHeld } from './fetch-held.ts';
import { type HeldPage, readHeldPage } from './held-page.ts';
import { withOnward } from './onward.ts';
import type { KnownPage } from './parse-page.ts';
import { type ParsedTask, parseTask } from './parse-task.ts';
import { isFetched } from './settle-pages.ts';
import type { KeepPage } from './try-over-http.ts';

/** `ended`: what ParseTask returns; absent if the task has not ended. */
type EndedPage = AnsweredPage & { ended?: ParsedTask };

/** A page that took longer is left to ParseTask, which has its own time to read the page again. */
const mostSpentMs = 20_000;

/** The page of a run whose step ran before, and died or lost its output after it recorded the page. */
const recordedPage = (key: PageKey, row: SerpRow): AnsweredPage | undefined => {
  const [page] = row.pages;
  if (!page || (row.status !== 'parsing' && !isFinal(row.status))) return undefined;
  const isRead = isFetched(page);
  return {
    ...key,
    outcome: isRead ? 'fetched' : 'failed',
    verdict: isRead ? (row.nothing_found ? 'empty' : 'results') : null,
    html: page.html,
    fetches: page.retry_count + 1,
    has_next: false,
    fetched_at: row.crawled_at,
    reason: row.failure ?? '',
  };
};

/**
 * Fetches the only page of a task, and ends the task with it. If the task cannot be ended here, nothing is
 * lost: ParseTask then does what is left, as after every other outcome of the page.
 */
const fetchOnly = async (
  key: PageKey,
  held: HeldPage,
  nowMs: () => number,
  began: number,
): Promise<EndedPage> => {
  let known: KnownPage | undefined;
  const keep: KeepPage = async (place, html, targets, reading) => {
    const stored = await pageWith(html, targets);
    known = { key: await putHtml(place, html, targets), stored, reading: stored.find ? undefined : reading };
    return known.key;
  };
  const { row } = held;
  const recorded = recordedPage(key, row);
  // A step of this run died while it ended the task. ParseTask has more time and memory for it.
  if (recorded && !isFinal(row.status)) return recorded;
  const page = recorded ?? (await fetchHeld(key, held, keep, nowMs, began));
  if (page.outcome !== 'fetched' || nowMs() - began > mostSpentMs) return page;
  try {
    const ended = await parseTask(key, [page], clock(), { row, page: known });
    return ended.outcome === 'final' ? { ...page, ended } : page;
  } catch (error) {
    if (isBackPressure(error)) logRefusal(error);
    else log.warn('task is ended by a separate call', { engine: row.engine, error: String(error) });
    return page;
  }
};

/**
 * Works on one page of the run that holds the task, as `fetchHeld` does, and ends the task if this is its
 * only page and was fetched. `nowMs` is a clock that only moves forward.
 */
export const fetchPage = async (key: PageKey, nowMs = stopwatch): Promise<EndedPage> => {
  const began = nowMs();
  const held = await readHeldPage(key);
  if (held?.row.pages.length === 1) return fetchOnly(key, held, nowMs, began);
  const page = await fetchHeld(key, held, putHtml, nowMs, began);
  return held ? withOnward(held.row, page) : page;
};

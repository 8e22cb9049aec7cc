/** Rules about tracked keywords that are paused and resumed. */
import type { Tracked } from './ledger.ts';
import { type Context, type Entry, firstMs, isThrottled, lookMs } from './tracked.ts';

const hour = 3_600_000;

/** A crawl that began before its keyword was paused ends within the deadline of its task. */
const pausedMs = 2 * hour;

/**
 * A keyword that is resumed is in its search, and crawled within the hour. A crawl that runs then is one for
 * it.
 */
const checkResumed = (
  { ledger, world, calmFrom, deadlineMs }: Context,
  { keywordId, keyword, resumedAt = 0 }: Tracked,
  entries: readonly Entry[],
  isScheduled: boolean,
): void => {
  const name = `keyword ${keywordId} (${keyword})`;
  if (!isScheduled) ledger.violate('resumed keywords are crawled', `${name} is not in its search`);
  const isCrawled = entries.some(({ at }) => at * 1000 >= resumedAt - deadlineMs - lookMs);
  const mostMs = firstMs + (isThrottled.test(keyword) ? deadlineMs + lookMs : 0);
  if (!isCrawled && world.scheduler.now() > Math.max(resumedAt, calmFrom) + mostMs)
    ledger.violate('resumed keywords are crawled', `${name} was not crawled after it was resumed`);
};

/** A keyword that is paused is not crawled, and its search no longer has it. */
export const checkPaused = (
  context: Context,
  tracked: Tracked,
  entries: readonly Entry[],
  isScheduled: boolean,
): void => {
  const { ledger, shared } = context;
  const { keywordId, keyword, isPaused, pausedAt = 0, asked = [] } = tracked;
  const late = entries.find(({ at }) => at * 1000 > pausedAt + pausedMs);
  if (isPaused && isScheduled)
    ledger.violate('paused keywords rest', `keyword ${keywordId} (${keyword}) is still in its search`);
  if (isPaused && asked.length === 0 && !shared.has(keyword) && late)
    ledger.violate(
      'paused keywords rest',
      `keyword ${keywordId} (${keyword}) was crawled ${late.at - pausedAt / 1000} s after it was paused`,
    );
  if (isPaused === false) checkResumed(context, tracked, entries, isScheduled);
};

/**
 * Rules about what a keyword shows, which the console and the reports read: it is what its history says,
 * whichever entries were written again or late.
 */
import type { Row } from './end.ts';
import type { Tracked } from './ledger.ts';
import type { Context, Entry } from './tracked.ts';

const hour = 3600;

/** A daily keyword is crawled so long after its last crawl (seconds; Reading 40). */
const leastNext = 11 * hour;
const mostNext = 41 * hour;

type Point = { at: number; position: number } | null | undefined;
type Rank = { current: Point; previous: Point; initial: Point; best: number | null };

const same = (shown: Point, measured: Point): boolean =>
  shown?.at === measured?.at && shown?.position === measured?.position;

/** The days that a keyword keeps, and its gap. */
type Shown = { ranks: Rank[]; days?: { at: number }[]; gap?: { at: number } | null; next_at: number };

const dayOf = (at: number): number => Math.floor(at / 86_400);

export const checkPositions = (
  { ledger }: Context,
  { keywordId, keyword, pausedAt, resumedAt, asked = [], at: addedAt }: Tracked,
  chunked: Row | undefined,
  entries: readonly Entry[],
): void => {
  const name = `keyword ${keywordId} (${keyword})`;
  if (!chunked) {
    ledger.violate('added keywords exist', `${name} is in no chunk of its project`);
    return;
  }
  const { ranks, days = [], gap, next_at } = chunked as unknown as Shown;
  const measured = entries.filter(({ position }) => position !== undefined) as {
    at: number;
    position: number;
  }[];
  const [rank] = ranks;
  const last = measured.at(-1);
  const pairs = [
    ['current', rank?.current, last],
    ['previous', rank?.previous, measured.at(-2)],
    ['initial', rank?.initial, measured[0]],
  ] as const;
  for (const [what, shown, is] of pairs)
    if (!same(shown, is))
      ledger.violate(
        'positions are those of the history',
        `${name} shows ${JSON.stringify(shown)} as its ${what}, its history ${JSON.stringify(is)}`,
      );
  const best = Math.min(...measured.map(({ position }) => position));
  if (measured.length > 0 && rank?.best !== best)
    ledger.violate(
      'positions are those of the history',
      `${name} has the best place ${rank?.best}, not ${best}`,
    );
  const ofDays = new Map(measured.map(({ at }) => [dayOf(at), at]));
  if (JSON.stringify(days.map(({ at }) => at)) !== JSON.stringify([...ofDays.values()]))
    ledger.violate(
      'positions are those of the history',
      `${name} has the days ${days.map(({ at }) => at)}, its history ${[...ofDays.values()]}`,
    );
  const newest = entries.at(-1);
  const isGap = newest !== undefined && newest.position === undefined;
  if ((gap?.at ?? 0) !== (isGap ? newest.at : 0))
    ledger.violate('positions are those of the history', `${name} shows a gap at ${gap?.at}`);
  const isPlain = pausedAt === undefined && resumedAt === undefined && asked.length === 0;
  if (!newest || !isPlain || newest.at * 1000 < addedAt - hour * 1000) return;
  const after = next_at - newest.at;
  if (after < leastNext || after > mostNext)
    ledger.violate('no day is missing', `${name} says that it is crawled next ${after / hour} hours later`);
};

/** How keywords moved in a week, and until when a crawl counts. */
import { expect, test } from 'vitest';
import type { TrackedKeyword } from '../../../../lib/model/tracking.ts';
import { noRank } from '../../../../lib/reporting/observe.ts';
import { validSince, validUntil } from '../../../../lib/reporting/report/measured-days.ts';
import { changeOf, isCrawledInWeek, movesOf, weekSeconds } from '../../../../lib/reporting/report/moves.ts';
import { day, keywordOf } from '../keywords.ts';

const now = 100 * day;
const since = now - weekSeconds;

type Point = [at: number, position: number | null];

/** A keyword with the crawls of these days, the newest one last. `initial`: its first position. */
const crawledAt = (points: readonly Point[], initial: Point = points[0] ?? [0, null]): TrackedKeyword => {
  const [at = 0, position = null] = points.at(-1) ?? [];
  const pointOf = ([time, place]: Point) => (place === null ? null : { at: time, position: place });
  return keywordOf({
    days: points.map(([time, place]) => ({ at: time, cited: null, positions: [place] })),
    ranks: [
      { ...noRank, initial: pointOf(initial), current: position === null ? null : { at, position, url: '' } },
    ],
  });
};

test.each<[string, TrackedKeyword, [before: number, since: number][]]>([
  ['was never crawled', crawledAt([]), []],
  ['was crawled once', crawledAt([[now, 4]]), []],
  [
    'was last crawled when the week began',
    crawledAt([
      [since - day, 9],
      [since, 4],
    ]),
    [],
  ],
  [
    'was crawled when the week began',
    crawledAt([
      [since - day, 9],
      [since, 8],
      [now, 4],
    ]),
    [[8, since]],
  ],
  [
    'was crawled before',
    crawledAt([
      [since - 2 * day, 9],
      [since - day, 8],
      [now, 4],
    ]),
    [[8, since - day]],
  ],
  [
    'is followed for some days',
    crawledAt([
      [since + day, 9],
      [since + 2 * day, 8],
      [now, 4],
    ]),
    [[9, since + day]],
  ],
  [
    'had no position on a day',
    crawledAt([
      [since - day, 9],
      [since, null],
      [now, 4],
    ]),
    [[9, since - day]],
  ],
  ['was crawled twice on one day', crawledAt([[now, 4]], [now - 60, 9]), [[9, now - 60]]],
  ['has two crawls of one time', crawledAt([[now, 4]], [now, 9]), []],
])('a keyword that %s has the moves %j', (_, keyword, moves) => {
  expect(movesOf(keyword, now)).toEqual(
    moves.map(([before, at]) => ({ keyword, before, now: 4, since: at })),
  );
});

test.each([
  ['never', crawledAt([]), false],
  ['when the week began', crawledAt([[since, 4]]), false],
  ['a second later', crawledAt([[since + 1, 4]]), true],
])('a keyword that was last crawled %s has a position of the week: %#', (_, keyword, expected) => {
  expect(isCrawledInWeek(keyword, now)).toBe(expected);
});

test.each([
  [9, 4, 5],
  [4, 9, -5],
  [1000, 1, 100],
  [1, 1000, -100],
  [1000, 1000, 0],
])('from %i to %i is a change of %i', (before, after, change) => {
  expect(changeOf({ before, now: after })).toBe(change);
});

test.each([6, 24, 168])(
  'a crawl of every %i hours counts until the next one is twelve hours late',
  (hours) => {
    const keyword = keywordOf({ update_frequency: hours });

    expect(validUntil(keyword, now)).toBe(now + (hours + 12) * 3600);
    expect(validUntil(keyword, validSince(keyword, now))).toBe(now);
  },
);

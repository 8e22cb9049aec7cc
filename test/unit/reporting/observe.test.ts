import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Observation, TrackedKeyword } from '../../../lib/model/tracking.ts';
import { observe, observeGap } from '../../../lib/reporting/observe.ts';
import { keywordOf } from './keywords.ts';

const keyword = keywordOf();

const seen = (at: number, position: number, rival?: number): Observation => {
  const at_ = (n: number) => ({
    position: n,
    type: 'organic',
    url: `https://example.com/${at}`,
    title: '',
    snippet: '',
  });
  return {
    at,
    sightings: { 'example.com': at_(position), ...(rival !== undefined && { 'rival.com': at_(rival) }) },
    features: [`feature ${at}`],
    cited: null,
  };
};

const fold = (observations: readonly Observation[]): TrackedKeyword => observations.reduce(observe, keyword);

const day = 86_400;

describe('the positions after all observations', () => {
  test('are the first, the newest, the one before it and the best', () => {
    const { ranks, features } = fold([seen(day, 8), seen(2 * day, 3), seen(3 * day, 5)]);

    expect(ranks[0]).toEqual({
      initial: { at: day, position: 8 },
      current: { at: 3 * day, position: 5, url: `https://example.com/${3 * day}` },
      previous: { at: 2 * day, position: 3 },
      best: 3,
    });
    expect(features).toEqual([`feature ${3 * day}`]);
  });

  test('do not depend on the order, or on repetitions', () => {
    const observations = fc.uniqueArray(
      fc.record({ at: fc.integer({ min: 1, max: 40 * day }), position: fc.integer({ min: 1, max: 1000 }) }),
      { minLength: 1, maxLength: 60, selector: ({ at }) => at },
    );
    fc.assert(
      fc.property(observations, fc.infiniteStream(fc.nat()), (all, random) => {
        const inOrder = all
          .toSorted((a, b) => a.at - b.at)
          .map(({ at, position }) => seen(at, position, position));
        const shuffled = [...inOrder, ...inOrder]
          .map((each) => ({ each, key: random.next().value }))
          .sort((a, b) => a.key - b.key)
          .map(({ each }) => each);
        expect(fold(shuffled)).toEqual(fold(inOrder));
      }),
    );
  });

  test('keep one crawl a day, for 31 days', () => {
    const { days } = fold(
      Array.from({ length: 40 }, (_, n) => [seen(n * day + 10, n + 1), seen(n * day + 20, n + 2)]).flat(),
    );

    expect(days).toHaveLength(31);
    expect(days.at(-1)).toEqual({ at: 39 * day + 20, cited: null, positions: [41] });
  });

  test('have a competitor from its first observation on', () => {
    const { domains, ranks, days } = fold([seen(day, 8), seen(2 * day, 3, 9)]);

    expect(domains).toEqual(['example.com', 'rival.com']);
    expect(ranks[1]?.initial).toEqual({ at: 2 * day, position: 9 });
    expect(days.map(({ positions }) => positions)).toEqual([[8], [3, 9]]);
  });
});

describe('the pages of the domain', () => {
  const own = (count: number) => Array.from({ length: count }, (_, n): [number, string] => [n + 1, `/${n}`]);

  test('are those of the newest crawl, whichever is recorded first', () => {
    const [old, newest] = [
      { ...seen(day, 1), own: own(2) },
      { ...seen(2 * day, 1), own: own(3) },
    ];

    for (const order of [
      [old, newest],
      [newest, old],
    ])
      expect(fold(order).own_urls).toEqual(own(3));
    expect(fold([newest, seen(3 * day, 1)])).not.toHaveProperty('own_urls');
  });

  test('are the first ones only, so that a chunk of keywords stays small', () => {
    expect(fold([{ ...seen(day, 1), own: own(100) }]).own_urls).toEqual(own(10));
  });
});

describe('a gap', () => {
  test('is kept until a newer observation', () => {
    const failed = observeGap(fold([seen(day, 8)]), { at: 2 * day, reason: 'blocked' });

    expect(failed.gap).toEqual({ at: 2 * day, reason: 'blocked' });
    expect(failed.ranks[0]?.current?.position).toBe(8);
    expect(observe(failed, seen(3 * day, 5)).gap).toBeNull();
  });

  test('that is older than the current position changes nothing', () => {
    const known = fold([seen(3 * day, 8)]);

    expect(observeGap(known, { at: 2 * day, reason: 'blocked' })).toBe(known);
  });

  test('of a keyword without a position is kept', () => {
    expect(observeGap(keyword, { at: day, reason: 'blocked' }).gap).toEqual({ at: day, reason: 'blocked' });
  });

  test('at the time of the current position, or of another gap, changes nothing', () => {
    const known = fold([seen(day, 8)]);
    const failed = observeGap(known, { at: 2 * day, reason: 'blocked' });

    expect(observeGap(known, { at: day, reason: 'blocked' })).toBe(known);
    expect(observeGap(failed, { at: 2 * day, reason: 'timeout' })).toBe(failed);
  });

  test('that is newer than an observation is kept, and one of the same time is not', () => {
    const failed = observeGap(fold([seen(day, 8)]), { at: 3 * day, reason: 'blocked' });

    expect(observe(failed, seen(2 * day, 5)).gap).toEqual({ at: 3 * day, reason: 'blocked' });
    expect(observe(failed, seen(3 * day, 5)).gap).toBeNull();
  });

  test('of a keyword without a position stays when only a rival is seen', () => {
    const failed = observeGap(keyword, { at: 2 * day, reason: 'blocked' });
    const { gap, ranks, days } = observe(failed, {
      at: day,
      sightings: { 'rival.com': { position: 3, type: 'organic', url: '', title: '', snippet: '' } },
      features: [],
      cited: null,
    });

    expect(gap).toEqual({ at: 2 * day, reason: 'blocked' });
    expect(ranks[0]?.current).toBeNull();
    expect(days.map(({ positions }) => positions)).toEqual([[null, 3]]);
  });
});

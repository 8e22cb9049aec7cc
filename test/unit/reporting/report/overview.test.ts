/** The overview of a project: bands, days, moves, features and the next crawl. */
import { describe, expect, test } from 'vitest';
import type { Project, TrackedKeyword } from '../../../../lib/model/tracking.ts';
import { noRank } from '../../../../lib/reporting/observe.ts';
import { keptOverviewOf, overviewOf, standingOf } from '../../../../lib/reporting/report/overview.ts';
import { visibilityOf } from '../../../../lib/reporting/report/visibility.ts';
import { day, keywordOf } from '../keywords.ts';

const project: Project = {
  user_id: 1,
  project_id: 2,
  name: 'Shop',
  domain: 'example.com',
  competitors: ['rival.com'],
  locations: [],
  check_frequency: 24,
  paused: false,
  alerts: null,
  created_at: 0,
  chunks: 1,
  revision: 1,
};

const now = 100 * day + 5000;
const cost = { keywords: 3, paused: 0, searches_per_day: 3, monthly_cost_usd: 0.02 };

/** A keyword that was crawled at these positions, by the number of the day. */
const trackedOf = (
  keyword_id: number,
  positions: Record<number, number>,
  changes: Partial<TrackedKeyword> = {},
): TrackedKeyword => {
  const days = Object.entries(positions).map(([n, position]) => ({
    at: Number(n) * day + 100,
    cited: null,
    positions: [position],
  }));
  const last = days.at(-1);
  const current = last ? { at: last.at, position: last.positions[0] ?? 0, url: '' } : null;
  return keywordOf({
    keyword_id,
    domains: ['example.com'],
    ranks: [{ ...noRank, current }],
    days,
    next_at: now + keyword_id,
    ...changes,
  });
};

const see = (keywords: readonly TrackedKeyword[], changes: Partial<Project> = {}) =>
  overviewOf({ ...project, ...changes }, keywords, { now, cost });

test.each([
  [1, 'from_1_to_3'],
  [3, 'from_1_to_3'],
  [4, 'from_4_to_10'],
  [10, 'from_4_to_10'],
  [11, 'from_11_to_20'],
  [20, 'from_11_to_20'],
  [21, 'from_21_to_50'],
  [50, 'from_21_to_50'],
  [51, 'from_51_to_100'],
  [100, 'from_51_to_100'],
  [1000, 'not_ranked'],
])('position %i is in the band %s and in no other', (position, name) => {
  const { keywords, average_of_all, average_of_ranked, ...bands } = standingOf([position]);

  expect(Object.entries(bands).filter(([, count]) => count > 0)).toEqual([[name, 1]]);
  expect([keywords, average_of_all, average_of_ranked]).toEqual([
    1,
    Math.min(position, 101),
    position === 1000 ? null : position,
  ]);
});

describe('the overview', () => {
  test('counts keywords on the days on which they were measured, and on no other', () => {
    const { days, now: standing } = see([
      trackedOf(1, { 98: 2, 99: 12, 100: 1000 }),
      trackedOf(2, { 100: 3 }),
    ]);
    const shown = days
      .slice(-4)
      .map(({ keywords, from_1_to_3, from_11_to_20, not_ranked }) => [
        keywords,
        from_1_to_3,
        from_11_to_20,
        not_ranked,
      ]);

    expect(shown).toEqual([
      [0, 0, 0, 0],
      [1, 1, 0, 0],
      [1, 0, 1, 0],
      [2, 1, 0, 1],
    ]);
    expect(standing).toMatchObject({ keywords: 2, average_of_ranked: 3, average_of_all: 52 });
    expect(days.at(-4)).toMatchObject({ date: '1970-04-08', average_of_all: null, average_of_ranked: null });
  });

  test('has the largest rises and falls of the week, and since when', () => {
    const many = Array.from({ length: 12 }, (_, n) => trackedOf(n + 10, { 90: 50, 100: 50 - n - 1 }));
    const { winners, losers } = see([
      ...many,
      trackedOf(1, { 97: 4, 100: 1000 }),
      trackedOf(2, { 100: 7 }),
      trackedOf(3, { 80: 1, 91: 9 }),
    ]);

    expect(winners.map(({ movement }) => movement)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3]);
    expect(losers).toEqual([
      expect.objectContaining({
        keyword_id: 1,
        before: 4,
        position: 1000,
        movement: -97,
        since: '1970-04-08',
      }),
    ]);
  });

  test('lists what rose as a rise, what fell as a fall, and nothing that did not move', () => {
    const { winners, losers } = see([
      trackedOf(1, { 90: 5, 100: 4 }),
      trackedOf(2, { 90: 4, 100: 4 }),
      trackedOf(3, { 90: 4, 100: 6 }),
      trackedOf(4, { 90: 4, 100: 9 }),
      trackedOf(5, { 100: 9 }),
      trackedOf(6, { 90: 4, 100: 7 }),
    ]);

    expect(winners.map(({ keyword_id, movement }) => [keyword_id, movement])).toEqual([[1, 1]]);
    expect(losers.map(({ keyword_id, movement }) => [keyword_id, movement])).toEqual([
      [4, -5],
      [6, -3],
      [3, -2],
    ]);
  });

  test('lists ten falls', () => {
    const many = Array.from({ length: 12 }, (_, n) => trackedOf(n + 10, { 90: 1, 100: n + 2 }));

    expect(see(many).losers.map(({ movement }) => movement)).toEqual([
      -12, -11, -10, -9, -8, -7, -6, -5, -4, -3,
    ]);
  });

  test('has the change of the share since the beginning of the week', () => {
    const [rate] = [visibilityOf(project, [trackedOf(1, { 100: 1 })], now).data[0]?.share ?? 0];

    expect(see([trackedOf(1, { 92: 1000, 93: 1000, 100: 1 })])).toMatchObject({
      share: rate,
      share_change: { change: rate, since: '1970-04-04', keywords: 1 },
    });
    expect(see([])).toMatchObject({ share: null, share_change: null });
  });

  test('has the most frequent features first, and those of the same number by the alphabet', () => {
    const { features } = see([
      trackedOf(1, { 100: 1 }, { features: ['video', 'ai_overview'] }),
      trackedOf(2, { 100: 1 }, { features: ['book', 'image'] }),
      trackedOf(3, { 100: 1 }, { features: ['image'] }),
    ]);

    expect(features.map(({ name }) => name)).toEqual(['image', 'ai_overview', 'book', 'video']);
  });

  test('is computed once for the same keywords, project, cost and hour', () => {
    const keywords = [trackedOf(1, { 100: 1 })];
    const hour = 100 * day;
    const kept = (at: number, changes: Partial<Project> = {}, more = {}) =>
      keptOverviewOf({ ...project, ...changes }, keywords, { now: at, cost: { ...cost, ...more } });
    const first = kept(hour);

    expect(first).toEqual(overviewOf(project, keywords, { now: hour, cost }));
    expect(kept(hour + 3599)).toBe(first);
    expect(kept(hour + 3600)).not.toBe(first);
    expect(kept(hour, { revision: 2, domain: 'other.com' }).now.keywords).toBe(0);
    expect(kept(hour, {}, { paused: 1 }).cost.paused).toBe(1);
    expect(keptOverviewOf(project, [...keywords], { now: hour, cost })).not.toBe(first);
  });

  test('counts own keywords with the domain of the project only', () => {
    const others = [
      trackedOf(1, { 100: 1 }, { type: 'competitor' }),
      trackedOf(2, { 100: 1 }, { domain: 'other.com', domains: ['other.com'] }),
    ];

    expect(see(others).now.keywords).toBe(0);
    expect(see(others).cost).toEqual(cost);
  });

  test('counts features once for each measured keyword, and citations', () => {
    const { features, cited } = see([
      trackedOf(1, { 100: 1 }, { features: ['video', 'ai_overview', 'video'], cited: true }),
      trackedOf(2, { 100: 1 }, { features: ['video'], cited: false, owners: { video: { all: 2, own: 1 } } }),
      trackedOf(3, { 100: 1 }, { features: ['book'] }),
      trackedOf(4, { 97: 1 }, { features: ['video'], cited: true, owners: { video: { all: 1, own: 1 } } }),
    ]);

    expect(features).toEqual([
      { name: 'video', keywords: 2, owners: { own: 1, competitor: 0, other: 1 } },
      { name: 'ai_overview', keywords: 1, owners: null },
      { name: 'book', keywords: 1, owners: null },
    ]);
    expect(cited).toBe(1);
  });

  test('names the next crawl of a keyword that is crawled', () => {
    const keywords = [trackedOf(1, {}, { paused: true }), trackedOf(5, {}), trackedOf(3, {})];

    expect(see(keywords).next_at).toBe(now + 3);
    expect(see(keywords, { paused: true }).next_at).toBe(null);
    expect(see([]).next_at).toBe(null);
  });

  test('has the same figures as the visibility, on any walk of positions', () => {
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    const walk = () =>
      Object.fromEntries(
        Array.from(
          { length: 31 },
          (_, n) => [70 + n, random(9) === 0 ? 1000 : 1 + random(100)] as const,
        ).filter(() => random(4) > 0),
      );
    const keywords = Array.from({ length: 40 }, (_, n) => trackedOf(n + 1, walk()));
    const [own] = visibilityOf(project, keywords, now).data;
    const { now: standing, share } = see(keywords);

    expect(share).toBe(own?.share);
    expect(standing).toMatchObject({
      keywords: own?.keywords,
      from_1_to_3: own?.top_3,
      average_of_ranked: own?.average_of_ranked,
      average_of_all: own?.average_of_all,
    });
    expect(standing.from_1_to_3 + standing.from_4_to_10).toBe(own?.top_10);
    expect(standing.keywords - standing.not_ranked).toBe(own?.ranked);
  });
});

/** The share of voice, and the summary of a week. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Day, Project, TrackedKeyword } from '../../../../lib/model/tracking.ts';
import { noRank } from '../../../../lib/reporting/observe.ts';
import { allClicks, clickRate } from '../../../../lib/reporting/report/click-rate.ts';
import { summaryOfWeek } from '../../../../lib/reporting/report/summary.ts';
import { keptVisibilityOf, visibilityOf } from '../../../../lib/reporting/report/visibility.ts';
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

/** A keyword with positions of the domain and of the competitor, by the number of the day. */
const trackedOf = (
  positions: Record<number, [number, number | null]>,
  changes: Partial<TrackedKeyword> = {},
): TrackedKeyword => {
  const days: Day[] = Object.entries(positions).map(([n, both]) => ({
    at: Number(n) * day + 100,
    cited: null,
    positions: both,
  }));
  const last = days.at(-1);
  const rankOf = (place: number) => {
    const position = last?.positions[place];
    return last && typeof position === 'number'
      ? { ...noRank, current: { at: last.at, position, url: '' } }
      : noRank;
  };
  return keywordOf({
    domains: ['example.com', 'rival.com'],
    ranks: [rankOf(0), rankOf(1)],
    days,
    ...changes,
  });
};

const volumes = (local_sv: number) => ({ local_sv, global_sv: 0, cpc: 0, at: 0 });
const shareOf = (clicks: number): number => Number((clicks / allClicks).toFixed(4));
const now = 100 * day + 5000;

describe('visibility', () => {
  test('is the part of all clicks that a domain is expected to get, by volume', () => {
    const keywords = [
      trackedOf({ 100: [1, 3] }, { volumes: volumes(300) }),
      trackedOf({ 100: [1000, 1] }, { volumes: volumes(100) }),
      trackedOf({ 100: [1, 1] }, { type: 'competitor' }),
      keywordOf(),
    ];

    expect(visibilityOf(project, keywords, now).data).toEqual([
      {
        domain: 'example.com',
        share: shareOf(clickRate(1) * 0.75),
        top_3: 1,
        top_10: 1,
        average_position: 1,
      },
      {
        domain: 'rival.com',
        share: shareOf(clickRate(3) * 0.75 + clickRate(1) * 0.25),
        top_3: 2,
        top_10: 2,
        average_position: 2,
      },
    ]);
  });

  test('counts keywords without a volume alike', () => {
    const keywords = [trackedOf({ 100: [1, 2] }), trackedOf({ 100: [3, 2] }, { volumes: volumes(0) })];

    expect(visibilityOf(project, keywords, now).data[0]?.share).toBe(
      shareOf((clickRate(1) + clickRate(3)) / 2),
    );
  });

  test('of a day counts the last position until then', () => {
    const { days } = visibilityOf(project, [trackedOf({ 60: [1, 5], 98: [2, null], 100: [4, 3] })], now);
    const shares = new Map(days.map((each) => [each.date, each.shares]));
    const at = (n: number) => shares.get(new Date(n * day * 1000).toISOString().slice(0, 10));

    expect(days).toHaveLength(31);
    expect(at(97)).toEqual({ 'example.com': shareOf(clickRate(1)), 'rival.com': shareOf(clickRate(5)) });
    // The competitor was not followed on this day.
    expect(at(99)).toEqual({ 'example.com': shareOf(clickRate(2)), 'rival.com': 0 });
    expect(at(100)).toEqual({ 'example.com': shareOf(clickRate(4)), 'rival.com': shareOf(clickRate(3)) });
  });

  test('of a project without keywords is 0', () => {
    expect(visibilityOf(project, [], now).data).toEqual([
      { domain: 'example.com', share: 0, top_3: 0, top_10: 0, average_position: null },
      { domain: 'rival.com', share: 0, top_3: 0, top_10: 0, average_position: null },
    ]);
  });
});

describe('the summary of a week', () => {
  const keywords = [
    trackedOf({ 90: [12, 2], 100: [4, 3] }, { keyword: 'up *bold* [x](http://evil)' }),
    trackedOf({ 90: [3, 2], 99: [1000, 2] }, { keyword: 'down' }),
    trackedOf({ 98: [5, 2], 99: [5, 2] }, { keyword: 'steady' }),
    trackedOf({ 80: [5, 2] }, { keyword: 'stale', gap: { at: now - day, reason: 'captcha: <b>proof</b>' } }),
    trackedOf({ 90: [50, 2], 100: [1, 3] }, { keyword: 'of a competitor', type: 'competitor' }),
  ];
  let text = '';
  beforeAll(() => {
    text = summaryOfWeek(project, keywords, now);
  });
  const sectionOf = (heading: string): string =>
    text.split(`## ${heading}\n`)[1]?.split('\n## ')[0]?.trim() ?? '';

  test('has the movements', () => {
    expect(text).toMatch(/^# Shop: 1970\\?-04/);
    expect(text).toContain(
      '4 keywords of example\\.com: 1 moved up, 1 moved down, 1 did not move, 1 have no position of this week.',
    );
    expect(sectionOf('Moved up')).toBe(
      '- up \\*bold\\* \\[x\\]\\(http://evil\\) (Berlin,Germany, desktop): 12 → 4 (+8)',
    );
    expect(sectionOf('Moved down')).toBe('- down (Berlin,Germany, desktop): 3 → not ranked (−98)');
    expect(sectionOf('Entered the top 10')).toContain('- up');
    expect(sectionOf('Left the top 10')).toContain('- down');
  });

  test('has the share of voice of each domain', () => {
    expect(sectionOf('Share of voice')).toMatch(
      /\| example\\\.com \| \d+\.\d % \| [+−]\d+\.\d points \| 0 \| 3 \|/,
    );
    expect(sectionOf('Share of voice')).toContain('| rival\\.com |');
  });

  test('has the failed crawls, escaped', () => {
    expect(sectionOf('Failed crawls')).toBe(
      '- stale (Berlin,Germany, desktop): captcha: &lt;b\\>proof&lt;/b\\> (1970-04-10)',
    );
  });

  test('says that nothing happened', () => {
    const quiet = summaryOfWeek(project, [], now);

    expect(quiet).toContain('No keyword moved up.');
    expect(quiet).toContain('The newest crawl of each keyword succeeded.');
  });

  test('cuts long lists off', () => {
    const many = Array.from({ length: 14 }, (_, n) => trackedOf({ 90: [20 + n, 2], 100: [1, 3] }));

    expect(summaryOfWeek(project, many, now)).toContain('- and 4 more');
  });
});

test('a kept visibility is that of the present keywords, competitors and day', () => {
  const keywords = [trackedOf({ 98: [1, 5], 100: [4, 3] })];
  const others = [trackedOf({ 98: [1, 5], 100: [2, 3] })];
  const alone: Project = { ...project, competitors: [] };
  const wanted: [Project, TrackedKeyword[], number][] = [
    [project, keywords, now],
    [alone, keywords, now],
    [alone, keywords, now + day],
    [alone, others, now + day],
  ];
  for (const [of, all, at] of wanted) {
    expect(keptVisibilityOf(of, all, at)).toEqual(visibilityOf(of, all, at));
    expect(keptVisibilityOf(of, all, at + 60)).toBe(keptVisibilityOf(of, all, at));
  }
});

/** The share of voice, and the summary of a week. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Day, Project, TrackedKeyword } from '../../../../lib/model/tracking.ts';
import { noRank } from '../../../../lib/reporting/observe.ts';
import { clickRatesOf } from '../../../../lib/reporting/report/click-rate.ts';
import { summaryOfWeek } from '../../../../lib/reporting/report/summary.ts';
import {
  keptVisibilityOf,
  positionsByDay,
  shareChangesOf,
  visibilityOf,
} from '../../../../lib/reporting/report/visibility.ts';
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

const { at: clickRate, all: allClicks } = clickRatesOf({});
const volumes = (local_sv: number) => ({ local_sv, global_sv: 0, cpc: 0, at: 0 });
const shareOf = (clicks: number): number => Number((clicks / allClicks).toFixed(4));
const now = 100 * day + 5000;

describe('the positions of a keyword by day', () => {
  const crawledAt = (at: number, update_frequency: number) =>
    keywordOf({ update_frequency, days: [{ at, cited: null, positions: [4] }] });

  test('have a crawl on all of its own day, although the next one is overdue in the evening', () => {
    expect(positionsByDay(crawledAt(99 * day, 6), 101 * day).slice(-4)).toEqual([null, 4, null, null]);
    expect(positionsByDay(crawledAt(99 * day - 1, 6), 101 * day).slice(-4)).toEqual([4, null, null, null]);
  });

  test('have a crawl until the next one is overdue', () => {
    const keyword = crawledAt(99 * day, 24);
    const overdue = 99 * day + 1.5 * day;

    expect(positionsByDay(keyword, overdue).slice(-2)).toEqual([4, 4]);
    expect(positionsByDay(keyword, overdue + 1).slice(-2)).toEqual([4, null]);
    expect(positionsByDay(crawledAt(99 * day, 36), 102 * day).slice(-4)).toEqual([4, 4, null, null]);
  });
});

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
        keywords: 2,
        ranked: 1,
        top_3: 1,
        top_10: 1,
        average_of_ranked: 1,
        average_of_all: 51,
        citation_share: null,
      },
      {
        domain: 'rival.com',
        share: shareOf(clickRate(3) * 0.75 + clickRate(1) * 0.25),
        keywords: 2,
        ranked: 2,
        top_3: 2,
        top_10: 2,
        average_of_ranked: 2,
        average_of_all: 2,
        citation_share: null,
      },
    ]);
  });

  test('has each site once, in any spelling, also if a keyword spells it in another way', () => {
    const changes = { domain: 'https://example.com/', domains: ['https://example.com/', 'Rival.com'] };
    const tracked = trackedOf({ 93: [1, 3], 100: [2, 1] }, changes);
    const keywords = [
      {
        ...tracked,
        days: tracked.days.map((each) => ({ ...each, citations: [8, 1, 2] as [number, number, number] })),
      },
    ];
    const respelled = {
      ...project,
      domain: 'WWW.Example.com',
      competitors: ['Rival.com', 'example.com', 'www.rival.com'],
    };
    const { data, days } = visibilityOf(respelled, keywords, now);
    const [own, rival] = [shareOf(clickRate(2)), shareOf(clickRate(1))];

    expect(data.map(({ domain, share }) => [domain, share])).toEqual([
      ['WWW.Example.com', own],
      ['Rival.com', rival],
    ]);
    expect(days.at(-1)?.shares).toEqual({ 'WWW.Example.com': own, 'Rival.com': rival });
    expect(days.at(-1)?.citation_shares).toEqual({ 'WWW.Example.com': 0.125, 'Rival.com': 0.25 });
    expect(shareChangesOf(respelled, keywords, now).map(({ domain }) => domain)).toEqual([
      'WWW.Example.com',
      'Rival.com',
    ]);
  });

  test.each<[string, (number | null)[], number, object]>([
    ['the median of three', [100, null, 500, 300], 300, { known: 3, unknown: 1, assumed: 300 }],
    ['the mean of the two in the middle', [100, null, 500], 300, { known: 2, unknown: 1, assumed: 300 }],
    ['one, where none is known', [null, null], 1, { known: 0, unknown: 2, assumed: null }],
    ['one, where all known ones are 0', [0, null], 1, { known: 1, unknown: 1, assumed: 0 }],
  ])('takes an unknown volume to be %s', (_, known, assumed, volumesOf) => {
    const keywords = known.map((local_sv, n) =>
      trackedOf({ 100: [n + 1, 2] }, { volumes: local_sv === null ? null : volumes(local_sv) }),
    );
    const weights = known.map((local_sv) => Math.max(1, local_sv ?? assumed));
    const all = weights.reduce((sum, weight) => sum + weight, 0);
    const clicks = weights.reduce((sum, weight, n) => sum + weight * clickRate(n + 1), 0);
    const visibility = visibilityOf(project, keywords, now);

    expect(visibility.data[0]?.share).toBe(shareOf(clicks / all));
    expect(visibility.volumes).toEqual(volumesOf);
  });

  const sharesOf = (keyword: TrackedKeyword, of = project) => {
    const { days } = visibilityOf(of, [keyword], now);
    const shares = new Map(days.map((each) => [each.date, each.shares]));
    expect(days).toHaveLength(31);
    return (n: number) => shares.get(new Date(n * day * 1000).toISOString().slice(0, 10));
  };
  const weekly = { update_frequency: 7 * 24 };

  test('of a day counts the last position until then', () => {
    const at = sharesOf(trackedOf({ 92: [1, 5], 98: [2, null], 100: [4, 3] }, weekly));

    expect(at(91)).toEqual({ 'example.com': null, 'rival.com': null });
    expect(at(97)).toEqual({ 'example.com': shareOf(clickRate(1)), 'rival.com': shareOf(clickRate(5)) });
    // The competitor was not followed on this day.
    expect(at(99)).toEqual({ 'example.com': shareOf(clickRate(2)), 'rival.com': null });
    expect(at(100)).toEqual({ 'example.com': shareOf(clickRate(4)), 'rival.com': shareOf(clickRate(3)) });
  });

  test('of a day without a crawl is unknown, once the next crawl is overdue', () => {
    const at = sharesOf(trackedOf({ 80: [1, 5], 90: [1, 5], 93: [1, 5] }, { update_frequency: 48 }));

    expect([89, 90, 91, 92, 93, 94, 95, 100].map((n) => at(n)?.['example.com'] !== null)).toEqual([
      false,
      true,
      true,
      false,
      true,
      true,
      false,
      false,
    ]);
  });

  test('of today is that of yesterday until the crawl is half a day late', () => {
    const keyword = trackedOf({ 99: [1, 2] });
    const shareAt = (time: number) => {
      const { data, days } = visibilityOf(project, [keyword], time);
      expect(days.at(-1)?.shares['example.com']).toBe(data[0]?.share);
      return data[0]?.share;
    };

    expect(shareAt(100 * day + 100 + day / 2)).toBe(shareOf(clickRate(1)));
    expect(shareAt(100 * day + 101 + day / 2)).toBeNull();
    expect(visibilityOf(project, [keyword], 103 * day).data[0]).toMatchObject({
      keywords: 0,
      ranked: 0,
      average_of_ranked: null,
      average_of_all: null,
    });
  });

  test('is computed with the click rates of the project', () => {
    const own: Project = { ...project, click_rates: [0.6, 0.4] };

    expect(visibilityOf(own, [trackedOf({ 100: [2, 3] })], now).data.map(({ share }) => share)).toEqual([
      0.4, 0,
    ]);
  });

  test('of a project that was never crawled is unknown', () => {
    const nothing = {
      citation_share: null,
      share: null,
      keywords: 0,
      ranked: 0,
      top_3: 0,
      top_10: 0,
      average_of_ranked: null,
      average_of_all: null,
    };
    for (const keywords of [[], [keywordOf()]]) {
      const { data, days } = visibilityOf(project, keywords, now);
      expect(data).toEqual([
        { domain: 'example.com', ...nothing },
        { domain: 'rival.com', ...nothing },
      ]);
      expect(days.flatMap(({ shares }) => Object.values(shares)).every((share) => share === null)).toBe(true);
    }
  });
});

describe('a keyword that is crawled every six hours', () => {
  const own = { ...project, competitors: [] };
  /** Crawls at these times, the newest one last. */
  const crawledAt = (...crawls: [at: number, position: number][]) => {
    const [at = 0, position = 0] = crawls.at(-1) ?? [];
    return keywordOf({
      update_frequency: 6,
      days: crawls.map(([time, place]) => ({ at: time, cited: null, positions: [place] })),
      ranks: [{ ...noRank, current: { at, position, url: '' } }],
    });
  };
  const midnight = 100 * day;
  const evening = 101 * day - 1;

  test('counts on the day of its crawl, although the next one is overdue, and not on the day after', () => {
    const keyword = crawledAt([midnight, 1]);

    expect(visibilityOf(own, [keyword], evening).data).toMatchObject([
      { keywords: 1, share: shareOf(clickRate(1)) },
    ]);
    expect(visibilityOf(own, [keyword], evening).days.at(-1)?.shares).toEqual({
      'example.com': shareOf(clickRate(1)),
    });
    const { data, days } = visibilityOf(own, [keyword], evening + 1);
    expect(data).toMatchObject([{ keywords: 0, share: null }]);
    expect(days.slice(-2).map(({ shares }) => shares['example.com'])).toEqual([shareOf(clickRate(1)), null]);
  });

  test('has a change between two such days', () => {
    const keyword = crawledAt([midnight - 7 * day, 2], [midnight - 6 * day, 9], [midnight, 1]);

    expect(shareChangesOf(own, [keyword], evening)).toEqual([
      {
        domain: 'example.com',
        change: shareOf(clickRate(1) - clickRate(2)),
        since: '1970-04-04',
        keywords: 1,
      },
    ]);
  });

  test('has none if its newest crawl is of the day before', () => {
    expect(shareChangesOf(own, [crawledAt([midnight - 7 * day, 2], [midnight - 1, 1])], evening)).toEqual([]);
  });
});

test('the share of a day is that of all keywords, and so is the share of citations', () => {
  const cited = (keyword: TrackedKeyword, ...citations: [number, number, number]) => ({
    ...keyword,
    days: keyword.days.map((each) => ({ ...each, citations })),
  });
  const keywords = [
    cited(trackedOf({ 100: [1, 10] }), 4, 1, 2),
    cited(trackedOf({ 100: [1000, 3] }), 4, 1, 0),
    trackedOf({ 100: [10, 1000] }),
  ];
  const { data, days } = visibilityOf(project, keywords, now);

  expect(days.at(-1)?.shares).toEqual({
    'example.com': shareOf((clickRate(1) + clickRate(10)) / 3),
    'rival.com': shareOf((clickRate(10) + clickRate(3)) / 3),
  });
  expect(data).toMatchObject([
    { ranked: 2, top_3: 1, top_10: 2, citation_share: 0.25 },
    { ranked: 2, top_3: 1, top_10: 2, citation_share: 0.25 },
  ]);
});

describe('the change of a share in the week', () => {
  test('has a crawl until the next one is overdue', () => {
    const keyword = trackedOf({ 93: [2, 3], 100: [1, 3] });
    const overdue = 100 * day + 100 + 1.5 * day;
    const changesAt = (at: number) => shareChangesOf({ ...project, competitors: [] }, [keyword], at);

    expect(changesAt(overdue)).toMatchObject([{ since: dateOf(100), keywords: 1 }]);
    expect(changesAt(overdue + 1)).toEqual([]);
  });

  const changeOf = (...keywords: TrackedKeyword[]) => shareChangesOf(project, keywords, now);
  const dateOf = (n: number) => new Date(n * day * 1000).toISOString().slice(0, 10);

  test('is that since a week ago', () => {
    expect(changeOf(trackedOf({ 92: [9, 1], 93: [2, 3], 100: [1, 3] }))).toEqual([
      { domain: 'example.com', change: shareOf(clickRate(1) - clickRate(2)), since: dateOf(93), keywords: 1 },
      { domain: 'rival.com', change: 0, since: dateOf(93), keywords: 1 },
    ]);
  });

  test('compares only keywords that were measured on both days', () => {
    const found = changeOf(
      trackedOf({ 93: [2, 3], 100: [1, 3] }),
      trackedOf({ 99: [8, 9], 100: [1, 9] }),
      trackedOf({ 93: [8, 9], 94: [1, 9] }),
    );

    expect(found[0]).toMatchObject({ change: shareOf(clickRate(1) - clickRate(2)), keywords: 1 });
  });

  test('is that since the first day, if a week ago nothing was measured', () => {
    expect(changeOf(trackedOf({ 97: [2, null], 98: [5, null], 100: [1, null] }))).toEqual([
      { domain: 'example.com', change: shareOf(clickRate(1) - clickRate(2)), since: dateOf(97), keywords: 1 },
    ]);
  });

  test.each<[string, TrackedKeyword[]]>([
    ['was never crawled', [keywordOf()]],
    ['was crawled for the first time today', [trackedOf({ 100: [1, 2] })]],
    ['is not measured any more', [trackedOf({ 92: [1, 2], 95: [1, 2] })]],
    ['has no keywords', []],
  ])('of a project that %s is left out', (_, keywords) => {
    expect(changeOf(...keywords)).toEqual([]);
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
      '4 keywords of example\\.com: 1 moved up, 1 moved down, 1 did not move, 0 have no earlier crawl to compare with, 1 has no position of this week.',
    );
    expect(sectionOf('Moved up')).toBe(
      '- up \\*bold\\* \\[x\\]\\(http://evil\\) (Berlin,Germany, desktop): 12 → 4 (+8 since 1970-04-01)',
    );
    expect(sectionOf('Moved down')).toBe(
      '- down (Berlin,Germany, desktop): 3 → not ranked (−98 since 1970-04-01)',
    );
    expect(sectionOf('Entered the top 10')).toContain('- up');
    expect(sectionOf('Left the top 10')).toContain('- down');
  });

  test('has the share of voice of each domain', () => {
    expect(sectionOf('Share of voice')).toMatch(
      /\| example\\\.com \| 5\.6 % \| no change since 1970-04-09 \(of 1 keyword\) \| 2 of 3 \| 0 \| 2 \|/,
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
    expect(quiet).toContain('No keyword’s newest crawl failed.');
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

/**
 * The summary of a week: its bounds, orders and numbers. What it quotes from the web is in
 * `visibility.test.ts`.
 */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Project, TrackedKeyword } from '../../../../lib/model/tracking.ts';
import { summaryOfWeek } from '../../../../lib/reporting/report/summary.ts';
import {
  type ShareChange,
  shareChangesOf,
  visibilityOf,
} from '../../../../lib/reporting/report/visibility.ts';
import { day, keywordOf } from '../keywords.ts';

vi.mock(import('../../../../lib/reporting/report/visibility.ts'), async (original) => ({
  ...(await original()),
  visibilityOf: vi.fn(),
  shareChangesOf: vi.fn(),
}));

const allKnown = { known: 1, unknown: 0, assumed: 100 };
const now = 100 * day;
const since = 93 * day;
const project = { name: 'Shop', domain: 'example', competitors: [] } as unknown as Project;

/** A keyword with a position at each of these times, the newest one last. */
const trackedOf = (
  keyword: string,
  points: readonly [at: number, position: number | null][],
  more = {},
): TrackedKeyword => {
  const [at = 0, position] = points.at(-1) ?? [];
  return keywordOf({
    keyword,
    domain: 'example',
    location_name: '',
    days: points.map(([time, place]) => ({ at: time, cited: null, positions: [place] })),
    ranks: [
      {
        initial: null,
        previous: null,
        best: null,
        current: typeof position === 'number' ? { at, position, url: '' } : null,
      },
    ],
    ...more,
  });
};
const moved = (keyword: string, before: number, after: number) =>
  trackedOf(keyword, [
    [since, before],
    [now - 5, after],
  ]);

const summaryOf = (...keywords: TrackedKeyword[]) => summaryOfWeek(project, keywords, now);
const sectionOf = (text: string, heading: string): string[] =>
  (text.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '').trim().split('\n');
const countsOf = (text: string) => text.split('\n')[2];

beforeEach(() => {
  vi.mocked(visibilityOf).mockReturnValue({ data: [], volumes: allKnown, days: [] });
  vi.mocked(shareChangesOf).mockReturnValue([]);
});

describe('a keyword', () => {
  test.each<[string, TrackedKeyword, string]>([
    [
      'moved since the beginning of the week',
      trackedOf('a', [
        [since - 5, 2],
        [since, 9],
        [now, 4],
      ]),
      '1 moved up, 0 moved down, 0 did not move, 0 have no earlier crawl to compare with, 0 have',
    ],
    [
      'moved since the last position before the week',
      trackedOf('a', [
        [since - 90, 2],
        [since - 5, 9],
        [since + 5, 1],
        [now, 4],
      ]),
      '1 moved up, 0 moved down, 0 did not move, 0 have no earlier crawl to compare with, 0 have',
    ],
    [
      'moved since its first position, in the week',
      trackedOf('a', [
        [since + 1, 9],
        [now, 4],
      ]),
      '1 moved up, 0 moved down, 0 did not move, 0 have no earlier crawl to compare with, 0 have',
    ],
    [
      'did not move',
      trackedOf('a', [
        [since, 4],
        [now, 4],
      ]),
      '0 moved up, 0 moved down, 1 did not move, 0 have no earlier crawl to compare with, 0 have',
    ],
    [
      'moved since the last day on which it had a position',
      trackedOf('a', [
        [since - 2, 9],
        [since - 1, null],
        [now, 10],
      ]),
      '0 moved up, 1 moved down, 0 did not move, 0 have no earlier crawl to compare with, 0 have',
    ],
    [
      'was last crawled at the beginning of the week',
      trackedOf('a', [
        [since - 5, 9],
        [since, 4],
      ]),
      '0 moved up, 0 moved down, 0 did not move, 0 have no earlier crawl to compare with, 1 has',
    ],
    [
      'has no day with a position',
      trackedOf('a', [[now, 4]], { days: [] }),
      '0 moved up, 0 moved down, 0 did not move, 1 has no earlier crawl to compare with, 0 have',
    ],
    [
      'was crawled for the first time',
      trackedOf('a', [[now, 4]]),
      '0 moved up, 0 moved down, 0 did not move, 1 has no earlier crawl to compare with, 0 have',
    ],
    [
      'was crawled for the first time in the middle of the week, and not since',
      trackedOf('a', [[since + 3 * day, 4]]),
      '0 moved up, 0 moved down, 0 did not move, 1 has no earlier crawl to compare with, 0 have',
    ],
    [
      'was crawled twice on its only day',
      trackedOf('a', [[now, 9]], {
        ranks: [
          {
            initial: { at: now - 60, position: 9 },
            current: { at: now, position: 9, url: '' },
            previous: null,
            best: 9,
          },
        ],
      }),
      '0 moved up, 0 moved down, 1 did not move, 0 have no earlier crawl to compare with, 0 have',
    ],
    [
      'was never crawled',
      keywordOf({ domain: 'example' }),
      '0 moved up, 0 moved down, 0 did not move, 0 have no earlier crawl to compare with, 1 has',
    ],
  ])('that %s is counted so', (_, keyword, counts) => {
    expect(countsOf(summaryOf(keyword))).toBe(`1 keyword of example: ${counts} no position of this week.`);
  });

  test.each([
    [since - day, '(+5)'],
    [since - 1.5 * day, '(+5)'],
    [since - 1.5 * day - 1, '(+5 since 1970-04-02)'],
    [since + day, '(+5 since 1970-04-05)'],
  ])('whose earlier position is of %i names that day unless it held when the week began', (at, change) => {
    const text = summaryOf(
      trackedOf('a', [
        [at, 9],
        [now, 4],
      ]),
    );

    expect(sectionOf(text, 'Moved up')).toEqual([`- a (DE, desktop): 9 → 4 ${change}`]);
  });

  test('of another domain is named with it', () => {
    const text = summaryOf(moved('a', 9, 4), { ...moved('b', 9, 4), domain: 'other.example' });

    expect(countsOf(text)).toMatch(/^2 keywords, 1 of them of example: 2 moved up/);
    expect(sectionOf(text, 'Moved up')[1]).toBe('- b (DE, desktop, other\\.example): 9 → 4 (+5)');
  });

  test('of the domain of the project in another spelling is named without it', () => {
    const text = summaryOf({ ...moved('a', 9, 4), domain: ' example' }, moved('b', 9, 4));

    expect(countsOf(text)).toMatch(/^2 keywords of example: 2 moved up/);
    expect(sectionOf(text, 'Moved up')[0]).toBe('- a (DE, desktop): 9 → 4 (+5)');
  });

  test('that is long is cut off', () => {
    const text = summaryOf(moved('x'.repeat(2048), 9, 4));

    expect(sectionOf(text, 'Moved up')).toEqual([`- ${'x'.repeat(99)}… (DE, desktop): 9 → 4 (+5)`]);
  });

  test('of another type is not counted', () => {
    expect(countsOf(summaryOf(trackedOf('a', [[now, 4]], { type: 'competitor' })))).toMatch(/^0 keywords/);
  });
});

test('the title has the days of the week', () => {
  expect(summaryOf().split('\n').slice(0, 5)).toEqual([
    '# Shop: 1970-04-04 to 1970-04-11',
    '',
    expect.stringMatching(/^0 keywords/),
    '',
    '## Moved up',
  ]);
});

test('movements are in the order of their size', () => {
  const text = summaryOf(
    moved('a', 9, 4),
    moved('b', 50, 1),
    moved('c', 4, 6),
    moved('d', 1, 1000),
    moved('e', 2, 5),
  );

  expect(sectionOf(text, 'Moved up')).toEqual([
    '- b (DE, desktop): 50 → 1 (+49)',
    '- a (DE, desktop): 9 → 4 (+5)',
  ]);
  expect(sectionOf(text, 'Moved down')).toEqual([
    '- d (DE, desktop): 1 → not ranked (−100)',
    '- e (DE, desktop): 2 → 5 (−3)',
    '- c (DE, desktop): 4 → 6 (−2)',
  ]);
});

test('the top 10 ends after position 10', () => {
  const text = summaryOf(
    moved('a', 11, 10),
    moved('b', 10, 11),
    moved('c', 10, 1),
    moved('d', 11, 12),
    moved('e', 9, 10),
  );

  expect(sectionOf(text, 'Entered the top 10')).toEqual(['- a (DE, desktop): 11 → 10 (+1)']);
  expect(sectionOf(text, 'Left the top 10')).toEqual(['- b (DE, desktop): 10 → 11 (−1)']);
});

test.each([
  [10, 10, undefined],
  [11, 10, '- and 1 more'],
])('of %i movements, %i are listed', (count, listed, more) => {
  const text = summaryOf(...Array.from({ length: count }, (_, n) => moved(`k${n}`, 50, 20 + n)));
  const lines = sectionOf(text, 'Moved up');

  expect(lines.filter((line) => line.includes('→'))).toHaveLength(listed);
  expect(lines[10]).toBe(more);
});

test('a summary without movements says so in each section', () => {
  const text = summaryOf();

  expect(sectionOf(text, 'Moved up')).toEqual(['No keyword moved up.']);
  expect(sectionOf(text, 'Moved down')).toEqual(['No keyword moved down.']);
  expect(sectionOf(text, 'Entered the top 10')).toEqual(['No keyword entered the top 10.']);
  expect(sectionOf(text, 'Left the top 10')).toEqual(['No keyword left the top 10.']);
  expect(sectionOf(text, 'Failed crawls')).toEqual(['No keyword’s newest crawl failed.']);
});

test.each([
  [since, []],
  [since + 1, ['- coffee (Berlin,Germany, desktop): refused (1970-04-04)']],
])('a crawl that failed at %i is listed as %j', (at, lines) => {
  const text = summaryOf(keywordOf({ domain: 'example', gap: { at, reason: 'refused' } }));

  expect(sectionOf(text, 'Failed crawls')).toEqual(
    lines.length > 0 ? lines : ['No keyword’s newest crawl failed.'],
  );
});

describe('the share of voice', () => {
  const weekAgo = '1970-04-04';
  const linesOf = (share: number | null, { change = {}, row = {}, volumes = {} } = {}) => {
    const shown = {
      top_3: 1,
      top_10: 2,
      keywords: 9,
      ranked: 7,
      average_of_ranked: 3.5,
      average_of_all: 25.2,
      citation_share: null,
    };
    vi.mocked(visibilityOf).mockReturnValue({
      data: [{ domain: 'example', share, ...shown, ...row }],
      volumes: { ...allKnown, ...volumes },
      days: [],
    });
    const whole: ShareChange = { domain: 'example', change: 0.25, since: weekAgo, keywords: 9, ...change };
    vi.mocked(shareChangesOf).mockReturnValue([{ ...whole, domain: 'other', change: 0.9 }, whole]);
    return sectionOf(summaryOf(), 'Share of voice');
  };

  test('is a table', () => {
    expect(linesOf(0.5)).toEqual([
      '| domain | share | change in the week | ranked | top 3 | top 10 | average position of ranked | of all |',
      '|---|---|---|---|---|---|---|---|',
      '| example | 50.0 % | +25.0 points | 7 of 9 | 1 | 2 | 3.5 | 25.2 |',
    ]);
  });

  test.each([
    [0.2, { change: -0.05 }, '20.0 % | −5.0 points'],
    [0.25, { change: 0 }, '25.0 % | no change'],
    [0.25, { change: 0.0004 }, '25.0 % | no change'],
    [0.25, { change: -0.0004 }, '25.0 % | no change'],
    [0.251, { change: 0.001 }, '25.1 % | +0.1 points'],
    [0.249, { change: -0.001 }, '24.9 % | −0.1 points'],
    [0.3, { domain: 'third' }, '30.0 % | –'],
    [null, { domain: 'third' }, 'not measured | –'],
    [0.3, { since: '1970-04-07' }, '30.0 % | +25.0 points since 1970-04-07'],
    [0.3, { keywords: 8 }, '30.0 % | +25.0 points (of 8 keywords)'],
    [0.3, { since: '1970-04-07', keywords: 1 }, '30.0 % | +25.0 points since 1970-04-07 (of 1 keyword)'],
  ])('of %d with the change %j is "%s"', (share, change, text) => {
    expect(linesOf(share, { change })[2]).toContain(`| ${text} |`);
  });

  test('may have no average position', () => {
    const row = { average_of_ranked: null, average_of_all: null };

    expect(linesOf(0.5, { row })[2]).toMatch(/\| – \| – \|$/);
  });

  test.each([
    [
      { unknown: 1, assumed: 320 },
      'The volume of 1 keyword is not known: it is taken to be 320, the median.',
    ],
    [
      { unknown: 2, assumed: 4.5 },
      'The volume of 2 keywords is not known: it is taken to be 4.5, the median.',
    ],
    [{ known: 0, unknown: 2, assumed: null }, 'The volume of no keyword is known, so all count alike.'],
  ])('with the volumes %j says so', (volumes, text) => {
    // Without the empty line, the sentence would be a row of the table.
    expect(linesOf(0.5, { volumes }).slice(-2)).toEqual(['', text]);
  });
});

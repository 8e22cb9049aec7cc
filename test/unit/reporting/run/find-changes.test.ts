/** What the alert rule of a project reports. */
import { describe, expect, test } from 'vitest';
import type { Baseline } from '../../../../lib/model/alert.ts';
import type { AlertRule, TrackedKeyword } from '../../../../lib/model/tracking.ts';
import { noRank } from '../../../../lib/reporting/observe.ts';
import { findChanges as findWith } from '../../../../lib/reporting/run/find-changes.ts';

const findChanges = (keywords: TrackedKeyword[], baseline: Baseline, of: AlertRule) =>
  findWith(keywords, baseline, of, ({ keyword_id }) => `https://own.example.com/charts/${keyword_id}.svg`);

const rule: AlertRule = {
  postback_url: 'https://receiver.example/alerts',
  moved_by: 5,
  boundaries: [3, 10, 100],
  lost_first_to: ['rival.example.net'],
  citations: true,
};

const keywordAt = (
  position: number | null,
  {
    keyword_id = 1,
    cited = null,
    rival = 50,
  }: { keyword_id?: number; cited?: boolean | null; rival?: number } = {},
): TrackedKeyword => ({
  engine: 'google',
  engine_domain: 'google.com',
  keyword: 'coffee',
  location_name: '',
  iso_code: 'US',
  language_code: 'en',
  device: 'desktop',
  keyword_id,
  type: 'owner',
  domain: 'own.example.com',
  google_business: null,
  update_frequency: 24,
  paused: false,
  created_at: 0,
  search_hash: 'x',
  domains: ['own.example.com', 'rival.example.net'],
  ranks:
    position === null
      ? [noRank, noRank]
      : [
          { ...noRank, current: { at: 5, position, url: 'https://own.example.com/' } },
          { ...noRank, current: { at: 5, position: rival, url: '' } },
        ],
  days: [],
  features: [],
  cited,
  gap: null,
  volumes: null,
  next_at: 0,
});

const reasonsOf = (before: number, keyword: TrackedKeyword, cited: boolean | null = null): string[] =>
  findChanges([keyword], { 1: [before, cited] }, rule).changes.flatMap(({ reasons }) => reasons);

test.each<[string, number, number, string[]]>([
  ['a small movement', 20, 24, []],
  ['a movement up by the number of the rule', 25, 20, ['moved']],
  ['a movement down by it', 20, 25, ['moved']],
  ['a domain that comes into the first 3', 4, 3, ['entered_top_3']],
  ['a domain that leaves the first 10', 10, 11, ['left_top_10']],
  ['a domain that is no longer found', 99, 1000, ['left_top_100']],
  ['a domain that goes up within the first 10', 10, 6, []],
  ['a domain that goes down to the tenth place', 6, 10, []],
  [
    'a domain that is found again at the top',
    1000,
    2,
    ['moved', 'entered_top_3', 'entered_top_10', 'entered_top_100'],
  ],
  ['no movement', 7, 7, []],
])('%s: from %i to %i', (_, before, now, reasons) => {
  expect(reasonsOf(before, keywordAt(now))).toEqual(reasons);
});

describe('the first place', () => {
  test('that a named competitor has taken is reported with the competitor', () => {
    const { changes } = findChanges([keywordAt(2, { rival: 1 })], { 1: [1, null] }, rule);

    expect(changes).toMatchObject([{ reasons: ['lost_first'], lost_to: 'rival.example.net', movement: -1 }]);
  });

  test('that the domain did not have before is not lost', () => {
    expect(reasonsOf(5, keywordAt(6, { rival: 1 }))).toEqual([]);
  });

  test('of a keyword that has no place now is no change', () => {
    expect(findChanges([keywordAt(null)], { 1: [1, null] }, rule)).toEqual({
      changes: [],
      next: { 1: [1, null] },
    });
  });

  test('that is lost again and again is reported each time, also if the rule has a larger movement', () => {
    const slow = { ...rule, moved_by: 3, boundaries: [] };
    let baseline: Baseline = { 1: [2, null] };
    const reported = [1, 2, 1, 2].map((position) => {
      const { changes, next } = findChanges([keywordAt(position, { rival: 3 - position })], baseline, slow);
      baseline = next;
      return changes.flatMap(({ reasons }) => reasons);
    });

    expect(reported).toEqual([[], ['lost_first'], [], ['lost_first']]);
  });

  test('that a competitor in another spelling has taken is reported with the spelling of the project', () => {
    const respelled = { ...rule, lost_first_to: ['https://WWW.Rival.example.net/'] };
    const { changes } = findChanges([keywordAt(2, { rival: 1 })], { 1: [1, null] }, respelled);

    expect(changes).toMatchObject([{ reasons: ['lost_first'], lost_to: 'rival.example.net' }]);
  });

  test('that a competitor had when it was last followed is not lost to it', () => {
    const keyword = keywordAt(2, { rival: 1 });
    const [own = noRank, rival = noRank] = keyword.ranks;
    const former = { ...rival, current: rival.current && { ...rival.current, at: 4 } };

    expect(reasonsOf(1, { ...keyword, ranks: [own, former] })).toEqual([]);
  });

  test('is not lost to a competitor without a position', () => {
    const keyword = keywordAt(2);
    const [own = noRank] = keyword.ranks;

    expect(reasonsOf(1, { ...keyword, ranks: [own, noRank] })).toEqual([]);
  });

  test('that somebody else has taken is no change', () => {
    expect(reasonsOf(1, keywordAt(2, { rival: 3 }))).toEqual([]);
  });
});

describe('a citation', () => {
  test.each<[boolean | null, boolean | null, string[]]>([
    [false, true, ['cited']],
    [true, false, ['not_cited']],
    [null, true, []],
    [true, null, []],
    [true, true, []],
  ])('from %s to %s', (before, now, reasons) => {
    expect(reasonsOf(7, keywordAt(7, { cited: now }), before)).toEqual(reasons);
  });

  test('that is unknown for a while is compared with the last known one', () => {
    const first = findChanges([keywordAt(7, { cited: null })], { 1: [7, true] }, rule);

    expect(findChanges([keywordAt(7, { cited: false })], first.next, rule).changes).toMatchObject([
      { reasons: ['not_cited'] },
    ]);
  });

  test('that is unknown when a movement is reported is compared with the last known one, too', () => {
    const first = findChanges([keywordAt(2, { cited: null })], { 1: [20, true] }, rule);

    expect(first).toMatchObject({
      changes: [{ reasons: expect.arrayContaining(['moved']) }],
      next: { 1: [2, true, 2] },
    });
    expect(findChanges([keywordAt(2, { cited: false })], first.next, rule).changes).toMatchObject([
      { reasons: ['not_cited'] },
    ]);
  });

  test('that becomes known is the first one to compare with', () => {
    const first = findChanges([keywordAt(7, { cited: true })], { 1: [7, null] }, rule);

    expect(first).toEqual({ changes: [], next: { 1: [7, true, 7] } });
  });
});

test('a change has the keyword, both positions, the citation and the time of the crawl', () => {
  expect(findChanges([keywordAt(2, { cited: true })], { 1: [20, false] }, rule).changes).toEqual([
    {
      keyword_id: 1,
      keyword: 'coffee',
      engine: 'google',
      iso_code: 'US',
      language_code: 'en',
      location_name: '',
      device: 'desktop',
      domain: 'own.example.com',
      reasons: ['moved', 'entered_top_3', 'entered_top_10', 'cited'],
      previous_position: 20,
      position: 2,
      movement: 18,
      moved_from: 20,
      url: 'https://own.example.com/',
      cited: true,
      lost_to: null,
      crawled_at: 5,
      chart_url: 'https://own.example.com/charts/1.svg',
    },
  ]);
});

test('changes are in the order of their size in either direction, then of the ids', () => {
  const marks: Baseline = { 1: [20, null], 2: [20, null], 3: [20, null], 4: [20, null] };
  const keywords = [
    keywordAt(14, { keyword_id: 4 }),
    keywordAt(26, { keyword_id: 3 }),
    keywordAt(60, { keyword_id: 2 }),
    keywordAt(13, { keyword_id: 1 }),
  ];

  expect(findChanges(keywords, marks, rule).changes.map(({ keyword_id }) => keyword_id)).toEqual([
    2, 1, 3, 4,
  ]);
});

test('the size of a change is that of its larger movement: since the last report, or since the last check', () => {
  const marks: Baseline = { 1: [9, null, 9], 2: [20, null, 14], 3: [20, null, 20], 4: [20, null, 26] };
  const keywords = [
    keywordAt(12, { keyword_id: 1 }),
    keywordAt(13, { keyword_id: 2 }),
    keywordAt(12, { keyword_id: 3 }),
    keywordAt(15, { keyword_id: 4 }),
  ];
  const { changes } = findChanges(keywords, marks, rule);

  expect(changes.map(({ keyword_id, movement, moved_from }) => [keyword_id, movement, moved_from])).toEqual([
    [4, 11, 20],
    [3, 8, 20],
    [2, 1, 20],
    [1, -3, null],
  ]);
});

test('a rule with a tag reports keywords that have it, however it is written, among other tags', () => {
  const marks: Baseline = { 1: [20, null], 2: [20, null], 3: [20, null] };
  const keywords = [
    keywordAt(2, { keyword_id: 1 }),
    { ...keywordAt(2, { keyword_id: 2 }), tags: ['shop', 'Brand'] },
    { ...keywordAt(2, { keyword_id: 3 }), tags: ['shop'] },
  ];
  const { changes, next } = findChanges(keywords, marks, { ...rule, tag: 'brand' });

  expect(changes.map(({ keyword_id }) => keyword_id)).toEqual([2]);
  expect(Object.keys(next)).toEqual(['1', '2', '3']);
});

describe('the baseline', () => {
  test('gets a new keyword, which reports nothing', () => {
    expect(findChanges([keywordAt(4)], {}, rule)).toEqual({ changes: [], next: { 1: [4, null, 4] } });
  });

  test('does not get a keyword without a position', () => {
    expect(findChanges([keywordAt(null)], {}, rule)).toStrictEqual({ changes: [], next: {} });
  });

  test('keeps the position of a keyword that is not reported, so small movements add up', () => {
    let baseline: Baseline = { 1: [20, null] };
    const reported = [22, 24, 26, 28].map((position) => {
      const { changes, next } = findChanges([keywordAt(position)], baseline, rule);
      baseline = next;
      return changes.length;
    });

    expect(reported).toEqual([0, 0, 1, 0]);
  });

  test('reports a change once', () => {
    const keyword = keywordAt(2);
    const first = findChanges([keyword], { 1: [20, null] }, rule);

    expect(first.changes).toHaveLength(1);
    expect(findChanges([keyword], first.next, rule).changes).toEqual([]);
  });

  test.each([
    ['movements', rule],
    ['boundaries', { ...rule, moved_by: 0 }],
  ])('keeps the positions of changes that do not fit in an alert: the next one has them (%s)', (_, of) => {
    const keywords = Array.from({ length: 1500 }, (_, n) => keywordAt(1, { keyword_id: n + 1 }));
    const marks: Baseline = Object.fromEntries(keywords.map(({ keyword_id }) => [keyword_id, [50, null]]));
    const first = findChanges(keywords, marks, of);
    const second = findChanges(keywords, first.next, of);

    expect([first.changes.length, second.changes.length]).toEqual([1000, 500]);
    const ids = [...first.changes, ...second.changes].map(({ keyword_id }) => keyword_id);
    expect(new Set(ids).size).toBe(1500);
  });
});

describe('movements that a rule did not report', () => {
  const walk = [20, 30, 40, 41];
  const reportedBy = (first: AlertRule, later: AlertRule) => {
    let baseline: Baseline = {};
    for (const position of walk) baseline = findChanges([tagged(position)], baseline, first).next;
    return [43, 46].map((position) => {
      const { changes, next } = findChanges([tagged(position)], baseline, later);
      baseline = next;
      return changes.map(({ moved_from }) => moved_from);
    });
  };
  const tagged = (position: number) => ({ ...keywordAt(position), tags: ['Brand'] });
  const moving: AlertRule = { ...rule, boundaries: [] };

  test.each<[string, AlertRule]>([
    ['because it had no `moved_by`', { ...moving, moved_by: 0 }],
    ['because the keyword did not have its tag', { ...moving, tag: 'other' }],
    ['of drops, because it had no `moved_by`', { ...moving, moved_by: 0, direction: 'drops' }],
  ])('%s are no part of those that a later rule reports', (_, first) => {
    expect(reportedBy(first, moving)).toEqual([[], [41]]);
    expect(reportedBy(first, { ...moving, tag: 'brand' })).toEqual([[], [41]]);
  });
});

describe('a rule of one direction', () => {
  const walked = (direction: 'drops' | 'rises', walk: readonly number[]) => {
    const of: AlertRule = { ...rule, direction, boundaries: [] };
    let { next } = findChanges([keywordAt(walk[0] ?? null)], {}, of);
    return walk.slice(1).map((position) => {
      const found = findChanges([keywordAt(position)], next, of);
      next = found.next;
      return found.changes.map(({ moved_from }) => moved_from);
    });
  };

  test('of drops compares with the best position since its last report', () => {
    expect(walked('drops', [20, 11, 14, 16, 20, 21])).toEqual([[], [], [11], [], [16]]);
  });

  test('of rises compares with the worst one', () => {
    expect(walked('rises', [11, 20, 17, 14, 13, 1000])).toEqual([[], [], [20], [], []]);
  });

  test.each<['drops' | 'rises', boolean, string[]]>([
    ['drops', false, ['not_cited']],
    ['drops', true, []],
    ['rises', true, ['cited']],
    ['rises', false, []],
  ])('of %s reports its part of the citations', (direction, now, reasons) => {
    const found = findChanges([keywordAt(7, { cited: now })], { 1: [7, !now] }, { ...rule, direction });

    expect(found.changes.flatMap((change) => change.reasons)).toEqual(reasons);
  });
});

test('a rule without conditions reports nothing', () => {
  const none: AlertRule = { ...rule, moved_by: 0, boundaries: [], lost_first_to: [], citations: false };

  expect(findChanges([keywordAt(1, { cited: true })], { 1: [1000, false] }, none).changes).toEqual([]);
});

/** Deterministic numbers from 0 to 1. */
const numbersOf = (seed: number) => {
  let state = seed;
  return () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
};

/** What a rule reports on a walk by its definition: each rule alone, from the walk only. */
const transitionsOf = (
  walk: readonly number[],
  { moved_by, boundaries, lost_first_to, direction = 'all' }: AlertRule,
) => {
  const [hasDrops, hasRises] = [direction !== 'rises', direction !== 'drops'];
  const drop = (a: number, b: number) => Math.min(b, 101) - Math.min(a, 101);
  /** The positions since the last report of `moved`, with that one. */
  let since = walk.slice(0, 1);
  return walk.slice(1).map((now, n) => {
    const before = walk[n] ?? 0;
    const first = since[0] ?? 0;
    const largest = {
      all: Math.abs(drop(first, now)),
      drops: Math.max(...since.map((position) => drop(position, now))),
      rises: Math.max(...since.map((position) => -drop(position, now))),
    }[direction];
    const moved = moved_by > 0 && largest >= moved_by;
    since = moved ? [now] : [...since, now];
    return [
      ...(moved ? ['moved'] : []),
      ...boundaries.flatMap((end) => {
        if (before > end && now <= end) return hasRises ? [`entered_top_${end}`] : [];
        return hasDrops && before <= end && now > end ? [`left_top_${end}`] : [];
      }),
      // On these walks, the rival is first whenever the domain is not.
      ...(hasDrops && lost_first_to.length > 0 && before === 1 && now !== 1 ? ['lost_first'] : []),
    ];
  });
};

test.each(Array.from({ length: 300 }, (_, seed) => seed + 1))(
  'any rule reports exactly the transitions of a random walk (%i)',
  (seed) => {
    const random = numbersOf(seed * 7919);
    for (let n = 0; n < 5; n++) random();
    const among = <Item>(items: readonly Item[]): Item[] => items.filter(() => random() < 0.5);
    const walked: AlertRule = {
      ...rule,
      moved_by: Math.floor(random() * 8),
      boundaries: among([3, 10, 100] as const),
      lost_first_to: among(['rival.example.net']),
      citations: false,
      direction: (['all', 'drops', 'rises'] as const)[Math.floor(random() * 3)] ?? 'all',
    };
    const spread = random() < 0.5 ? 4 : 150;
    const step = () => 1 + Math.floor(random() * spread);
    const walk = Array.from({ length: 40 }, () => (random() < 0.1 ? 1000 : step()));
    let { next } = findChanges([keywordAt(walk[0] ?? null)], {}, walked);
    const reported = walk.slice(1).map((position) => {
      const found = findChanges([keywordAt(position, { rival: position === 1 ? 2 : 1 })], next, walked);
      next = found.next;
      return found.changes.flatMap(({ reasons }) => reasons);
    });

    expect(reported).toEqual(transitionsOf(walk, walked));
  },
);

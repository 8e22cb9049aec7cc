/** Filters, order and pages of keywords. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type KeywordSort, ownerSorts } from '../../../../lib/model/report-query.ts';
import type { TrackedKeyword } from '../../../../lib/model/tracking.ts';
import { noRank } from '../../../../lib/reporting/observe.ts';
import {
  compareKeys,
  type Edge,
  type Key,
  type Part,
  partAt,
} from '../../../../lib/reporting/report/page.ts';
import {
  allKeywords,
  type Sorted,
  selectKeywords,
  signOf,
} from '../../../../lib/reporting/report/select-keywords.ts';
import { keywordOf, movedOf } from '../keywords.ts';

const clock = { isPaused: false, now: 0 };

const idsOf = (keywords: readonly TrackedKeyword[], filter: Partial<typeof allKeywords>) =>
  selectKeywords(keywords, { ...allKeywords, ...filter }, clock).map(({ keyword }) => keyword.keyword_id);

describe('a filter by the newest crawl', () => {
  const owners = { ai_overview: { all: 3, rivals: { 'rival.com': 1 } }, image: { all: 2, own: 1 } };
  const keywords = [
    { ...movedOf([30, 12], { keyword_id: 1 }), features: ['ai_overview'], iso_code: 'DE' },
    { ...movedOf([4, 1000], { keyword_id: 2 }), iso_code: 'US' },
    { ...keywordOf({ keyword_id: 3 }), iso_code: 'de' },
    {
      ...movedOf([7, 7], { keyword_id: 4 }),
      features: ['people_also_ask', 'ai_overview', 'image'],
      iso_code: 'FR',
      owners,
    },
    { ...movedOf([5], { keyword_id: 5 }), iso_code: 'gb' },
  ];
  const pageOf = (id: number) => keywords[id - 1]?.ranks[0]?.current?.url ?? '';

  test.each<[string, Partial<typeof allKeywords>, number[]]>([
    ['positions 5 to 12', { position_from: 5, position_to: 12 }, [1, 4, 5]],
    ['from position 8', { position_from: 8 }, [1, 2]],
    ['up to position 7', { position_to: 7 }, [4, 5]],
    ['not ranked', { position_from: 1000, position_to: 1000 }, [2]],
    ['up', { moved: 'up' }, [1]],
    ['down', { moved: 'down' }, [2]],
    ['no movement, or only one crawl', { moved: 'same' }, [4, 5]],
    ['a kind of item, in any spelling', { feature: ' AI overview' }, [1, 4]],
    ['who has a kind of item', { feature: 'ai_overview', feature_of: 'competitor' as const }, [4]],
    ['who has any item', { feature_of: 'own' as const }, [4]],
    ['who does not have a kind of item', { feature: 'image', feature_of: 'competitor' as const }, []],
    ['a kind of item that no page has', { feature: 'overview' }, []],
    ['a country', { iso_code: 'De' }, [1, 3]],
    ['a country by its other code', { iso_code: 'uk' }, [5]],
    ['an address that nothing has', { url: 'no-such-page' }, []],
    ['a letter that every address has, which a keyword without a page has not', { url: 'e' }, [1, 2, 4, 5]],
    ['all at once', { position_to: 20, moved: 'up', feature: 'ai_overview', iso_code: 'DE' }, [1]],
  ])('%s', (_, filter, ids) => {
    expect(idsOf(keywords, filter)).toEqual(ids);
  });

  test('a part of the address of the page, in either case', () => {
    expect(pageOf(1)).not.toBe('');
    expect(idsOf(keywords, { url: pageOf(1).toUpperCase().slice(8, 20) })).toContain(1);
    expect(idsOf(keywords, { url: pageOf(1).toUpperCase().slice(8, 20) })).not.toContain(3);
  });
});

describe('the order of the owner', () => {
  const paged = (keyword_id: number, url: string): TrackedKeyword => ({
    ...keywordOf({ keyword_id }),
    ranks: [{ ...noRank, current: { at: 1, position: 4, url } }],
  });
  const keywords: TrackedKeyword[] = [
    { ...paged(1, 'https://www.b.example/x'), tags: ['Zoo', 'brand'], iso_code: 'us' },
    { ...paged(2, 'http://a.example/'), features: ['image', 'ai_overview'], engine: 'yahoo' },
    {
      ...keywordOf({ keyword_id: 3 }),
      tags: ['zoo'],
      volumes: { local_sv: 50, global_sv: 90, cpc: 1, at: 0 },
    },
    { ...paged(4, ''), features: ['ai_overview'], iso_code: 'FR', engine: 'bing' },
  ];

  test.each<[KeywordSort, number[]]>([
    ['url', [2, 1, 3, 4]],
    ['features', [4, 2, 1, 3]],
    ['tags', [1, 3, 2, 4]],
    ['iso_code', [2, 3, 4, 1]],
    ['engine', [4, 1, 3, 2]],
    ['local_sv', [1, 2, 4, 3]],
  ])('by %s: a keyword without one is after the others', (sort, ids) => {
    const found = (order: 'asc' | 'desc') =>
      selectKeywords(keywords, { ...allKeywords, sort, order }, clock).map(({ key }) => key[1]);
    expect(found('asc')).toEqual(ids);
    expect(found('desc')).toEqual(ids.toReversed());
  });
});

describe('the text by which a list is sorted', () => {
  const keyOf = (keyword: TrackedKeyword, sort: KeywordSort) =>
    selectKeywords([keyword], { ...allKeywords, sort }, clock)[0]?.key[0];
  const at = (url: string) => keywordOf({ ranks: [{ ...noRank, current: { at: 1, position: 4, url } }] });

  test.each<[KeywordSort, TrackedKeyword, string]>([
    ['name', keywordOf({ keyword: 'Green TEA' }), 'green tea'],
    [
      'url',
      at('HTTPS://www.Shop.example/A?u=https://www.b.example'),
      'shop.example/a?u=https://www.b.example',
    ],
    ['url', at('http://shop.example/'), 'shop.example/'],
    ['url', keywordOf(), '\uffff'],
    ['tags', keywordOf({ tags: ['New', ' hot  Drinks'] }), 'hot drinks new'],
    ['features', keywordOf({ features: ['video', 'image'] }), 'image video'],
    ['features', keywordOf(), '\uffff'],
  ])('of %s is the same for all spellings', (sort, keyword, text) => {
    expect(keyOf(keyword, sort)).toBe(text);
  });

  test('is short, so that a cursor is', () => {
    const long = 'x'.repeat(2000);
    const keyword = { ...at(`https://${long}`), keyword: long, tags: [long], features: [long] };

    for (const sort of ['name', 'url', 'tags', 'features'] as const)
      expect(keyOf(keyword, sort)).toBe('x'.repeat(100));
  });

  test('of the volume has an unknown one before 0', () => {
    const none = { local_sv: 0, global_sv: 0, cpc: 0, at: 0 };

    expect(keyOf(keywordOf(), 'local_sv')).toBeLessThan(
      Number(keyOf(keywordOf({ volumes: none }), 'local_sv')),
    );
  });
});

describe('order', () => {
  const keywords = [
    movedOf([30, 12], { keyword_id: 1, keyword: 'tea' }),
    movedOf([4, 1000], { keyword_id: 2, keyword: 'Coffee' }),
    keywordOf({ keyword_id: 3, keyword: 'apple' }),
    movedOf([7, 7], { keyword_id: 4, keyword: 'tea' }),
  ];

  test.each([
    ['the order of creation', undefined, [1, 2, 3, 4]],
    ['name, ignoring case', 'name', [3, 2, 1, 4]],
    ['current position: not ranked counts as 101, none is last', 'current_position', [4, 1, 2, 3]],
    ['best position', 'best_position', [2, 4, 1, 3]],
    ['movement: none counts as 0', 'movement', [2, 3, 4, 1]],
    ['status', 'status', [3, 1, 2, 4]],
  ] as const)('%s', (_, sort, ids) => {
    expect(idsOf(keywords, { sort })).toEqual(ids);
    expect(idsOf(keywords, { sort, order: 'desc' })).toEqual(ids.toReversed());
  });
});

test('the order by status is that of the present time', () => {
  const keywords = [
    movedOf([3], { keyword_id: 1, next_at: 50 }),
    keywordOf({ keyword_id: 2, gap: { at: 1, reason: 'captcha' }, next_at: 200 }),
  ];
  const statusesAt = (now: number) =>
    selectKeywords(keywords, { ...allKeywords, sort: 'status' }, { isPaused: false, now }).map(
      ({ key }) => key,
    );

  expect(statusesAt(0)).toEqual([
    ['failed', 2],
    ['updated', 1],
  ]);
  expect(statusesAt(100)).toEqual([
    ['failed', 2],
    ['updating', 1],
  ]);
});

describe('filter', () => {
  const keywords = [
    keywordOf({ keyword_id: 1, keyword: 'Green Tea', device: 'mobile', tags: ['New', 'Hot drinks'] }),
    keywordOf({ keyword_id: 2, keyword: 'coffee', type: 'competitor', engine: 'bing', engine_domain: '' }),
    movedOf([3], { keyword_id: 3, keyword: 'tea İçin', location_name: '', iso_code: 'US' }),
  ];

  test.each([
    ['a part of the name, ignoring case', { search: 'TEA' }, [1, 3]],
    ['a part of the name with a letter of a Turkish keyboard', { search: 'için' }, [3]],
    ['a text that no name has', { search: "';--" }, []],
    ['device', { device: 'mobile' }, [1]],
    ['type', { type: 'competitor' }, [2]],
    ['the location as shown, ignoring case', { location: 'berlin,germany' }, [1, 2]],
    ['the country of a keyword without a place', { location: 'United States' }, [3]],
    ['a part of a location is not enough', { location: 'berlin' }, []],
    ['the domain of the engine', { search_engine: 'GOOGLE.com' }, [1, 3]],
    ['the name of the engine', { search_engine: 'Bing' }, [2]],
    ['status, ignoring case', { status: 'Updated' }, [3]],
    ['an unknown status', { status: 'lost' }, []],
    ['a tag, in any spelling', { tag: ' hot  DRINKS' }, [1]],
    ['a part of a tag is not enough', { tag: 'hot' }, []],
    ['several at once', { search: 'tea', device: 'desktop' }, [3]],
  ] as const)('%s', (_, filter, ids) => {
    expect(idsOf(keywords, filter)).toEqual(ids);
  });
});

describe('pages', () => {
  const compareWith =
    (sign: number) =>
    ({ key }: Sorted, other: Key): number =>
      sign * compareKeys(key, other);

  test('forwards and backwards have each keyword once, in order', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 40 }),
        fc.integer({ min: 1, max: 7 }),
        fc.constantFrom(...ownerSorts),
        fc.constantFrom('asc' as const, 'desc' as const),
        (positions, size, sort, order) => {
          const keywords = positions.map((position, n) => movedOf([position], { keyword_id: n + 1 }));
          const filter = { ...allKeywords, sort, order };
          const sorted = selectKeywords(keywords, filter, clock);
          const compare = compareWith(signOf(filter));
          const walk = (side: 'after' | 'before'): Sorted[] => {
            const seen: Sorted[] = [];
            let edge: Edge | undefined = side === 'after' ? undefined : { side, key: null };
            for (;;) {
              const part: Part<Sorted> = partAt(sorted, edge, { size, compare });
              if (side === 'after') seen.push(...part.items);
              else seen.unshift(...part.items);
              const last: Sorted | undefined = side === 'after' ? part.items.at(-1) : part.items[0];
              if (!last || !(side === 'after' ? part.hasAfter : part.hasBefore)) return seen;
              edge = { side, key: last.key };
            }
          };

          expect(walk('after')).toEqual(sorted);
          expect(walk('before')).toEqual(sorted);
        },
      ),
    );
  });

  test('do not shift when keywords before the page are added or removed', () => {
    const all = [1, 2, 3, 4, 5, 6].map((n) => movedOf([n], { keyword_id: n }));
    const filter = { ...allKeywords, sort: 'current_position' as const };
    const at = (keywords: TrackedKeyword[], edge?: Edge) =>
      partAt(selectKeywords(keywords, filter, clock), edge, { size: 2, compare: compareWith(1) });
    const first = at(all);
    const edge: Edge = { side: 'after', key: first.items.at(-1)?.key ?? [0, 0] };
    const ids = (keywords: TrackedKeyword[]) =>
      at(keywords, edge).items.map(({ keyword }) => keyword.keyword_id);

    expect(ids(all)).toEqual([3, 4]);
    expect(ids(all.slice(2))).toEqual([3, 4]);
    expect(ids([movedOf([1], { keyword_id: 9 }), ...all])).toEqual([3, 4]);
  });
});

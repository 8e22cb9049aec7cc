/** The pages of a project's domain, and the keywords that they rank for. The tables are replaced. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { OwnUrl, TrackedKeyword } from '../../../../lib/model/tracking.ts';
import type { Account } from '../../../../lib/model/user.ts';
import { findProject, keywordsOf } from '../../../../lib/reporting/find.ts';
import {
  listCompetingPages,
  listLandingPages,
  ownPagesOf,
} from '../../../../lib/reporting/manage/own-pages.ts';
import { noRank } from '../../../../lib/reporting/observe.ts';
import { keywordOf } from '../keywords.ts';

vi.mock(import('../../../../lib/reporting/find.ts'), () => ({ findProject: vi.fn(), keywordsOf: vi.fn() }));

const user = { id: 1 } as Account;

/** A keyword whose domain is at a position with a page, and perhaps has more of them. */
const at = (
  keyword_id: number,
  position: number,
  url: string,
  { own, ...more }: Partial<TrackedKeyword> & { own?: OwnUrl[] } = {},
) =>
  keywordOf({
    keyword_id,
    keyword: `k${keyword_id}`,
    ranks: [{ ...noRank, current: { at: 1, position, url } }],
    ...(own && { own_urls: own }),
    ...more,
  });
const has = (...keywords: TrackedKeyword[]) => vi.mocked(keywordsOf).mockResolvedValue(keywords);
const shown = (id: number) => ({
  keyword_id: id,
  keyword: `k${id}`,
  device: 'desktop',
  location: 'Berlin,Germany',
});
const list = (more: object = {}) =>
  listLandingPages(user, 2, { url: '', page: 1, per_page: 10, ...more } as never);

beforeEach(() => {
  vi.resetAllMocks();
  vi.mocked(findProject).mockResolvedValue({ project_id: 2, domain: 'example.com' } as never);
});

test.each<[string, OwnUrl[] | undefined, number, string, [number, string][]]>([
  ['the one that was found', undefined, 3, 'a', [[3, 'a']]],
  [
    'those that are stored',
    [
      [2, 'b'],
      [5, 'c'],
    ],
    3,
    'a',
    [
      [2, 'b'],
      [5, 'c'],
    ],
  ],
  ['none that is not ranked', undefined, 1000, 'a', []],
  ['none without an address', undefined, 3, '', []],
])('the pages of a domain are %s', (_, stored, position, url, expected) => {
  expect(ownPagesOf(stored, { position, url })).toEqual(
    expected.map(([place, page]) => ({ position: place, url: page })),
  );
});

describe('the pages that rank', () => {
  test('have their keywords, the page with most of them first, the best position first', async () => {
    has(
      at(1, 7, 'b'),
      at(2, 4, 'a', {
        own: [
          [4, 'a'],
          [6, 'b'],
        ],
      }),
      at(3, 4, 'b', { location_name: '' }),
      keywordOf({ keyword_id: 4 }),
    );

    expect(await list()).toEqual({
      data: [
        {
          url: 'b',
          keywords_count: 3,
          best_position: 4,
          keywords: [
            { ...shown(3), location: 'Germany', position: 4, is_best: true },
            { ...shown(2), position: 6, is_best: false },
            { ...shown(1), position: 7, is_best: true },
          ],
        },
        {
          url: 'a',
          keywords_count: 1,
          best_position: 4,
          keywords: [{ ...shown(2), position: 4, is_best: true }],
        },
      ],
      total: 2,
    });
    expect(findProject).toHaveBeenCalledExactlyOnceWith(user, 2);
    expect(keywordsOf).toHaveBeenCalledExactlyOnceWith(2);
  });

  test('are those of the keywords that follow the domain of the project', async () => {
    has(
      at(1, 1, 'a', { type: 'competitor' }),
      at(2, 1, 'b', { domain: 'other.com' }),
      at(3, 1, 'c'),
      at(4, 1, 'd', { domain: 'https://WWW.Example.com/' }),
    );

    expect(await list()).toMatchObject({ data: [{ url: 'c' }, { url: 'd' }], total: 2 });
  });

  test('count a keyword once, at its best position', async () => {
    has(
      at(1, 2, 'a', {
        own: [
          [2, 'a'],
          [8, 'a'],
        ],
      }),
    );

    expect((await list()).data[0]?.keywords).toEqual([{ ...shown(1), position: 2, is_best: true }]);
  });

  test('with as many keywords are in the order of their addresses, and their keywords in that of the ids', async () => {
    has(at(9, 3, 'b'), at(2, 3, 'a'), at(3, 3, 'c'), at(1, 3, 'a'), at(4, 3, 'b'));

    expect(
      (await list()).data.map(({ url, keywords }) => [url, keywords.map((each) => each.keyword_id)]),
    ).toEqual([
      ['a', [1, 2]],
      ['b', [4, 9]],
      ['c', [3]],
    ]);
  });

  test('come page by page', async () => {
    has(...['a', 'b', 'c', 'd', 'e'].map((url, n) => at(n + 1, 1, url)));
    const urlsOf = async (page: number) => (await list({ page, per_page: 2 })).data.map(({ url }) => url);

    expect(await Promise.all([1, 2, 3, 4].map(urlsOf))).toEqual([['a', 'b'], ['c', 'd'], ['e'], []]);
    expect((await list({ page: 2, per_page: 2 })).total).toBe(5);
  });

  test('show ten keywords of each, and all of the page that is asked for', async () => {
    has(...Array.from({ length: 12 }, (_, n) => at(n + 1, 1, 'a')), at(13, 1, 'b'));
    const counts = async (more: object) =>
      (await list(more)).data.map(({ url, keywords, keywords_count }) => [
        url,
        keywords.length,
        keywords_count,
      ]);

    expect(await counts({})).toEqual([
      ['a', 10, 12],
      ['b', 1, 1],
    ]);
    expect(await counts({ url: 'a' })).toEqual([['a', 12, 12]]);
    expect(await list({ url: 'x' })).toEqual({ data: [], total: 0 });
  });
});

describe('the keywords with competing pages', () => {
  test('have several pages, those with most of them first, then by their ids', async () => {
    has(
      at(5, 1, 'a', {
        own: [
          [1, 'a'],
          [2, 'b'],
        ],
      }),
      at(2, 1, 'a', {
        own: [
          [1, 'a'],
          [2, 'a'],
        ],
      }),
      at(4, 1, 'a', {
        own: [
          [1, 'a'],
          [2, 'b'],
        ],
      }),
      at(6, 1, 'a', {
        own: [
          [1, 'a'],
          [2, 'b'],
          [3, 'c'],
        ],
      }),
      at(7, 1, 'a'),
      at(8, 1, 'a', {
        own: [
          [1, 'a'],
          [2, 'b'],
        ],
        type: 'competitor',
      }),
    );
    const { data, total } = await listCompetingPages(user, 2);

    expect(total).toBe(3);
    expect(data.map(({ keyword_id }) => keyword_id)).toEqual([6, 4, 5]);
    expect(data[1]).toEqual({
      ...shown(4),
      own_urls: [
        { position: 1, url: 'a' },
        { position: 2, url: 'b' },
      ],
    });
  });

  test('are a thousand at most, with the number of all', async () => {
    has(
      ...Array.from({ length: 1001 }, (_, n) =>
        at(n + 1, 1, 'a', {
          own: [
            [1, 'a'],
            [2, 'b'],
          ],
        }),
      ),
    );
    const { data, total } = await listCompetingPages(user, 2);

    expect([data.length, total]).toEqual([1000, 1001]);
  });
});

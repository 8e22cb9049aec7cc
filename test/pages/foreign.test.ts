/**
 * Saved pages of web engines as answers to the queries of all others, and what they say of their country. No
 * page of another search passes without a warning, and no page of its own search is refused.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import type { ResultItem } from '../../lib/model/result.ts';
import { otherCountryOf, type PageMarket } from '../../lib/serp/market.ts';
import { partsOf } from '../../lib/serp/query-parts.ts';
import { readers } from '../../lib/serp/reader.ts';
import { fitOf, fitOfSearch } from '../../lib/serp/relevance.ts';
import { htmlOf, savedPages } from './saved-pages.ts';

type Saved = {
  query: string;
  organic: ResultItem[];
  items: ResultItem[];
  spellings: string[];
  language: string;
  market: PageMarket;
};

let pages: Saved[] = [];

beforeAll(() => {
  pages = (['google', 'bing', 'yahoo'] as const).flatMap((engine) =>
    savedPages(engine)
      .filter(({ verdict }) => verdict === 'results')
      .map((row): Saved => {
        const page = readers[engine].open(htmlOf(row));
        const { left, right, searched } = page.read(row.device);
        const spellings = left.filter(({ type, state }) => type === 'spelling' && state !== 'silent');
        const isShortened = left.some(({ state }) => state === 'silent');
        return {
          query: row.query,
          organic: left.filter(({ type }) => type === 'organic'),
          items: [...left, ...right],
          spellings: [
            ...spellings.map(({ title }) => title),
            ...(searched && (engine === 'google' || !isShortened) ? [searched] : []),
          ],
          language: row.language,
          market: page.market(),
        };
      }),
  );
});

const shareOf = (part: number, all: number): number => (all === 0 ? 0 : part / all);

describe('queries', () => {
  test('no result of its own search is refused, and at most one in ten has a warning', () => {
    const fits = pages.map(({ query, spellings, organic, items }) =>
      fitOfSearch(query, spellings, organic, items),
    );
    const refused = pages.filter((_, index) => fits[index]?.fit === 'foreign').map(({ query }) => query);

    expect(pages.length).toBeGreaterThan(100);
    expect(refused).toEqual([]);
    expect(shareOf(fits.filter(({ fit }) => fit === 'part').length, pages.length)).toBeLessThan(0.1);
  });

  /** Some queries are about the same, such as two about hotels in New York. */
  test('of the queries of other pages, fewer than 3 in 1,000 pass without a warning', () => {
    const queries = [...new Set(pages.map(({ query }) => query))];
    let [tried, passed] = [0, 0];
    for (const { query, organic, items } of pages) {
      for (const other of queries.filter((one) => one !== query)) {
        tried += 1;
        if (fitOf(other, organic, items).fit === 'fits') passed += 1;
      }
    }

    expect(tried).toBeGreaterThan(10_000);
    expect(shareOf(passed, tried)).toBeLessThan(0.003);
  });

  const firstWord = (query: string): string | undefined =>
    partsOf(query)
      .terms.flatMap(({ words }) => words)
      .find((word) => /^\p{L}{4,}$/u.test(word));

  test('a query with one shared word does not pass without a warning', () => {
    const shared = pages.flatMap((page) => {
      const word = firstWord(page.query);
      return word === undefined ? [] : [{ ...page, asked: `umbrella ${word} varnish` }];
    });
    const passed = shared.filter(({ asked, organic, items }) => fitOf(asked, organic, items).fit === 'fits');

    expect(shared.length).toBeGreaterThan(100);
    expect(passed.map(({ asked }) => asked)).toEqual([]);
  });

  test.each([
    'zq',
    'xj qv',
    '7 × 93',
    '3 + 88',
    'kk9',
    '鹦鹉',
    '鷹',
    '鸚鵡 羽毛',
    'インコ',
    '앵무새',
    'นกแก้ว',
    'ببغاء',
    'تعلم العزف',
    'кит',
    'ёж',
    'תוכי',
    'तोता',
    'παπαγάλος',
  ])('the short query %s does not pass', (asked) => {
    const passed = pages.filter(({ organic, items }) => fitOf(asked, organic, items).fit === 'fits');

    expect(passed.map(({ query }) => query)).toEqual([]);
  });

  test('no page passes for a site that its results are not from', () => {
    const passed = pages.filter(
      ({ query, organic, items }) =>
        fitOf(`site:elsewhere.example ${query.replace(/-?site:\S+/g, '')}`, organic, items).fit !== 'foreign',
    );

    expect(passed.map(({ query }) => query)).toEqual([]);
  });
});

describe('countries', () => {
  /** The recorded language of a page has the country if it is known: `en-ES`. */
  test('no page is refused for its own country', () => {
    const known = pages.filter(
      ({ language }) => /^[a-z]{2}-[A-Z]{2}$/.test(language) && language !== 'zh-CN',
    );
    const refused = known.filter(({ market, language }) =>
      otherCountryOf(market, { country: language.slice(3), language: '' }),
    );

    expect(known.length).toBeGreaterThan(20);
    expect(refused.map(({ query }) => query)).toEqual([]);
  });

  test('most pages for other countries than the United States are noticed', () => {
    const foreign = pages.filter(({ language }) => !/^(?:en(?:-US)?)?$/.test(language));
    const noticed = foreign.filter(({ market }) => otherCountryOf(market, { country: 'US', language: 'en' }));

    expect(foreign.length).toBeGreaterThan(30);
    expect(shareOf(noticed.length, foreign.length)).toBeGreaterThan(0.9);
  });
});

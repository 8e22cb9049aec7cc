/** Pages whose engine has corrected the spelling of the query, and pages of other searches. */
import { describe, expect, test } from 'vitest';
import { engines } from '../../../lib/model/engine.ts';
import { doubleOf } from '../../../lib/sandbox/engines.ts';
import { pageUrl } from '../../../lib/serp/address.ts';
import { isCorrection } from '../../../lib/serp/correction.ts';
import { readers } from '../../../lib/serp/reader.ts';
import { type Random, randomBy } from '../../tampering/random.ts';
import { noon } from '../sandbox/ask.ts';

const webEngines = ['google', 'bing', 'yahoo'] as const;

/** A page of the sandbox for a query, judged as the answer to another one. */
const judgeFor = (
  engine: (typeof webEngines)[number],
  shown: string,
  query: string,
  change = (html: string) => html,
) => {
  const search = {
    engine,
    keyword: shown,
    location_name: '',
    iso_code: 'us',
    language_code: 'en',
    engine_domain: engines[engine].domain,
    device: 'desktop' as const,
    depth: 100,
  };
  const { body } = doubleOf(engine)({ url: pageUrl(search, 1), device: 'desktop', now: noon });
  const page = readers[engine].open(change(body));
  const parsed = page.read('desktop', query);
  const verdict = page.judge(parsed, {
    query,
    device: 'desktop',
    fetchedAt: noon,
    status: 200,
    url: '',
    page: 1,
  });
  return { verdict, parsed };
};

const pick = <T>(list: readonly T[], random: Random): T => list[Math.floor(random.next() * list.length)] as T;

const letters = 'abcdefghijklmnopqrstuvwxyz';

/** A typing error in one of the long words. */
const misspell = (query: string, random: Random): string => {
  const words = query.split(' ');
  const long = [...words.keys()].filter((index) => (words[index] ?? '').length > 5);
  const at = pick(long, random);
  const word = words[at] ?? '';
  const place = 1 + Math.floor(random.next() * (word.length - 2));
  const changed = pick(
    [
      `${word.slice(0, place)}${word.slice(place + 1)}`,
      `${word.slice(0, place)}${word[place]}${word.slice(place)}`,
      `${word.slice(0, place)}${word[place + 1]}${word[place]}${word.slice(place + 2)}`,
      `${word.slice(0, place)}${pick([...letters], random)}${word.slice(place + 1)}`,
    ],
    random,
  );
  return words.map((one, index) => (index === at ? changed : one)).join(' ');
};

const queries = [
  'garden chairs',
  'restaurant supplies',
  'wooden kitchen shelves',
  'saxophone lessons toronto',
  'violin strings for beginners',
  'apartment cleaning',
];

const seeds = Array.from({ length: 6 }, (_, index) => index + 1);

describe.each(webEngines)('%s', (engine) => {
  test('a page for the corrected query is results, and names the correction', () => {
    const faults = queries.flatMap((query) =>
      seeds.flatMap((seed) => {
        const random = randomBy(seed * 977);
        random.next();
        const asked = misspell(query, random);
        if (asked === query) return [];
        const { verdict, parsed } = judgeFor(engine, query, asked);
        const [first] = parsed.left;
        const isNamed = first?.type === 'spelling' && first.title === query && first.state === 'silent';
        return verdict === 'results' && isNamed && parsed.searched === query ? [] : [`${asked}: ${verdict}`];
      }),
    );

    expect(faults).toEqual([]);
  });

  test('a page of another search is refused', () => {
    const others = queries.flatMap((query) => [
      ...queries.filter((other) => other !== query).map((other) => [query, other] as const),
      [query, `${query} online`] as const,
      [query, query.split(' ').slice(1).join(' ')] as const,
      [query, query.split(' ').toReversed().join(' ')] as const,
      ...seeds.map((seed) => {
        const random = randomBy(seed * 31);
        random.next();
        const word = Array.from({ length: 7 }, () => pick([...letters], random)).join('');
        const words = query.split(' ');
        return [query, [word, ...words.slice(1)].join(' ')] as const;
      }),
    ]);
    const passed = others.filter(([shown, asked]) => {
      const { verdict, parsed } = judgeFor(engine, shown, asked);
      return verdict === 'empty' || (verdict === 'results' && parsed.searched === undefined);
    });

    expect(others.length).toBeGreaterThan(80);
    expect(passed).toEqual([]);
  });

  test('a page for the corrected query with results of another one is a decoy', () => {
    const passed = queries.flatMap((query) =>
      seeds.flatMap((seed) => {
        const random = randomBy(seed * 977);
        random.next();
        const asked = misspell(query, random);
        if (asked === query) return [];
        const foreign = 'xylograph pamphlets';
        const rename = (html: string) =>
          html
            .replaceAll(foreign, query)
            .replaceAll(encodeURIComponent(foreign), encodeURIComponent(query))
            .replaceAll(foreign.replaceAll(' ', '+'), query.replaceAll(' ', '+'));
        // Only the box, the title and the links are rewritten: the results keep their words.
        const { verdict } = judgeFor(engine, foreign, asked, (html) =>
          html
            .replace(/<title>[^<]*<\/title>/, rename)
            .replace(/<input[^>]*>|<textarea[^>]*>[^<]*/g, rename)
            .replace(/href="[^"]*"/g, rename),
        );
        return verdict === 'results' || verdict === 'empty' ? [`${asked}: ${verdict}`] : [];
      }),
    );

    expect(passed).toEqual([]);
  });
});

test.each([
  ['resturant near me', 'restaurant near me'],
  ['gett taxii', 'gett taxi'],
  ['acommodation berlin', 'accommodation berlin'],
  ['Strassenbahm Zürich', 'strassenbahn zurich'],
  ['рестаран москва', 'ресторан москва'],
  ['مطعمم دبي', 'مطعم دبي'],
  ['you tube', 'youtube'],
])('%s may be corrected to %s', (query, spelling) => {
  expect(isCorrection(query, spelling)).toBe(true);
});

test.each([
  ['iphone 14', 'iphone 15'],
  ['cat food', 'car food'],
  ['c++ course', 'c# course'],
  ['garden chairs', 'garden'],
  ['garden chairs', 'garden chairs cheap'],
  ['garden chairs', 'chairs garden'],
  ['linkedin', 'facebook'],
  ['z', 'x'],
  ['東京の天気', '大阪の天気'],
  ['', 'garden'],
  ['garden', ''],
])('%s is not corrected to %s', (query, spelling) => {
  expect(isCorrection(query, spelling)).toBe(false);
});

/** The sentences about pages that are not what was asked. */
import { expect, test } from 'vitest';
import { findingsOf } from '../../../lib/crawl/findings.ts';
import type { MarketPage } from '../../../lib/crawl/parse-page.ts';
import { unreadPage } from '../../../lib/serp/page.ts';

const row = {
  engine: 'google',
  keyword: 'tea shop',
  iso_code: 'US',
  language_code: 'en',
  engine_domain: '',
} as const;

const page = (more: Partial<MarketPage> = {}): MarketPage => ({ ...unreadPage, market: {}, ...more });

test.each<[string, MarketPage[], string[]]>([
  ['what was asked', [page({ market: { country: 'US', language: 'en' } })], []],
  [
    'another language, on two pages',
    [page({ market: { language: 'de' } }), page({ market: { language: 'de' } })],
    ['The language of the page is "de", "en" was asked.'],
  ],
  ['a part of the words', [page({ searched: 'tea' })], ['The results are for "tea", not for "tea shop".']],
  ['none of the words', [page({ searched: '' })], ['The results show none of the words of "tea shop".']],
  [
    'blocks that were not read, of which one may be ads',
    [page({ unread_blocks: [{ heading: 'Sponsored', looks_like: 'ads' }, { heading: 'Albums' }] })],
    ['A part of the page that looks like paid results was not read: "Sponsored".'],
  ],
  [
    'both',
    [page({ searched: 'tea', market: { language: 'fr-CA' } })],
    [
      'The results are for "tea", not for "tea shop".',
      'The language of the page is "fr-CA", "en" was asked.',
    ],
  ],
])('pages show %s', (_, pages, expected) => {
  expect(findingsOf(row, pages)).toEqual(expected);
});

test('without an asked language, every language is what was asked', () => {
  expect(findingsOf({ ...row, language_code: '' }, [page({ market: { language: 'de' } })])).toEqual([]);
});

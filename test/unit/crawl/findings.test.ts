/** The sentences about pages that are not what was asked. */
import { expect, test } from 'vitest';
import { findingsOf } from '../../../lib/crawl/findings.ts';
import type { MarketPage } from '../../../lib/crawl/parse-page.ts';
import type { ResultItem } from '../../../lib/model/result.ts';
import { unreadPage } from '../../../lib/serp/page.ts';

const row = {
  engine: 'google',
  keyword: 'tea shop',
  iso_code: 'US',
  language_code: 'en',
  engine_domain: '',
} as const;

const page = (more: Partial<MarketPage> = {}): MarketPage => ({ ...unreadPage, market: {}, ...more });

const titled = (title: string): ResultItem => ({
  type: 'organic',
  position: '1',
  absolute_position: 1,
  title,
  url: 'https://kiln.example/',
  breadcrumb: '',
  snippet: '',
});

test.each<[string, MarketPage[], string[]]>([
  ['what was asked', [page({ market: { country: 'US', language: 'en' } })], []],
  [
    'another language, on two pages',
    [page({ market: { language: 'de' } }), page({ market: { language: 'de' } })],
    ['The language of the page is "de", "en" was asked.'],
  ],
  ['a part of the words', [page({ searched: 'tea' })], ['The results are for "tea", not for "tea shop".']],
  [
    'none of the words',
    [page({ searched: '' })],
    ['The results show none or too few of the words of "tea shop".'],
  ],
  [
    'blocks that were not read, of which one may be ads',
    [page({ unread_blocks: [{ heading: 'Sponsored', looks_like: 'ads' }, { heading: 'Albums' }] })],
    ['A part of the page that looks like paid results was not read: "Sponsored".'],
  ],
  [
    'garbled texts',
    [page({ left: ['CafÃ© Luna', 'CrÃ¨me'].map(titled) })],
    ['The texts of the page were decoded with a wrong charset: "CafÃ© Luna".'],
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

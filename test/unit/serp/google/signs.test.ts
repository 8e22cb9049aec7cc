/** Ratings, counts, prices, durations and dates in the formats of many languages. */
import { describe, expect, test } from 'vitest';
import { priceIn, ratingIn } from '../../../../lib/serp/amounts.ts';
import { dateIn, durationIn } from '../../../../lib/serp/dates.ts';
import { searchTimeOf } from '../../../../lib/serp/google/page-facts.ts';

test.each([
  ['4.8(212)', { rating: '4.8', reviews: '212' }],
  ['4,9(60 728)', { rating: '4,9', reviews: '60 728' }],
  ['4.4(1.9K) · Shop', { rating: '4.4', reviews: '1.9K' }],
  ['Rating: 4.5 · ‎345 reviews', { rating: '4.5', reviews: '345' }],
  ['(1.9K) Rated 4.4 out of 5', { rating: '4.4', reviews: '1.9K' }],
  ['5.0', { rating: '5.0' }],
  ['۴٫۸ (۲۱۲)', { rating: '۴٫۸', reviews: '۲۱۲' }],
  ['(1.9K)', {}],
  ['12.5 km', {}],
  ['2024.5', {}],
  ['no stars', {}],
])('the rating in "%s" is %o', (text, rated) => {
  expect(ratingIn(text)).toEqual(rated);
});

test.each([
  ['$12.90', '$12.90'],
  ['from $1,208.50 a month', '$1,208.50'],
  ['12,50 €', '12,50 €'],
  ['1 298 €', '1 298 €'],
  ['₹859.45', '₹859.45'],
  ['از ۱٬۲۰۸ ﷼', '۱٬۲۰۸ ﷼'],
  ['12 lanterns', ''],
])('the price in "%s" is "%s"', (text, price) => {
  expect(priceIn(text)).toBe(price);
});

test.each([
  [['4:05'], '4:05'],
  [['Paper', '1:02:03'], '1:02:03'],
  [['۴:۰۵'], '۴:۰۵'],
  [['From 4:05'], ''],
  [['16:9:1:2'], ''],
])('the duration in %o is "%s"', (lines, duration) => {
  expect(durationIn(lines)).toBe(duration);
});

describe('dates', () => {
  test.each([
    [['Evening Post', '7 hours ago'], '7 hours ago'],
    [['vor 8 Stunden'], 'vor 8 Stunden'],
    [['3時間前'], '3時間前'],
    [['3 天前'], '3 天前'],
    [['۳ روز پیش'], '۳ روز پیش'],
    [['3 күн бұрын'], '3 күн бұрын'],
    [['há 3 dias'], 'há 3 dias'],
    [['www.reddit.com', '· Jan 16, 2023'], 'Jan 16, 2023'],
    [['28.03.2026'], '28.03.2026'],
    [['5.1M+ views · 3 days ago'], '3 days ago'],
    [['May 27, 2022', '6 key moments in this video'], 'May 27, 2022'],
    [['6:10', '6 minutes, 10 seconds', '1 day ago'], '1 day ago'],
    [['6:10', '6 minutes, 10 seconds'], ''],
    [['9to5Lights'], ''],
    [['38 posts'], ''],
    [['38 publicações'], ''],
    [['38 жазба'], ''],
    [['۳۸ پست'], ''],
    [['4.6рейтинг (91)'], ''],
    [['4:05'], ''],
    [['craft24.example'], ''],
    [[], ''],
  ])('the date in %o is "%s"', (lines, date) => {
    expect(dateIn(lines)).toBe(date);
  });
});

test.each([
  ['About 1,230,000 results (0.41 seconds)', 0.41],
  ['Ungefähr 114.000.000 Ergebnisse (0,25 Sek.)', 0.25],
  ['ผลการค้นหาประมาณ 62,100,000 รายการ (0.38 วินาที)', 0.38],
  ['About 12 results', null],
  ['', null],
])('the search time in "%s" is %s', (total, seconds) => {
  expect(searchTimeOf(total)).toBe(seconds);
});

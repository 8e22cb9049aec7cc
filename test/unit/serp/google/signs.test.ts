/** Ratings, counts, prices, durations and dates in the formats of many languages. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { phoneIn, priceIn, ratingIn } from '../../../../lib/serp/amounts.ts';
import { dateIn, durationIn } from '../../../../lib/serp/dates.ts';
import { searchTimeOf } from '../../../../lib/serp/google/page-facts.ts';
import { reader } from '../../../../lib/serp/google/reader.ts';

test.each([
  ['4.8(212)', { rating: '4.8', reviews: '212' }],
  ['4,9(60 728)', { rating: '4,9', reviews: '60 728' }],
  ['4.4(1.9K) · Shop', { rating: '4.4', reviews: '1.9K' }],
  ['Rating: 4.5 · ‎345 reviews', { rating: '4.5', reviews: '345' }],
  ['(1.9K) Rated 4.4 out of 5', { rating: '4.4', reviews: '1.9K' }],
  ['5.0', { rating: '5.0' }],
  ['۴٫۸ (۲۱۲)', { rating: '۴٫۸', reviews: '۲۱۲' }],
  ['4.5 (1’208)', { rating: '4.5', reviews: '1’208' }],
  ["4.5 (1'208)", { rating: '4.5', reviews: "1'208" }],
  ['Note : 4,5 · 1 208 avis', { rating: '4,5', reviews: '1 208' }],
  ['Note : 4,5 · 12 avis', { rating: '4,5', reviews: '12' }],
  ['Bewertung: 4.5 · 1’208 Rezensionen', { rating: '4.5', reviews: '1’208' }],
  ['4,5/5 123 avis', { rating: '4,5', reviews: '123' }],
  ['Note : 4,5 sur 5 123 avis', { rating: '4,5', reviews: '123' }],
  ['Note : 4,5 sur 5 1 208 avis', { rating: '4,5', reviews: '1 208' }],
  ['امتیاز: ۴٫۵ · ۱٬۲۰۸ نظر', { rating: '۴٫۵', reviews: '۱٬۲۰۸' }],
  ['Rating: 4.5 · 1.2K reviews', { rating: '4.5', reviews: '1.2K' }],
  ['Ocena: 4,5 · 129 zł', { rating: '4,5' }],
  ['Ocena: 4,5 · 129 opinii · 99 zł', { rating: '4,5', reviews: '129' }],
  ['Ocena: 4,5 · od 1 290 Kč · 12 recenzí', { rating: '4,5', reviews: '12' }],
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
  ['1.299,00 € inkl. Versand', '1.299,00 €'],
  ['€ 1’299.00', '€ 1’299.00'],
  ["1'299.50 €", "1'299.50 €"],
  ["₣ 1'299'000", "₣ 1'299'000"],
  ["$5' of rope", '$5'],
  ['₹१,२९९', '₹१,२९९'],
  ['129,00 zł z dostawą', '129,00 zł'],
  ['od 1 290 Kč', '1 290 Kč'],
  ['12 900 Ft', '12 900 Ft'],
  ['kr 1 299,00', 'kr 1 299,00'],
  ['1 299 kr', '1 299 kr'],
  ["CHF 1'299.50 inkl. MwSt.", "CHF 1'299.50"],
  ['Rp129.000', 'Rp129.000'],
  ['RM12.90', 'RM12.90'],
  ['AED 129.00 + VAT', 'AED 129.00'],
  ['129.00 ر.س شامل الضريبة', '129.00 ر.س'],
  ['۱۲۹٬۰۰۰ تومان', '۱۲۹٬۰۰۰ تومان'],
  ['1,290円から', '1,290円'],
  ['12,900원', '12,900원'],
  ['1.290.000 đ', '1.290.000 đ'],
  ['S/ 129.00', 'S/ 129.00'],
  ['4.5 (12) · 99,00 zł', '99,00 zł'],
  ['12 lanterns', ''],
  // What is a currency in one language is another word in others.
  ['Werner 6 Ft Ladder', ''],
  ['Hose 100 Ft', ''],
  ['1,000 Ft Cable', ''],
  ['Werner 6 Ft Ladder $89.00', '$89.00'],
  ['2.990 Ft/db', '2.990 Ft'],
  ['Mo.-Fr. 9:00–18:00', ''],
  ['Audi Rs 6 Avant', ''],
  ['Sony A7 Rs 3', ''],
  ['Rs 1,299', 'Rs 1,299'],
  ['Rs. 650', 'Rs. 650'],
  ['Suite 4 S/ 50', 'S/ 50'],
  ['3 Lei', ''],
  ['129,99 Lei', '129,99 Lei'],
  ['2 TL Salz', ''],
  ['12 Ftz', ''],
  ['XRM 12', ''],
  ['3元素', ''],
  ['2円周', ''],
])('the price in "%s" is "%s"', (text, price) => {
  expect(priceIn(text)).toBe(price);
});

const corpus = join(import.meta.dirname, '../../../corpus/google/desktop');

/** Without its price, an offer has no title: the title is the line above. */
test.each(['18,50 zł', 'CHF 18.50', '18,50 kr', 'Rp18.500'])('an offer for %s is an ad', (price) => {
  const html = readFileSync(join(corpus, 'shopping_ad/page.html'), 'utf8').replaceAll('$18.50', price);
  const { left } = reader.open(html).read('desktop');

  expect(left.filter(({ type }) => type === 'shopping_ad')[0]).toMatchObject({
    title: 'Round lantern, 40 cm, set of three',
    price,
    source: 'Lumen Shop',
  });
});

test.each([
  ['12 Kiln Road · (512) 555-0143', '(512) 555-0143'],
  ['خیابان ۱۲ · ۰۲۱ ۵۵۵۵ ۰۱۴۳', '۰۲۱ ۵۵۵۵ ۰۱۴۳'],
  ['12 Kiln Road', ''],
])('the telephone number in "%s" is "%s"', (text, phone) => {
  expect(phoneIn(text)).toBe(phone);
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
    [['３日前'], '３日前'],
    [['လွန်ခဲ့သော ၃ ရက်'], 'လွန်ခဲ့သော ၃ ရက်'],
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
  ['About 0 results(0.25s)', 0.25],
  ['找到约 1,230,000 条结果 （用时 0.41 秒）', 0.41],
  ['حدود ۱٬۲۳۰٬۰۰۰ نتیجه (۰٫۴۱ ثانیه)', 0.41],
  ['حوالي ١٬٢٣٠ نتيجة (٠٫٤١ ثانية)', 0.41],
  ['ရလဒ် ၁၂၃၀ (၀.၄၁ စက္ကန့်)', 0.41],
  ['About 1,230,000 results', null],
  ['Page 2 of about 1,230 results', null],
  ['About 12 results', null],
  ['', null],
])('the search time in "%s" is %s', (total, seconds) => {
  expect(searchTimeOf(total)).toBe(seconds);
});

/** A page with one result, which has these parts. */
const organicWith = (parts: string) =>
  reader
    .open(
      `<div id="rso"><div><a href="https://kiln.example/"><h3>Kiln</h3><cite>kiln.example</cite></a><div>${parts}</div></div></div>`,
    )
    .read('desktop').left[0];

test.each([
  ['Mar 4, 2025', 'Mar 4, 2025'],
  ['3天前', '3天前'],
  ['3日前', '3日前'],
  ['3 日前', '3 日前'],
  ['12', undefined],
])('the date of a result whose text begins with "%s" is %s', (date, read) => {
  expect(organicWith(`<div data-sncf="1"><span>${date} — </span>How kilns work.</div>`)?.date).toBe(read);
});

test('stars whose label has other digits are stars', () => {
  const stars =
    '<div data-sncf="2"><span role="img" aria-label="۴٫۵ از ۵"></span> (۲۱۲) نظر درباره کوره</div>';

  expect(organicWith(stars)).toMatchObject({ rating: '۴٫۵', reviews: '۲۱۲' });
});

/** Texts of other scripts: with digits of their own, or with fewer signs than letters in English. */
import { expect, test } from 'vitest';
import { reader as bing } from '../../../lib/serp/bing/reader.ts';
import { asciiDigits, widthOf } from '../../../lib/serp/text.ts';
import { reader as yahoo } from '../../../lib/serp/yahoo/reader.ts';

test.each([
  ['٠١٢٣٤٥٦٧٨٩', '0123456789'],
  ['۰۱۲۳۴۵۶۷۸۹', '0123456789'],
  ['०१२३४५६७८९', '0123456789'],
  ['০১২৩৪৫৬৭৮৯', '0123456789'],
  ['๐๑๒๓๔๕๖๗๘๙', '0123456789'],
  ['۱٬۲۳۴٫۵', '1,234.5'],
  ['one 2', 'one 2'],
])('the digits of "%s" are %s', (text, digits) => {
  expect(asciiDigits(text)).toBe(digits);
});

test('a sign of Chinese counts as two letters', () => {
  expect(widthOf('陶窑 kiln')).toBe(9);
});

const videos = (duration: string) =>
  yahoo
    .open(
      `<body><div id="web"><ol><li><div><h3><a href="https://clay.example/">Clay</a></h3><span>clay.example</span></div></li>
      <li><a href="https://video.search.yahoo.com/search/video?p=kiln">More</a><ul><li><a
      href="https://video.search.yahoo.com/play?p=kiln&amp;rurl=https%3A%2F%2Ffilm.example%2Fkiln"><p>A kiln at work</p><span>${duration}</span></a></li></ul></li></ol></div></body>`,
    )
    .read('desktop')
    .left.filter(({ type }) => type === 'video');

test.each(['4:05', '۴:۰۵', '٤:٠٥'])('a video of Yahoo has the duration %s', (duration) => {
  expect(videos(duration)).toMatchObject([{ title: 'A kiln at work', duration }]);
});

const stories = (headlines: string[]) =>
  bing
    .open(
      `<body><ol id="b_results"><li class="b_algo"><h2><a href="https://clay.example/">陶器</a></h2><cite>clay.example</cite></li><li><h2>新闻</h2>
      <a href="/news/search?q=kiln">更多</a>${headlines
        .map(
          (text, n) =>
            `<div><a href="https://news.example/${n}"><div>${text}</div><div>陶艺报</div></a></div>`,
        )
        .join('')}</li></ol></body>`,
    )
    .read('desktop')
    .left.filter(({ type }) => type === 'top_story')
    .map(({ title }) => title);

test('a headline in Chinese has fewer signs than one in English', () => {
  const headlines = ['村里的百年老窑重新开始烧制', '青年陶艺家获得全国大奖'];
  expect(stories(headlines)).toEqual(headlines);
});

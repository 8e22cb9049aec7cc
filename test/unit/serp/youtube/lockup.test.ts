/** The texts under the title of a video: its owner, its views and its date, in any rows. */
import { expect, test } from 'vitest';
import { readVideoLockup } from '../../../../lib/serp/youtube/lockup.ts';

const read = (...rows: string[][]) =>
  readVideoLockup({
    contentId: 'roastcoff01',
    contentType: 'LOCKUP_CONTENT_TYPE_VIDEO',
    metadata: {
      lockupMetadataViewModel: {
        title: { content: 'How to roast' },
        metadata: {
          metadataRows: rows.map((parts) => ({
            metadataParts: parts.map((content) => ({ text: { content } })),
          })),
        },
      },
    },
  });

test.each<[string, string[][], { views?: string; date?: string }]>([
  [
    'a row of their own',
    [['Acme'], ['12K views', '2 years ago']],
    { views: '12K views', date: '2 years ago' },
  ],
  [
    'the row of the owner',
    [['Acme', '12K views', '2 years ago']],
    { views: '12K views', date: '2 years ago' },
  ],
  [
    'the row of the owner, above a text with a number',
    [['Acme', '12K views', '2 years ago'], ['In 2020 we roasted']],
    { views: '12K views', date: '2 years ago' },
  ],
  [
    'their own row, above a text',
    [['Acme'], ['12K views', '2 years ago'], ['In 2020 we roasted']],
    { views: '12K views', date: '2 years ago' },
  ],
  [
    'no number of views',
    [['Acme'], ['No views', '1 minute ago']],
    { views: 'No views', date: '1 minute ago' },
  ],
  ['no number at all', [['Acme'], ['No views']], { views: 'No views' }],
  ['a live video', [['Acme'], ['1.2K watching']], { views: '1.2K watching' }],
  ['a live video, in one row', [['Acme', '1.2K watching']], { views: '1.2K watching' }],
  ['many views', [['Acme'], ['1 234 567 vues']], { views: '1 234 567 vues' }],
  ['many views with apostrophes', [['Acme'], ['1’234’567 Aufrufe']], { views: '1’234’567 Aufrufe' }],
  [
    'a planned video',
    [['Acme'], ['Scheduled for 1/2/27, 7:00 PM']],
    { date: 'Scheduled for 1/2/27, 7:00 PM' },
  ],
  [
    'a planned video in German',
    [['Acme'], ['Geplant für 02.01.27, 19:00']],
    { date: 'Geplant für 02.01.27, 19:00' },
  ],
  ['a planned video in Finnish', [['Acme'], ['2.1.2027 klo 19.00']], { date: '2.1.2027 klo 19.00' }],
  ['a planned video in Japanese', [['Acme'], ['2027年1月2日 に公開']], { date: '2027年1月2日 に公開' }],
  ['a planned video in Persian', [['Acme'], ['۱۴۰۵/۱۰/۱۲، ۱۹:۰۰']], { date: '۱۴۰۵/۱۰/۱۲، ۱۹:۰۰' }],
  [
    'a planned video for which people wait',
    [['Acme'], ['12 waiting', 'Scheduled for 1/2/27, 7:00 PM']],
    { views: '12 waiting', date: 'Scheduled for 1/2/27, 7:00 PM' },
  ],
  [
    'a planned video, with the date first',
    [['Acme'], ['Scheduled for 1/2/27, 7:00 PM', '12 waiting']],
    { views: '12 waiting', date: 'Scheduled for 1/2/27, 7:00 PM' },
  ],
  ['nothing', [['Acme']], {}],
])('views and date in %s', (_, rows, facts) => {
  const { channel, views, date } = read(...rows) ?? {};

  expect({ channel, views, date }).toEqual({ channel: 'Acme', views: undefined, date: undefined, ...facts });
});

test.each([
  '2 years ago',
  'Streamed 3 months ago',
  'vor 1 Jahr gestreamt',
  'il y a 2 ans',
  'há 12 horas',
  '2 лет назад',
  '2 yıl önce',
  '2 năm trước',
  'قبل سنتين',
  '۲ سال پیش',
  '2 वर्ष पहले',
  '2 ปีที่แล้ว',
  '2年前',
  '3주 전',
])('the date %s alone is no number of views', (date) => {
  const video = read(['Acme'], [date]);

  expect([video?.views, video?.date]).toEqual([undefined, date]);
});

test.each([
  '12K views',
  '12345 views',
  '12 Mio. Aufrufe',
  '12 тыс. просмотров',
  '5 Mn görüntüleme',
  '12 Tr lượt xem',
  '12万 回視聴',
  '12만회',
  '12 हज़ार बार देखा गया',
])('the number of views %s alone is no date', (views) => {
  const video = read(['Acme'], [views]);

  expect([video?.views, video?.date]).toEqual([views, undefined]);
});

/** `साल` is a year, but not in the texts of the CLDR. */
test.each(['3 साल पहले', '12 watching', '2 m', '2019'])('%s alone may be either', (text) => {
  const video = read(['Acme'], [text]);

  expect([video?.title, video?.views, video?.date]).toEqual(['How to roast', undefined, undefined]);
});

test('a date alone beside the owner is no number of views', () => {
  const video = read(['Acme', '2 years ago']);

  expect([video?.channel, video?.views, video?.date]).toEqual(['Acme', undefined, '2 years ago']);
});

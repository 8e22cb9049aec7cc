import { describe, expect, test } from 'vitest';
import { dollars, every, pageText, time } from '../../../lib/console/format.ts';

test.each([
  [1, 'every hour'],
  [24, 'every day'],
  [36, 'every 36 hours'],
  [168, 'every 7 days'],
])('%i hours are "%s"', (hours, text) => {
  expect(every(hours)).toBe(text);
});

test.each([
  [0, '$0'],
  [0.000042, '$0.000042'],
  [0.5, '$0.50'],
  [1234.5, '$1,234.50'],
])('%d dollars are %s', (amount, text) => {
  expect(dollars(amount)).toBe(text);
});

describe('the address of a ranked page', () => {
  test.each([
    ['https://www.shop.example/coffee/', 'google', 'shop.example/coffee'],
    ['https://support.google.com/goto', 'bing', 'support.google.com/goto'],
    ['', 'google', '–'],
  ])('"%s" on %s is "%s"', (url, engine, text) => {
    expect(pageText(url, engine)).toBe(text);
  });

  test.each([
    ['https://www.google.com/goto?url=CAESaaaa', 'google'],
    ['https://www.bing.com/ck/a?!&&p=aaaa', 'bing'],
    ['https://r.search.yahoo.com/_ylt=Awr;_ylu=Y2/RV=2/RE=1', 'yahoo'],
  ])('%s is hidden by the engine', (url, engine) => {
    expect(pageText(url, engine)).toBe('hidden by the engine');
  });
});

test.each([
  [0, ''],
  [1795996859, '2026-11-30 00:00 UTC'],
])('%i seconds are "%s", in every time zone of the reader', (seconds, text) => {
  expect(time(seconds)).toBe(text);
});

/** Which planned pages are kept, and which count for the result (Readings 5 and 6). */
import { expect, test } from 'vitest';
import { settlePages } from '../../../lib/crawl/settle-pages.ts';
import type { FetchedPage } from '../../../lib/model/workflow.ts';

const planned = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    page: n + 1,
    url: `https://www.google.com/search?q=a&start=${n * 10}`,
    status: 'queued_http' as const,
    retry_count: 0,
    html: '',
  }));

// One letter per page: R results and a next page, S the same with the owner, L results and no next page, E
// empty, B blocked, - never fetched.
const fetched = (letters: string): FetchedPage[] =>
  [...letters].flatMap((letter, n) => {
    if (letter === '-') return [];
    const isRead = letter !== 'B';
    return {
      page: n + 1,
      outcome: isRead ? ('fetched' as const) : ('blocked' as const),
      verdict: letter === 'E' ? ('empty' as const) : isRead ? ('results' as const) : ('captcha' as const),
      html: `html/${n + 1}`,
      fetches: isRead ? 1 : 2,
      has_next: letter === 'R' || letter === 'S',
      ...(letter === 'S' && { onward: 'stop' as const }),
      fetched_at: 1,
      reason: isRead ? '' : `captcha: page ${n + 1}`,
    };
  });

test.each([
  // planned, fetched, pages kept, pages counted, reason of failure
  [1, 'R', 1, [1], null],
  [1, 'E', 1, [1], null],
  [1, 'B', 1, [], 'captcha: page 1'],
  [3, 'RRR', 3, [1, 2, 3], null],
  [3, 'L--', 1, [1], null],
  [3, 'E--', 1, [1], null],
  [3, 'RRE', 2, [1, 2], null],
  [3, 'RLE', 2, [1, 2], null],
  [3, 'RLB', 2, [1, 2], null],
  [3, 'RBR', 3, [1], 'captcha: page 2'],
  [3, 'RBB', 3, [1], 'captcha: page 2'],
  [3, 'RRB', 3, [1, 2], 'captcha: page 3'],
  [3, 'B--', 3, [], 'captcha: page 1'],
  [4, 'RLRL', 4, [1, 2, 3, 4], null],
  [4, 'RBLE', 3, [1], 'captcha: page 2'],
  [4, 'S---', 4, [1], null],
  [4, 'RS--', 4, [1, 2], null],
  [4, 'RRSR', 4, [1, 2, 3], null],
  [4, 'RRSB', 4, [1, 2, 3], null],
  [4, 'RBS-', 4, [1], 'captcha: page 2'],
  [4, 'RBSR', 4, [1], 'captcha: page 2'],
  [3, 'RSE', 2, [1, 2], null],
])('of %i planned pages fetched as %s, %i are kept and %j count', (count, letters, kept, counted, reason) => {
  const settled = settlePages(planned(count), fetched(letters));

  expect(settled.pages.map((page) => page.page)).toEqual(Array.from({ length: kept }, (_, n) => n + 1));
  expect(settled.counted).toEqual(counted);
  expect(settled.failed?.reason ?? null).toBe(reason);
});

test('a page has its key, the number of its retries, and its status', () => {
  const { pages } = settlePages(planned(3), fetched('RB-'));

  expect(pages.map(({ status, retry_count, html }) => ({ status, retry_count, html }))).toEqual([
    { status: 'success', retry_count: 0, html: 'html/1' },
    { status: 'failed', retry_count: 1, html: 'html/2' },
    { status: 'failed', retry_count: 0, html: '' },
  ]);
});

test('pages that are not needed stay awaiting; those that were fetched have what they got', () => {
  const { pages } = settlePages(planned(4), fetched('SR-B'));

  expect(pages.map(({ status, html }) => ({ status, html }))).toEqual([
    { status: 'success', html: 'html/1' },
    { status: 'success', html: 'html/2' },
    { status: 'awaiting', html: '' },
    { status: 'failed', html: 'html/4' },
  ]);
});

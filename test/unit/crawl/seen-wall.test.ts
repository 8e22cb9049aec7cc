/** The reason of a page that the browser could not get past. */
import { expect, test } from 'vitest';
import { isStillWall, isWall, orWall } from '../../../lib/crawl/seen-wall.ts';

const wall = { status: 200, url: 'https://www.google.com/search?q=glaciers', body: 'wall' };
const failed = (reason: string) => ({ ok: false as const, reason });

test.each(['timeout: the page was not ready in time', 'unreachable: the connection was reset'])(
  'after a wall, %s is not the reason',
  (reason) => {
    expect(orWall(failed(reason), wall)).toEqual({ ok: true, ...wall });
    expect(isStillWall({ outcome: 'blocked', verdict: 'script_wall' }, failed(reason))).toBe(true);
  },
);

test.each(['captcha', 'script_wall', 'consent', 'soft_block', 'decoy'] as const)(
  '%s is a wall, before the browser and in it',
  (verdict) => {
    expect(isWall(verdict)).toBe(true);
    expect(isStillWall({ outcome: 'blocked', verdict }, failed('timeout: not ready'))).toBe(true);
  },
);

test.each(['results', 'empty', 'unknown_layout', null] as const)('%s is no wall', (verdict) => {
  expect(isWall(verdict)).toBe(false);
});

test.each([
  ['no wall was seen', failed('timeout: the page was not ready in time'), undefined],
  ['no browser was free', failed('throttled: no browser was free in time'), wall],
  ['the browser is missing', failed('machinery: the browser did not start'), wall],
])('%s: the failure stays', (_, rendered, seen) => {
  expect(orWall(rendered, seen)).toBe(rendered);
});

test('a page that was read stays', () => {
  const page = { ok: true as const, ...wall, body: 'results' };

  expect(orWall(page, wall)).toBe(page);
  expect(isStillWall({ outcome: 'blocked', verdict: 'captcha' }, page)).toBe(false);
});

test.each([
  { outcome: 'failed', verdict: null },
  { outcome: 'throttled', verdict: 'soft_block' },
  { outcome: 'blocked', verdict: 'unknown_layout' },
] as const)('the fetch before was no wall: $outcome, $verdict', (before) => {
  expect(isStillWall(before, failed('timeout: the page was not ready in time'))).toBe(false);
});

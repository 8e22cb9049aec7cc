/** The outcome of an engine's answer: throttled, blocked or failed. */
import { expect, test } from 'vitest';
import { outcomeOf } from '../../../lib/crawl/page-outcome.ts';
import type { SerpRow } from '../../../lib/store/task-row.ts';

const search = { engine: 'google', keyword: 'coffee', device: 'desktop' } as SerpRow;
const plain = '<html><body><p>Not now.</p></body></html>';
const captcha = '<html><body><form id="captcha-form" action="/sorry/index"></form></body></html>';

test.each([
  [429, {}, plain, 'throttled', 'soft_block', /^throttled: /],
  [503, { 'retry-after': '120' }, plain, 'throttled', 'soft_block', /^throttled: /],
  [503, {}, plain, 'blocked', 'soft_block', /^soft_block: /],
  [429, {}, captcha, 'blocked', 'captcha', /^captcha: /],
  [503, { 'retry-after': '120' }, captcha, 'blocked', 'captcha', /^captcha: /],
  [403, {}, plain, 'blocked', 'soft_block', /^soft_block: /],
  [500, {}, plain, 'failed', 'unknown_layout', /^unreachable: /],
  [502, { 'retry-after': '120' }, plain, 'failed', 'unknown_layout', /^unreachable: /],
  [200, {}, plain, 'blocked', 'unknown_layout', /^unknown_layout: /],
])('%i with %j and %s is %s', (status, headers, body, outcome, verdict, reason) => {
  const judged = outcomeOf(search, 1, { ok: true, status, url: '', headers, body });

  expect(judged).toMatchObject({ outcome, verdict, has_next: false });
  expect(judged.reason).toMatch(reason);
});

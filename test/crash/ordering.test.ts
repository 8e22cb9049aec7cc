/**
 * Kills a stack before and after the writes around an order at the upstream provider. Each search is paid for
 * once.
 */
import { afterAll, expect, test } from 'vitest';
import { credentials, startProvider } from '../upstream-provider.ts';
import { killAtPoints } from './kill-at-points.ts';
import { ordering } from './points.ts';

// A restarted stack has another address, so no pingback would reach it. The sweeper asks for the pages.
const provider = await startProvider({ callsBack: false });
afterAll(() => provider.stop());

killAtPoints(ordering, {
  env: { UPSTREAM_ORIGIN: provider.origin, UPSTREAM_CREDENTIALS: credentials, UPSTREAM_DEADLINE: '10' },
  files: { 'fetchers.json': { google: { order: ['upstream'] } } },
  expected: () => 'success',
});

test('the provider is paid for each search once', () => {
  const keywords = provider.orders.map(({ keyword }) => keyword);

  expect(keywords.length).toBeGreaterThan(0);
  expect(new Set(keywords).size).toBe(keywords.length);
});

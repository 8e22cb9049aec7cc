/** What a page costs that holds its connections open, and that docs/benchmarks.md says so. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { heldPages } from './held-page.ts';

const benchmarks = readFileSync(new URL('../../../docs/benchmarks.md', import.meta.url), 'utf8');

// Calculated by hand: seconds × (5/16 GB + the consumer's 3/16 GB) × 0.0000133334, or × 2 GB × 0.0000166667,
// and 64 MB of the machine.
test.each([
  [24, 0, 24 * 0.5 * 0.0000133334 + 24 * 0.0625 * 0.00001667],
  [
    24,
    21,
    24 * 0.3125 * 0.0000133334 +
      21 * (1769 / 1024) * 0.0000166667 +
      45 * (0.1875 * 0.0000133334 + 0.0625 * 0.00001667),
  ],
  [0, 45, 45 * (1769 / 1024) * 0.0000166667 + 45 * (0.1875 * 0.0000133334 + 0.0625 * 0.00001667)],
])('a page with %i s over HTTP and %i s in the browser', (http, browser, dollars) => {
  const page = heldPages().find((each) => each.http === http && each.browser === browser);

  expect(page?.dollars).toBeCloseTo(dollars, 12);
});

test.each(heldPages())(
  'docs/benchmarks.md has the page that is $what',
  ({ what, http, browser, dollars }) => {
    expect(benchmarks).toContain(`| ${what} | ${http} s | ${browser} s | ${(dollars * 1000).toFixed(2)} |`);
  },
);

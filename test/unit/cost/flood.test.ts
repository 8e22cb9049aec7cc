/** The figures of docs/deploy.md about a flood of requests without a valid key follow from the prices. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { dollarsOf } from '../../../infra/cost/bill.ts';
import { floodLines } from './flood.ts';

const page = readFileSync(new URL('../../../docs/deploy.md', import.meta.url), 'utf8');
const [, section = ''] = page.split('\n## Cost of a flood\n');
const daySeconds = 86_400;

test('the documented price of a million requests without a valid key is the sum of its lines', () => {
  expect(section).toContain(`**$${dollarsOf(floodLines(1_000_000)).toFixed(2)} per million**`);
});

test.each([
  ['10', 50],
  ['1000', 1000],
])('the documented price of a day at the throttle of CONCURRENCY=%s follows from it', (quota, rate) => {
  const dollars = Math.round(dollarsOf(floodLines(rate * daySeconds)));

  expect(section).toContain(`| \`${quota}\` | ${rate.toLocaleString('en-US')} | $${dollars} |`);
});

/**
 * The module with which the service estimates the cost of a search: what a search costs, and what each of its
 * pages adds. Pure.
 */
import type { AssumedValues } from './assumptions.ts';
import { dollarsOf } from './bill.ts';
import type { Figures } from './figures.ts';
import type { Path } from './kinds.ts';
import { billOf } from './searches.ts';

/** Results of a page. */
const perPage = 10;

const line = (figures: Figures, values: AssumedValues, path: Path): string => {
  const dollars = (depth: number) =>
    dollarsOf(billOf(figures, values, { path, depth, webhook: false }, true).assumed);
  const page = (dollars(100) - dollars(10)) / (100 / perPage - 1);
  const search = dollars(10) - page;
  return `{ search: ${Number(search.toPrecision(3))}, page: ${Number(page.toPrecision(3))} }`;
};

export const searchCostModule = (figures: Figures, values: AssumedValues): string => `/**
 * Dollars that AWS bills for a search, and for each page of it, by the way in which the pages are fetched.
 * \`npm run cost -- --save\` writes this file. Without proxies and the upstream provider.
 */
export const searchCost = {
  http: ${line(figures, values, 'HTTP')},
  browser: ${line(figures, values, 'browser')},
} as const;
`;

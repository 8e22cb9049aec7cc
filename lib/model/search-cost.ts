/**
 * Dollars that AWS bills for a search, and for each page of it, by the way in which the pages are fetched.
 * `npm run cost -- --save` writes this file. Without proxies and the upstream provider.
 */
export const searchCost = {
  http: { search: 0.0000272, page: 0.00000519 },
  browser: { search: 0.0000289, page: 0.0000889 },
} as const;

/**
 * Dollars that AWS bills for a search, and for each page of it, by the way in which the pages are fetched.
 * `npm run cost -- --save` writes this file. Without proxies and the upstream provider.
 */
export const searchCost = {
  http: { search: 0.0000199, page: 0.0000195 },
  browser: { search: 0.0000332, page: 0.000107 },
} as const;

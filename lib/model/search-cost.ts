/**
 * Dollars that AWS bills for a search, and for each page of it, by the way in which the pages are fetched.
 * `npm run cost -- --save` writes this file. Without proxies and the upstream provider.
 */
export const searchCost = {
  http: { search: 0.00002, page: 0.0000156 },
  browser: { search: 0.0000333, page: 0.0000911 },
} as const;

/**
 * Dollars that AWS bills for a search, and for each page of it, by the way in which the pages are fetched.
 * `npm run cost -- --save` writes this file. Without proxies and the upstream provider.
 */
export const searchCost = {
  http: { search: 0.0000255, page: 0.00000543 },
  browser: { search: 0.0000287, page: 0.0000897 },
} as const;

/** Identifies a search: two requests with the same hash are answered by the same pages (Reading 12). */
import { createHash } from 'node:crypto';
import type { Search } from '../model/search.ts';
import { pageUrl } from '../serp/address.ts';

/**
 * Returns the SHA-256 (hex) of a search. The URL of the first page contains the engine's domain, the keyword,
 * the place and the language as the engine receives them, in one spelling: `us` and `US` are the same, and so
 * is a domain with and without `www.`.
 */
export const searchHash = (search: Search): string => {
  const identity = [search.engine, pageUrl(search, 1), search.device, search.depth];
  return createHash('sha256').update(JSON.stringify(identity)).digest('hex');
};

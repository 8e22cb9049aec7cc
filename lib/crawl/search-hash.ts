/** What makes two searches the same, and for how long one may be answered with the pages of the other (Readings 12 and 14). */
import { createHash } from 'node:crypto';
import type { GoogleCrawlRequest } from '../model/crawl-request.ts';
import { googleSearchUrl } from '../serp/google/address.ts';

type Engine = 'google';

/**
 * The SHA-256 (hex) of what identifies a search. The address of the first page holds engine domain, keyword, place and
 * language as the engine takes them, in one spelling: `us` and `US`, `www.google.com` and `google.com` are one search.
 */
export const snapshotHash = (search: GoogleCrawlRequest): string => {
  const identity = ['google', googleSearchUrl(search), search.device, search.depth];
  return createHash('sha256').update(JSON.stringify(identity)).digest('hex');
};

const defaultHours = 24;
const leastHours: Record<Engine, number> = { google: 168 };

/** The window of Reading 14, in seconds; 0: always crawled fresh. */
export const reuseSeconds = (engine: Engine, frequency: number | null): number => {
  const hours = frequency ?? defaultHours;
  return hours <= 0 ? 0 : Math.max(leastHours[engine], hours) * 3600;
};

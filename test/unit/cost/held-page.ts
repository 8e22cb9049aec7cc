/**
 * What a page costs if its server holds every connection open until the deadline of the page
 * (`lib/model/page-time.ts`). Pure.
 */

import { prices } from '../../../infra/cost/prices.ts';
import { megabytes } from '../../../infra/function-limits.ts';
import { httpDeadlineMs, maxFetches, pageMs } from '../../../lib/model/page-time.ts';

export type HeldPage = {
  what: string;
  /** Seconds of the function FetchPage. */
  http: number;
  /** Seconds of the function RenderPage. */
  browser: number;
  /** Dollars, with the consumer and the machine, which wait for the page. */
  dollars: number;
};

const gigabytes = (memory: number): number => memory / 1024;

const costing = (what: string, http: number, browser: number): HeldPage => {
  const { arm64, x86_64 } = prices.gigabyteSecond;
  return {
    what,
    http,
    browser,
    dollars:
      http * gigabytes(megabytes.fetchPage) * arm64 +
      browser * gigabytes(megabytes.renderPage) * x86_64 +
      (http + browser) * gigabytes(megabytes.startCrawl) * arm64 +
      (http + browser) * gigabytes(64) * prices.expressGigabyteSecond,
  };
};

/** The slowest pages, by where their connections are held. */
export const heldPages = (): HeldPage[] => {
  const whole = pageMs / 1000;
  const fetches = (maxFetches * httpDeadlineMs) / 1000;
  return [
    costing('held over HTTP', fetches, 0),
    costing('blocked at the end of each fetch over HTTP, then held in the browser', fetches, whole - fetches),
    costing('blocked at once over HTTP, then held in the browser, with its links', 0, whole),
  ];
};

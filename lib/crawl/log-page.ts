/**
 * Logs one fetch of a page, over HTTP or in the browser. The metrics of success and block rates come from
 * this line.
 */
import { log } from '../runtime/log.ts';
import type { FetchRoute } from '../runtime/metrics.ts';
import type { JudgedPage } from './page-outcome.ts';

type Fetch = {
  engine: string;
  route: FetchRoute;
  page: number;
  /** Number of this fetch of the page, from 1. */
  fetches: number;
  milliseconds: number;
};

export const logPage = (
  { engine, route, page, fetches, milliseconds }: Fetch,
  { outcome, verdict, reason, reading }: Omit<JudgedPage, 'body' | 'hidden'>,
): void =>
  log.info(
    'page fetched',
    {
      engine,
      route,
      page,
      fetches,
      outcome,
      verdict,
      reason: reason.split(':')[0] || undefined,
      unclaimed: (verdict === 'results' && reading?.unread_blocks.length) || undefined,
    },
    {
      PageFetched: outcome === 'fetched' ? 1 : 0,
      PageBlocked: outcome === 'blocked' ? 1 : 0,
      PageMilliseconds: Math.round(milliseconds),
    },
  );

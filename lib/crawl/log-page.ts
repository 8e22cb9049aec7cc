/** Logs one fetch of a page, by whichever route: the ground of success and block rates. */
import { log } from '../runtime/log.ts';
import type { routes } from '../runtime/metrics.ts';
import type { JudgedPage } from './page-outcome.ts';

type Fetch = {
  engine: string;
  route: (typeof routes)[number];
  page: number;
  /** Which fetch of this page it was. */
  fetches: number;
  milliseconds: number;
};

export const logPage = (
  { engine, route, page, fetches, milliseconds }: Fetch,
  { outcome, verdict, reason }: Omit<JudgedPage, 'body'>,
): void =>
  log.info(
    'page fetched',
    { engine, route, page, fetches, outcome, verdict, reason: reason.split(':')[0] || undefined },
    {
      PageFetched: outcome === 'fetched' ? 1 : 0,
      PageBlocked: outcome === 'blocked' ? 1 : 0,
      PageMilliseconds: Math.round(milliseconds),
    },
  );

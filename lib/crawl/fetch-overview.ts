/** Fetches the text of an AI overview that a page does not have yet, once, over the route of the page. */

import { type CookieJar, fetchFragment } from '../fetcher/http.ts';
import type { FetchResult, PageRequest, Route } from '../fetcher/page.ts';
import type { SettingValue } from '../model/settings.ts';
import { countRequest } from '../pace/count-request.ts';
import { setting } from '../runtime/env.ts';
import { log } from '../runtime/log.ts';
import type { SerpRow } from '../store/task-row.ts';
import { type JudgedPage, outcomeOf } from './page-outcome.ts';
import { readInTime } from './read-in-time.ts';

/** A shorter rest of a page's time is not enough for a generated text. */
const leastMs = 1000;

/** The values of `FETCH_OVERVIEWS`: for which tasks the text is fetched. */
const fetchesOverviews = {
  always: () => true,
  tracking: (row) => Boolean(row.domain),
  never: () => false,
} satisfies Record<SettingValue<'FETCH_OVERVIEWS'>, (row: SerpRow) => boolean>;

/** Whether the text of a page's overview is to be fetched. */
export const isToBeFetched = (row: SerpRow, { deferred }: Pick<JudgedPage, 'deferred'>): boolean =>
  deferred !== undefined && fetchesOverviews[setting('FETCH_OVERVIEWS')](row);

/** One fetch of a page, and how the page was judged. */
export type FetchOfPage = {
  request: PageRequest;
  route: Route;
  /** The cookies of the page; absent if they are not known. */
  jar?: CookieJar;
  fetched: FetchResult;
  judged: JudgedPage;
};

/**
 * Returns the page with the text of its overview, judged again. If it has none to fetch, or if anything
 * fails, it returns the page as it is: its overview stays `deferred`. The request counts in the rate of the
 * engine: later runs wait one turn longer.
 */
export const withOverview = async (
  row: SerpRow,
  page: number,
  { request, route, jar, fetched, judged }: FetchOfPage,
  milliseconds: number,
): Promise<JudgedPage> => {
  const { deferred } = judged;
  if (!deferred || !fetched.ok || milliseconds < leastMs || !isToBeFetched(row, judged)) return judged;
  await countRequest(row);
  const answer = await fetchFragment(request, deferred.path, route, milliseconds, jar);
  const whole =
    answer.ok && answer.status === 200
      ? readInTime(answer.body, () => deferred.withAnswer(answer.body))
      : undefined;
  const again = whole === undefined ? judged : outcomeOf(row, page, { ...fetched, body: whole });
  const isRead = again !== judged && again.outcome === 'fetched';
  log.info(
    'overview fetched',
    { engine: row.engine, outcome: isRead ? 'read' : answer.ok ? 'unread' : 'failed' },
    { OverviewRead: isRead ? 1 : 0 },
  );
  return isRead ? again : judged;
};

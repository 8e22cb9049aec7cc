/** The chart behind a link that needs no key. */
import { verifyChartToken } from '../../access/chart-link.ts';
import { secondsOfDay } from '../../model/day.ts';
import { HttpError } from '../../model/http-error.ts';
import { notFound } from '../../model/tracking.ts';
import { calendar } from '../../runtime/calendar.ts';
import { isGap, listObservations } from '../../store/observations.ts';
import { readAccount } from '../../store/users.ts';
import { lookUpKeyword } from '../find.ts';
import { chartOf } from './chart.ts';

/**
 * The SVG image of the keyword in a token.
 * @throws HttpError 404 if the token is forged, malformed, expired or ended, or if its user is disabled or
 * has no such keyword any more.
 */
export const readChart = async (token: string, days: number, now = calendar()): Promise<string> => {
  const claims = await verifyChartToken(token, readAccount, now);
  const found = claims && (await lookUpKeyword(claims.user, claims.keyword_id));
  if (!found || (found.keyword.chart_links_ended ?? 0) !== claims.ended)
    throw new HttpError(404, 'Chart not found');
  const { keyword } = found;
  const from = now - days * secondsOfDay;
  const entries = await listObservations(keyword.keyword_id, { from, to: now }, now);
  return chartOf({
    keyword: keyword.keyword,
    domain: keyword.domain,
    points: entries.map((entry) => ({
      at: entry.at,
      position: isGap(entry) ? null : (entry.sightings[keyword.domain]?.position ?? notFound),
    })),
    from,
    to: now,
  });
};

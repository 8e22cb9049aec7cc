/** The history of a keyword's positions in the reporting interface. */
import type { TextReply } from '../../model/forms.ts';
import { HistoryItem, type HistoryList, isoTime } from '../../model/report.ts';
import { type HistoryQuery, maxHistoryDays } from '../../model/report-query.ts';
import { type Gap, notFound, type Observation } from '../../model/tracking.ts';
import type { Account } from '../../model/user.ts';
import { calendar } from '../../runtime/calendar.ts';
import { isGap, listObservations } from '../../store/observations.ts';
import { findTracked } from '../find.ts';
import { csvReply, wantsCsv } from './csv.ts';
import { type Days, daysOf, timesOf } from './days.ts';
import { linkTo } from './page.ts';

/** What is known of a keyword in a range of days, newest first. */
export const readDays = async (
  keywordId: number,
  days: Days,
): Promise<{ observations: Observation[]; gaps: Gap[] }> => {
  const rows = await listObservations(keywordId, timesOf(days));
  const newestFirst = rows.toSorted((a, b) => b.at - a.at);
  return {
    observations: newestFirst.filter((row): row is Observation => !isGap(row)),
    gaps: newestFirst.filter(isGap),
  };
};

/**
 * An observation as an item of the history of a domain. Reading 6: a domain that was not found has the
 * position 1000.
 */
const itemOf = ({ at, sightings }: Observation, domain: string): HistoryItem => {
  const { position = notFound, type = 'organic', url, title, snippet } = sightings[domain] ?? {};
  return {
    created_at: isoTime(at),
    type,
    url: url || '-',
    position,
    title: title || '-',
    snippet: snippet || '-',
  };
};

/** A gap as the interface shows it. */
export const gapOf = ({ at, reason }: Gap): { created_at: string; reason: string } => ({
  created_at: isoTime(at),
  reason,
});

/** What a request says of its response. */
type Asked = { baseUrl: string; accept: string };

const columns = Object.keys(HistoryItem.entries);

/**
 * A page of the history of a keyword, newest first, or the whole range as CSV. A gap is no item: `meta` has
 * the gaps of the range.
 * @throws HttpError 404 if the user has no such keyword; 413 as `csvReply`.
 */
export const listHistory = async (
  user: Account,
  keywordId: number,
  { page, per_page, format, for: program, ...dates }: HistoryQuery,
  { baseUrl, accept }: Asked,
  now = calendar(),
): Promise<HistoryList | TextReply> => {
  const { keyword } = await findTracked(user, keywordId);
  const days = daysOf(dates, now);
  const { observations, gaps } = await readDays(keywordId, days);
  const shown = (some: readonly Observation[]) => some.map((each) => itemOf(each, keyword.domain));
  if (wantsCsv({ format, accept })) {
    return csvReply(columns, shown(observations), { for: program });
  }

  const lastPage = Math.max(1, Math.ceil(observations.length / per_page));
  const path = `${baseUrl}/api/reporting/keywords/${keywordId}/history`;
  const link = (number: number): string => linkTo(path, { ...dates, per_page, page: number });
  return {
    data: shown(observations.slice((page - 1) * per_page, page * per_page)),
    meta: {
      current_page: page,
      per_page,
      total: observations.length,
      last_page: lastPage,
      has_more: page < lastPage,
      date_range: { start_date: days.start, end_date: days.end, max_allowed_days: maxHistoryDays },
      gaps: gaps.map(gapOf),
    },
    links: {
      first: link(1),
      last: link(lastPage),
      prev: page > 1 ? link(Math.min(page - 1, lastPage)) : null,
      next: page < lastPage ? link(page + 1) : null,
    },
  };
};

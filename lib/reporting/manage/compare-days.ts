/** The positions of the keywords of a project on two days, and those of every day in long form. */
import type {
  ComparedDays,
  ComparedDaysQuery,
  ExportedPosition,
  PositionsExport,
  PositionsExportQuery,
} from '../../model/compared-days.ts';
import { coveredDays, dayNumber, isoDay, secondsOfDay } from '../../model/day.ts';
import type { TextReply } from '../../model/forms.ts';
import { countedPosition, notFound, type Observation, type TrackedKeyword } from '../../model/tracking.ts';
import type { Account } from '../../model/user.ts';
import { calendar } from '../../runtime/calendar.ts';
import { inParallel } from '../../runtime/in-parallel.ts';
import { type HistoryEntry, isGap, listObservations } from '../../store/observations.ts';
import { findProject, keywordsOf } from '../find.ts';
import { rowsReply } from '../report/csv.ts';
import { daysOf, timesOf } from '../report/days.ts';
import { keywordPart, pageRequest } from '../report/keywords.ts';
import { validSince } from '../report/measured-days.ts';
import { allKeywords } from '../report/select-keywords.ts';
import { locationOf } from '../report/show-keyword.ts';
import { ownPagesOf } from './own-pages.ts';

type PartQuery = Pick<ComparedDaysQuery, 'search' | 'type' | 'device' | 'tag' | 'per_page' | 'cursor'>;

/** A page of the keywords of a project. Throws HttpError 404 and 422 as other lists of keywords. */
const partOf = async (user: Account, projectId: number, query: PartQuery, now: number) => {
  const { search, type, device, tag, per_page, cursor } = query;
  const page = pageRequest(user, projectId, { ...allKeywords, search, type, device, tag, per_page, cursor });
  const project = await findProject(user, projectId);
  return keywordPart(page, { project, keywords: await keywordsOf(projectId) }, now);
};

/** Histories that are read at a time. */
const width = 24;

/** Makes something of each keyword from its history, in the order of the keywords. */
const fromHistories = async <Made>(
  keywords: readonly TrackedKeyword[],
  read: (keyword: TrackedKeyword) => Promise<Made>,
): Promise<Made[]> => {
  const made: Made[] = [];
  await inParallel(keywords.entries(), width, async ([n, keyword]) => {
    made[n] = await read(keyword);
  });
  return made;
};

const named = (keyword: TrackedKeyword) => ({
  keyword_id: keyword.keyword_id,
  keyword: keyword.keyword,
  engine: keyword.engine,
  device: keyword.device,
  location: locationOf(keyword),
  domain: keyword.domain,
});

type OnDay = ComparedDays['data'][number]['before'];

const unknown: OnDay = { position: null, crawled_at: null, url: '' };

/**
 * The last position of a day. A keyword that is not crawled each day has that of the crawl that covers the
 * day. Today, which is not over, has the position of before its crawl until that is overdue or has failed.
 */
const onDay = async (keyword: TrackedKeyword, day: string, now: number): Promise<OnDay> => {
  const { from, to } = timesOf({ start: day, end: day });
  if (from > now) return unknown;
  const isOver = to < now;
  const covered = from - (coveredDays(keyword.update_frequency) - 1) * secondsOfDay;
  const range = {
    from: isOver ? covered : Math.min(covered, validSince(keyword, now)),
    to: Math.min(to, now),
  };
  const entries = await listObservations(keyword.keyword_id, range, now);
  const last = entries.findLast((entry): entry is Observation => !isGap(entry));
  if (!last) return unknown;
  const dueOn = dayNumber(last.at + keyword.update_frequency * 3600);
  const isCovered = last.at >= from || dueOn > dayNumber(from);
  if (!isCovered && (isOver || last !== entries.at(-1))) return unknown;
  const { position = notFound, url = '' } = last.sightings[keyword.domain] ?? {};
  return { position, crawled_at: last.at, url };
};

/** Days between the two, if the request names only one of them. */
const comparedDays = 7;

/**
 * The positions of a page of keywords on any two days.
 * @throws HttpError 404 if the user has no such project; 422 if the cursor is not one of this list.
 */
export const compareDays = async (
  user: Account,
  projectId: number,
  { from, to: until, ...query }: ComparedDaysQuery,
  now = calendar(),
): Promise<ComparedDays> => {
  const to = until ?? isoDay(now);
  const since = from ?? isoDay(Date.parse(to) / 1000 - comparedDays * secondsOfDay);
  const { items, total, meta } = await partOf(user, projectId, query, now);
  const data = await fromHistories(items, async (keyword) => {
    const [before, after] = await Promise.all([onDay(keyword, since, now), onDay(keyword, to, now)]);
    const isKnown = before.position !== null && after.position !== null;
    const change = isKnown
      ? countedPosition(before.position ?? 0) - countedPosition(after.position ?? 0)
      : null;
    return { ...named(keyword), before, after, change };
  });
  return { data, cursor: meta.next_cursor, total };
};

/** The last crawl of each day, oldest first. A gap counts only on a day without a position. */
const lastOfDays = (entries: readonly HistoryEntry[]): HistoryEntry[] => {
  const days = new Map<number, HistoryEntry>();
  for (const entry of entries) {
    const before = days.get(dayNumber(entry.at));
    if (!before || isGap(before) || !isGap(entry)) days.set(dayNumber(entry.at), entry);
  }
  return [...days.values()];
};

const rowsOf = (
  keyword: TrackedKeyword,
  entries: readonly HistoryEntry[],
  kind: PositionsExportQuery['rows'],
): ExportedPosition[] =>
  lastOfDays(entries).flatMap((entry): ExportedPosition[] => {
    const row = { date: isoDay(entry.at), ...named(keyword), crawled_at: entry.at, reason: '' };
    if (isGap(entry)) {
      return kind === 'own_urls' ? [] : [{ ...row, position: null, url: '', reason: entry.reason }];
    }
    const { position = notFound, url = '' } = entry.sightings[keyword.domain] ?? {};
    return kind === 'own_urls'
      ? ownPagesOf(entry.own, { position, url }).map((page) => ({ ...row, ...page }))
      : [{ ...row, position, url }];
  });

const columns = [
  'date',
  'keyword_id',
  'keyword',
  'engine',
  'device',
  'location',
  'domain',
  'crawled_at',
  'position',
  'url',
  'reason',
] as const;

/**
 * The positions of a page of keywords on every day of a range, as JSON, CSV or JSON lines.
 * @throws HttpError 404 and 422 as `compareDays`; 413 if the text is too large for a response.
 */
export const exportPositions = async (
  user: Account,
  projectId: number,
  { rows: kind, format, for: program, start_date, end_date, ...query }: PositionsExportQuery,
  accept: string,
  now = calendar(),
): Promise<{ reply: PositionsExport | TextReply; cursor: string }> => {
  const { items, meta } = await partOf(user, projectId, query, now);
  const range = timesOf(daysOf({ start_date, end_date }, now));
  const made = await fromHistories(items, async (keyword) =>
    rowsOf(keyword, await listObservations(keyword.keyword_id, range, now), kind),
  );
  const data = made.flat();
  const cursor = meta.next_cursor ?? '';
  const text = rowsReply(columns, data, { format, for: program, accept });
  if (text) return { reply: text, cursor };
  return { reply: { data, cursor: meta.next_cursor }, cursor };
};

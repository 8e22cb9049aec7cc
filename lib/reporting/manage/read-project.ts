/**
 * What the management interface reads of a project: its keywords, their history, their cost, its visibility
 * and the summary of the week.
 */

import { isoDay } from '../../model/day.ts';
import { TextReply } from '../../model/forms.ts';
import {
  ManagedKeyword,
  type ManagedKeywordList,
  type ManagedKeywordsQuery,
  type TrackedHistory,
  type TrackedHistoryItem,
  type TrackedHistoryQuery,
} from '../../model/managed-keyword.ts';
import type { ProjectCost } from '../../model/project.ts';
import { tagCell, tagKey } from '../../model/tag.ts';
import { notFound, type Observation, type TrackedKeyword } from '../../model/tracking.ts';
import type { Account } from '../../model/user.ts';
import type { TagList, Visibility, VisibilityQuery } from '../../model/visibility.ts';
import { calendar } from '../../runtime/calendar.ts';
import { findProject, findTracked, keywordsOf } from '../find.ts';
import { csvReply, rowsReply, wantsCsv } from '../report/csv.ts';
import { daysOf } from '../report/days.ts';
import { readDays } from '../report/history.ts';
import { keywordPart, pageRequest } from '../report/keywords.ts';
import { ownersOf } from '../report/owners.ts';
import { allKeywords, selectKeywords } from '../report/select-keywords.ts';
import { summaryOfWeek } from '../report/summary.ts';
import { tagFiguresOf, withTag } from '../report/tags.ts';
import { keptVisibilityOf, visibilityOf } from '../report/visibility.ts';
import { costOf } from './keyword-cost.ts';
import { notesBetween } from './notes.ts';
import { ownPagesOf } from './own-pages.ts';
import { managedKeywordOf } from './show-keyword.ts';

/** What a request says of its response. */
type Asked = { baseUrl: string; accept: string };

/** The columns of keywords in CSV: all fields that are one value. */
const keywordColumns = Object.keys(ManagedKeyword.entries).filter(
  (name) => !['days', 'competitors', 'gap', 'owners'].includes(name),
);

/**
 * A page of the keywords of a project with their positions, or all of them as CSV.
 * @throws HttpError 404 if the user has no such project; 422 as `pageRequest`; 413 as `csvReply`.
 */
export const listTrackedKeywords = async (
  user: Account,
  projectId: number,
  { format, for: program, ...query }: ManagedKeywordsQuery,
  { baseUrl, accept }: Asked,
  now = calendar(),
): Promise<ManagedKeywordList | TextReply> => {
  const filter = { ...allKeywords, ...query };
  const page = pageRequest(user, projectId, filter);
  const project = await findProject(user, projectId);
  const keywords = await keywordsOf(projectId);
  const shown = (keyword: TrackedKeyword) => managedKeywordOf(keyword, { user, project, baseUrl, now });
  if (wantsCsv({ format, accept })) {
    const selected = selectKeywords(keywords, filter, { isPaused: project.paused, now });
    return csvReply(
      keywordColumns,
      selected.map(({ keyword }) => ({ ...shown(keyword), tags: tagCell(keyword.tags ?? []) })),
      { for: program },
    );
  }
  const { items, total, meta } = keywordPart(page, { project, keywords }, now);
  return { data: items.map(shown), cursor: meta.next_cursor, prev_cursor: meta.prev_cursor, total };
};

/** @throws HttpError 404 if the user has no such project, or no such keyword in it. */
export const readKeyword = async (
  user: Account,
  { project_id, keyword_id }: { project_id: number; keyword_id: number },
  baseUrl: string,
  now = calendar(),
): Promise<ManagedKeyword> => {
  await findProject(user, project_id);
  const { project, keyword } = await findTracked(user, keyword_id, project_id);
  return managedKeywordOf(keyword, { user, project, baseUrl, now });
};

/** An entry of the history. `before`: the page of the domain at the crawl before. */
const historyItemOf = (observation: Observation, domain: string, before: string): TrackedHistoryItem => {
  const { at, sightings, features, cited, own: pages } = observation;
  const { [domain]: own, ...others } = sightings;
  const { position = notFound, type = 'organic', url = '', title = '', snippet = '' } = own ?? {};
  return {
    created_at: at,
    position,
    url,
    title,
    snippet,
    type,
    features,
    owners: ownersOf(observation),
    cited,
    own_urls: ownPagesOf(pages, { position, url }),
    url_changed: url !== '' && before !== '' && url !== before,
    competitors: Object.fromEntries(Object.entries(others).map(([name, each]) => [name, each.position])),
  };
};

/**
 * The history of a keyword as its owner sees it, with the changes of its page. Takes and returns the oldest
 * first. `domain`: that of the keyword.
 */
export const historyItemsOf = (
  observations: readonly Observation[],
  domain: string,
): TrackedHistoryItem[] => {
  let before = '';
  return observations.map((each) => {
    const item = historyItemOf(each, domain, before);
    before = item.url || before;
    return item;
  });
};

const historyColumns = [
  'created_at',
  'position',
  'url',
  'title',
  'snippet',
  'type',
  'features',
  'cited',
] as const;

/**
 * The history of a keyword of a project in a range of days, oldest first. As CSV, the positions of
 * competitors have a column each.
 * @throws HttpError 404 if the user has no such project, or no such keyword in it; 413 as `csvReply`.
 */
export const readTrackedHistory = async (
  user: Account,
  ids: { project_id: number; keyword_id: number },
  { format, for: program, ...dates }: TrackedHistoryQuery,
  accept: string,
  now = calendar(),
): Promise<TrackedHistory | TextReply> => {
  const project = await findProject(user, ids.project_id);
  const { keyword } = await findTracked(user, ids.keyword_id, project.project_id);
  const days = daysOf(dates, now);
  const { observations, gaps } = await readDays(keyword.keyword_id, days);
  const data = historyItemsOf(observations.toReversed(), keyword.domain);
  if (!wantsCsv({ format, accept })) {
    return {
      data,
      gaps: gaps.toReversed().map(({ at, reason }) => ({ created_at: at, reason })),
      notes: await notesBetween(project.project_id, { start_date: days.start, end_date: days.end }),
    };
  }
  const rivals = [...new Set(data.flatMap(({ competitors }) => Object.keys(competitors)))];
  return csvReply(
    [...historyColumns, ...rivals],
    data.map(({ competitors, ...item }) => ({ ...competitors, ...item })),
    { for: program },
  );
};

/** What the keywords of a project cost. Throws HttpError 404 if the user has no such project. */
export const readCost = async (user: Account, projectId: number): Promise<ProjectCost> => {
  const project = await findProject(user, projectId);
  const keywords = await keywordsOf(projectId);
  const crawled = project.paused ? [] : keywords.filter(({ paused }) => !paused);
  return {
    keywords: keywords.length,
    paused: keywords.length - crawled.length,
    ...(await costOf(crawled, [])),
  };
};

const shareColumns = ['date', 'domain', 'share', 'citation_share'] as const;

/**
 * The share of voice of a project, of all keywords or of those with a tag. As CSV and JSON lines: a row for
 * each day and domain.
 * @throws HttpError 404 if the user has no such project.
 */
export const readVisibility = async (
  user: Account,
  projectId: number,
  { tag, ...form }: VisibilityQuery,
  accept: string,
  now = calendar(),
): Promise<Visibility | TextReply> => {
  const project = await findProject(user, projectId);
  const keywords = await keywordsOf(projectId);
  const wanted = tagKey(tag);
  const shares = wanted
    ? visibilityOf(project, keywords, now, withTag(keywords, wanted))
    : keptVisibilityOf(project, keywords, now);
  const rows = shares.days.flatMap(({ date, shares: ofDay, citation_shares }) =>
    Object.entries(ofDay).map(([domain, share]) => {
      const citation_share = citation_shares[domain] ?? null;
      return { date, domain, share, citation_share };
    }),
  );
  const text = rowsReply(shareColumns, rows, { ...form, accept });
  if (text) return text;
  const start_date = shares.days[0]?.date;
  return { ...shares, notes: await notesBetween(projectId, { start_date, end_date: isoDay(now) }) };
};

/** The tags of a project with their figures. Throws HttpError 404 if the user has no such project. */
export const listTags = async (user: Account, projectId: number, now = calendar()): Promise<TagList> => {
  const project = await findProject(user, projectId);
  return { data: tagFiguresOf(project, await keywordsOf(projectId), now) };
};

/** The summary of the week as Markdown. Throws HttpError 404 if the user has no such project. */
export const readSummary = async (user: Account, projectId: number, now = calendar()): Promise<TextReply> => {
  const project = await findProject(user, projectId);
  const text = summaryOfWeek(project, await keywordsOf(projectId), now);
  return new TextReply('text/markdown; charset=utf-8', text);
};

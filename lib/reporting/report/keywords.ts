/** Keywords in the reporting interface. */
import type { TextReply } from '../../model/forms.ts';
import type { CursorMeta, ListLinks } from '../../model/page.ts';
import { ReportKeywordDetail, type ReportKeywordList } from '../../model/report.ts';
import type { ReportKeywordsQuery } from '../../model/report-query.ts';
import type { Project, TrackedKeyword } from '../../model/tracking.ts';
import type { Account } from '../../model/user.ts';
import { calendar } from '../../runtime/calendar.ts';
import { findProject, findTracked, keywordsOf } from '../find.ts';
import { csvReply, wantsCsv } from './csv.ts';
import { compareKeys, type Edge, edgeIn, type Key, pageOf, partAt } from './page.ts';
import { type Filter, type Sorted, selectKeywords, signOf } from './select-keywords.ts';
import { detailOf, summaryOf } from './show-keyword.ts';

/** The name of a list of keywords and its filter, to which its cursors are bound. */
const listName = (projectId: number, filter: Filter): string => {
  const { search, sort, order, location, device, search_engine, type, status, tag } = filter;
  const values = [projectId, search, sort, order, location, device, search_engine, type, status];
  if (tag) values.push(tag);
  const { iso_code, position_from, position_to, moved, feature, url, feature_of } = filter;
  const more = [iso_code, position_from, position_to, moved, feature, url];
  if (feature_of) more.push(feature_of);
  if (more.some(Boolean)) values.push(JSON.stringify([tag, ...more]));
  return `reporting/keywords/${JSON.stringify(values)}`;
};

type PageQuery = Filter & { per_page: number; cursor?: string };

/** A request for a page of keywords, whose cursor is good. */
export type PageRequest = { user: Account; list: string; edge: Edge | undefined; query: PageQuery };

/**
 * Checks the cursor of a request, before it is known whether the project exists.
 * @throws HttpError 422 if the cursor is forged, of another user, or of a list with another filter.
 */
export const pageRequest = (user: Account, projectId: number, query: PageQuery): PageRequest => {
  const list = listName(projectId, query);
  return { user, list, edge: edgeIn(user, list, query.cursor ?? ''), query };
};

/** The keywords of a page, with the number of all that pass the filter. `path`: the address of the list. */
export const keywordPart = (
  { user, list, edge, query }: PageRequest,
  { project, keywords }: { project: Project; keywords: readonly TrackedKeyword[] },
  now: number,
  path = '',
): { items: TrackedKeyword[]; total: number; meta: CursorMeta; links: ListLinks } => {
  const { cursor: _, ...shown } = query;
  const sorted = selectKeywords(keywords, query, { isPaused: project.paused, now });
  const sign = signOf(query);
  const part = partAt(sorted, edge, {
    size: query.per_page,
    compare: ({ key }: Sorted, other: Key) => sign * compareKeys(key, other),
  });
  return {
    items: part.items.map(({ keyword }) => keyword),
    total: sorted.length,
    ...pageOf({ user, list, path, query: shown }, part, ({ key }) => key),
  };
};

/** The columns of keywords in CSV: with their positions, which the JSON of a list leaves out. */
const keywordColumns = Object.keys(ReportKeywordDetail.entries);

/** What a request says of its response. */
type Asked = { baseUrl: string; accept: string };

/**
 * A page of the keywords of a project, or all of them as CSV.
 * @throws HttpError 404 if the user has no such project; 422 as `pageRequest`; 413 as `csvReply`.
 */
export const listReportKeywords = async (
  user: Account,
  projectId: number,
  { format, for: program, ...query }: ReportKeywordsQuery,
  { baseUrl, accept }: Asked,
  now = calendar(),
): Promise<ReportKeywordList | TextReply> => {
  const page = pageRequest(user, projectId, query);
  const project = await findProject(user, projectId);
  const keywords = await keywordsOf(projectId);
  if (wantsCsv({ format, accept })) {
    const selected = selectKeywords(keywords, query, { isPaused: project.paused, now });
    const records = selected.map(({ keyword }) => detailOf(keyword, project.paused, now));
    return csvReply(keywordColumns, records, { fields: query.fields, for: program });
  }
  const path = `${baseUrl}/api/reporting/projects/${projectId}/keywords`;
  const { items, meta, links } = keywordPart(page, { project, keywords }, now, path);
  return { data: items.map((keyword) => summaryOf(keyword, project.paused, now)), meta, links };
};

/** A keyword with its positions. Throws HttpError 404 if the user has no such keyword. */
export const showReportKeyword = async (user: Account, keywordId: number, now = calendar()) => {
  const { project, keyword } = await findTracked(user, keywordId);
  return { data: detailOf(keyword, project.paused, now) };
};

/** The reporting interface: projects, keywords and the history of their positions, as the specification defines them. */
import * as v from 'valibot';
import { Device } from './crawl-request.ts';
import { daysBetween } from './day.ts';
import { NextCursor } from './page.ts';
import { Count, choice, Day, intBetween, PathId, Text } from './scalar.ts';
import { keywordTypes } from './tracking.ts';

/** Reading 39. */
export const TrackingStatus = v.picklist(['pending', 'updating', 'updated', 'failed']);
export type TrackingStatus = v.InferOutput<typeof TrackingStatus>;

const KeywordType = v.pipe(
  v.picklist(keywordTypes),
  v.description(
    '`owner`: the position of the project’s domain. `competitor`: of a competitor’s. `paid`: of the ads of the domain',
  ),
);

/** A position of the interface: 1000 if a complete crawl did not find the domain, null if there is none yet (Reading 6). */
const position = (text: string) =>
  v.pipe(v.nullable(Count), v.description(`${text}. 1000: not ranked. Null: not known`));

const figure = (text: string) => v.pipe(v.nullable(v.number()), v.description(`${text}. Null: not known`));

export const ReportProject = v.object({
  project_id: v.pipe(Count, v.description('The id of the project')),
  name: v.pipe(v.string(), v.description('The name of the project')),
  locations: v.pipe(v.string(), v.description('The places of the project, separated by commas')),
  check_frequency: v.pipe(
    Count,
    v.description('Hours between two crawls of a keyword without its own frequency'),
  ),
});
export type ReportProject = v.InferOutput<typeof ReportProject>;

export const ProjectStats = v.object({
  keywords_count: v.pipe(Count, v.description('The number of keywords')),
  average_position: v.pipe(
    Count,
    v.description('The average position of the ranked keywords, rounded. 0 if none is ranked'),
  ),
  moved_up: v.pipe(Count, v.description('Keywords that are higher than at the crawl before')),
  moved_down: v.pipe(Count, v.description('Keywords that are lower than at the crawl before')),
  no_change: v.pipe(Count, v.description('Crawled keywords that have not moved')),
  top_3: v.pipe(Count, v.description('Keywords at the positions 1 to 3')),
  top_10: v.pipe(Count, v.description('Keywords at the positions 1 to 10')),
  top_30: v.pipe(Count, v.description('Keywords at the positions 1 to 30')),
  top_100: v.pipe(Count, v.description('Keywords at the positions 1 to 100')),
  revenue: v.pipe(
    Count,
    v.description(
      'The monthly value of the expected clicks in currency units, rounded: volume × click rate of the position × `cpc`, of all keywords',
    ),
  ),
});
export type ProjectStats = v.InferOutput<typeof ProjectStats>;

export const ReportProjectDetail = v.object({
  ...ReportProject.entries,
  stats: ProjectStats,
});

/** The fields of a keyword in a list. */
export const ReportKeyword = v.object({
  keyword_id: v.pipe(Count, v.description('The id of the keyword')),
  name: v.pipe(v.string(), v.description('The keyword')),
  type: KeywordType,
  domain: v.pipe(v.string(), v.description('The domain whose position is followed')),
  language: v.pipe(
    v.string(),
    v.description('The name of the language. Empty: the default of the search engine'),
  ),
  search_engine: v.pipe(v.string(), v.description('The domain of the search engine')),
  device: v.pipe(Device, v.description('The device whose result page is read')),
  location: v.pipe(v.string(), v.description('The place of the search')),
  status: TrackingStatus,
  position_next_update: v.pipe(
    v.string(),
    v.description('When the next crawl is due, as an ISO 8601 time with an offset'),
  ),
});
export type ReportKeyword = v.InferOutput<typeof ReportKeyword>;

export const ReportKeywordDetail = v.object({
  ...ReportKeyword.entries,
  google_business: v.pipe(
    v.nullable(v.string()),
    v.description('The name of the business that is tracked. Null: none'),
  ),
  initial_position: position('The first position'),
  current_position: position('The newest position'),
  best_position: position('The best position'),
  previous_position: position('The position before the newest one'),
  movement: v.pipe(
    v.nullable(Count),
    v.description(
      'Previous − current position, so up is positive. Not ranked counts as 101. 0 after the first crawl. Null before it',
    ),
  ),
  local_sv: figure('Monthly searches in the place of the keyword'),
  global_sv: figure('Monthly searches in the whole world'),
  cpc: figure('Cost of a click on an ad, in currency units'),
  url: v.pipe(v.string(), v.description('The page at the newest position. `-`: none')),
  update_frequency: v.pipe(Count, v.description('Hours between two crawls')),
});
export type ReportKeywordDetail = v.InferOutput<typeof ReportKeywordDetail>;

export const HistoryItem = v.object({
  created_at: v.pipe(
    v.string(),
    v.description('When the pages were crawled, as an ISO 8601 time with an offset'),
  ),
  type: v.pipe(v.string(), v.description('The kind of the result, such as `organic`')),
  url: v.pipe(v.string(), v.description('The page at the position. `-`: none')),
  position: v.pipe(Count, v.description('The position. 1000: the domain is not in the results')),
  title: v.pipe(v.string(), v.description('The title of the result. `-`: none')),
  snippet: v.pipe(v.string(), v.description('The text of the result. `-`: none')),
});
export type HistoryItem = v.InferOutput<typeof HistoryItem>;

export const HistoryGap = v.object({
  created_at: v.pipe(v.string(), v.description('When the crawl failed, as an ISO 8601 time with an offset')),
  reason: v.pipe(v.string(), v.description('Why the crawl added no position')),
});
export type HistoryGap = v.InferOutput<typeof HistoryGap>;

const url = (text: string) => v.pipe(v.nullable(v.string()), v.description(`${text}. Null: there is none`));

/** Links to other pages of a list. */
export const ListLinks = v.object({
  first: url('The address of the first page'),
  last: url('The address of the last page'),
  prev: url('The address of the page before'),
  next: url('The address of the next page'),
});
export type ListLinks = v.InferOutput<typeof ListLinks>;

const hasMore = v.pipe(v.boolean(), v.description('Whether there is a next page'));

export const CursorMeta = v.object({
  per_page: v.pipe(
    v.array(Count),
    v.length(2),
    v.description('The largest number of items of a page, and the number of items of this page'),
  ),
  next_cursor: NextCursor,
  prev_cursor: v.pipe(
    v.nullable(v.string()),
    v.description('Send it as `cursor` to get the page before. Null: there is none'),
  ),
  has_more: hasMore,
  path: v.pipe(v.string(), v.description('The address of the list, without a query')),
});
export type CursorMeta = v.InferOutput<typeof CursorMeta>;

export const HistoryMeta = v.object({
  current_page: v.pipe(Count, v.description('The number of this page')),
  per_page: v.pipe(Count, v.description('The largest number of items of a page')),
  total: v.pipe(Count, v.description('The number of positions in the range, without gaps')),
  last_page: v.pipe(Count, v.description('The number of the last page')),
  has_more: hasMore,
  date_range: v.pipe(
    v.object({
      start_date: v.pipe(v.string(), v.description('The first day, UTC')),
      end_date: v.pipe(v.string(), v.description('The last day, UTC')),
      max_allowed_days: v.pipe(Count, v.description('The most days from the first to the last')),
    }),
    v.description('The days that the history covers'),
  ),
  gaps: v.pipe(
    v.array(HistoryGap),
    v.description('Crawls in the range that added no position, newest first'),
  ),
});
export type HistoryMeta = v.InferOutput<typeof HistoryMeta>;

const listOf = <Item extends v.GenericSchema, Meta extends v.GenericSchema>(
  item: Item,
  meta: Meta,
  text: string,
) =>
  v.object({
    data: v.pipe(v.array(item), v.description(text)),
    meta,
    links: ListLinks,
  });

export const ReportProjectList = listOf(ReportProject, CursorMeta, 'The projects, oldest first');
export const ReportKeywordList = listOf(ReportKeyword, CursorMeta, 'The keywords');
export const HistoryList = listOf(HistoryItem, HistoryMeta, 'The positions, newest first');
export type ReportProjectList = v.InferOutput<typeof ReportProjectList>;
export type ReportKeywordList = v.InferOutput<typeof ReportKeywordList>;
export type HistoryList = v.InferOutput<typeof HistoryList>;

export const ReportProjectReply = v.object({
  data: ReportProjectDetail,
  included: v.pipe(
    v.optional(
      v.object({
        keywords: v.pipe(
          v.array(v.object({ name: v.pipe(v.string(), v.description('The keyword')) })),
          v.description('The first keywords of the project'),
        ),
        keywords_meta: v.pipe(
          v.object({
            per_page: v.pipe(Count, v.description('The largest number of keywords here')),
            next_cursor: v.pipe(
              v.nullable(v.string()),
              v.description('The `cursor` of the keywords of the project that follow. Null: there are none'),
            ),
            has_more: v.pipe(v.boolean(), v.description('Whether the project has more keywords')),
          }),
          v.description('About the included keywords'),
        ),
      }),
    ),
    v.description('Only with `include=keywords`'),
  ),
});
export type ReportProjectReply = v.InferOutput<typeof ReportProjectReply>;

export const ReportKeywordReply = v.object({
  data: ReportKeywordDetail,
});

/** Items of a page, unless the request says otherwise. */
export const defaultPageSize = 25;

/** Reading 37. */
const perPage = v.pipe(
  v.optional(intBetween(1, 100), defaultPageSize),
  v.description('The largest number of items of a page, 1 to 100'),
);

const cursor = v.pipe(
  v.optional(Text, ''),
  v.description(
    'The `next_cursor` or `prev_cursor` of another page of the same list with the same filter and order. Empty: the first page',
  ),
);

const fieldsOf = (noun: string, example: string) =>
  v.pipe(
    v.optional(Text, ''),
    v.description(
      `The names of the fields of ${noun} to return, separated by commas. Unknown names are ignored. Empty: all`,
    ),
    v.examples([example]),
  );

/** `csv` or, by default, JSON. */
export const csvFormat = v.pipe(
  v.optional(choice(['json', 'csv'])),
  v.description(
    'The form of the response. `csv` has all rows of the list, not one page of it. Without it, the header `Accept` decides (`text/csv`)',
  ),
);

export const ReportProjectsQuery = v.object({
  per_page: perPage,
  cursor,
  fields: fieldsOf('a project', 'project_id,name'),
});
export type ReportProjectsQuery = v.InferOutput<typeof ReportProjectsQuery>;

export const ReportProjectQuery = v.object({
  include: v.pipe(
    v.optional(Text, ''),
    v.description(
      '`keywords` adds the first keywords. Other words are ignored. Several are separated by commas',
    ),
  ),
  fields: fieldsOf('the project', 'name,stats'),
});
export type ReportProjectQuery = v.InferOutput<typeof ReportProjectQuery>;

export const keywordSorts = ['name', 'current_position', 'movement', 'status', 'best_position'] as const;
export type KeywordSort = (typeof keywordSorts)[number];

/** How a list of keywords is filtered and sorted. */
export const keywordFilter = {
  search: v.pipe(
    v.optional(Text, ''),
    v.description('Only keywords that have this text in their name, in either case'),
  ),
  sort: v.pipe(
    v.optional(choice(keywordSorts)),
    v.description('What the list is sorted by. Without it: the order in which the keywords were added'),
  ),
  order: v.pipe(v.optional(choice(['asc', 'desc']), 'asc'), v.description('The direction of the list')),
  location: v.pipe(v.optional(Text, ''), v.description('Only keywords with this `location`, in either case')),
  device: v.pipe(v.optional(Device), v.description('Only keywords of this device')),
  search_engine: v.pipe(
    v.optional(Text, ''),
    v.description('Only keywords of the search engine with this domain or name, in either case'),
  ),
  type: v.pipe(v.optional(choice(keywordTypes)), v.description('Only keywords of this type')),
  status: v.pipe(
    v.optional(Text, ''),
    v.description('Only keywords in this state, in either case'),
    v.examples(['updated']),
  ),
};
const KeywordFilter = v.object(keywordFilter);
export type KeywordFilter = v.InferOutput<typeof KeywordFilter>;

export const ReportKeywordsQuery = v.object({
  ...keywordFilter,
  per_page: perPage,
  cursor,
  fields: fieldsOf('a keyword', 'keyword_id,name,status'),
  format: csvFormat,
});
export type ReportKeywordsQuery = v.InferOutput<typeof ReportKeywordsQuery>;

export const ReportKeywordQuery = v.object({ fields: fieldsOf('the keyword', 'name,current_position') });

/** The most days from the first to the last day of a history. */
export const maxHistoryDays = 180;

/** Days of a history of which the request names at most one end (Reading 39). */
export const defaultHistoryDays = 30;

type Range = { start_date?: string | undefined; end_date?: string | undefined };

const lengthOf = ({ start_date, end_date }: Range): number =>
  start_date === undefined || end_date === undefined ? 0 : daysBetween(start_date, end_date);

/** The range of days that a query names. */
export const dateRange = {
  start_date: v.pipe(
    v.optional(Day),
    v.description('The first day, UTC, as `YYYY-MM-DD`. Without it: 30 days before the last one'),
  ),
  end_date: v.pipe(
    v.optional(Day),
    v.description('The last day, UTC, as `YYYY-MM-DD`. Without it: 30 days after the first one, or today'),
  ),
};

/** Refuses a range that ends before its start or is too long. */
export const checkedRange = <const Entries extends typeof dateRange & v.ObjectEntries>(entries: Entries) =>
  v.pipe(
    v.object(entries),
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return;
      const { value } = dataset;
      const range = value as Range;
      const days = lengthOf(range);
      if (days >= 0 && days <= maxHistoryDays) return;
      addIssue({
        message:
          days < 0
            ? 'value_error: Value error, the start date must not be after the end date'
            : `value_error: Value error, the date range must not exceed ${maxHistoryDays} days`,
        path: [
          {
            type: 'object',
            origin: 'value',
            input: value as Record<string, unknown>,
            key: 'start_date',
            value: range.start_date,
          },
        ],
      });
    }),
  );

export const HistoryQuery = checkedRange({
  ...dateRange,
  page: v.pipe(
    v.optional(intBetween(1, Number.MAX_SAFE_INTEGER), 1),
    v.description('The number of the page, from 1'),
  ),
  per_page: perPage,
  format: csvFormat,
});
export type HistoryQuery = v.InferOutput<typeof HistoryQuery>;

const idOf = (noun: string) => v.object({ id: v.pipe(PathId, v.description(`The id of the ${noun}`)) });

export const ReportProjectParams = idOf('project');
export const ReportKeywordParams = idOf('keyword');

/** Unix seconds as an ISO 8601 time with an offset. */
export const isoTime = (seconds: number): string =>
  new Date(seconds * 1000).toISOString().replace(/\.\d+Z$/, '+00:00');

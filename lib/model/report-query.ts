/**
 * The parameters of the reporting interface: pages, filters and ranges of days, as the specification defines
 * them.
 */
import * as v from 'valibot';
import { Device, IsoCode } from './crawl-request.ts';
import { daysBetween } from './day.ts';
import { described } from './described.ts';
import { defaultEngine, engines } from './engine.ts';
import { csvFor } from './forms.ts';
import { choice, Day, intBetween, PathId, Text } from './scalar.ts';
import { keywordTypes } from './tracking.ts';

/** Items of a page, unless the request says otherwise. */
export const defaultPageSize = 25;

/** Reading 37. */
const perPage = described(
  v.optional(intBetween(1, 100), defaultPageSize),
  'The largest number of items of a page, 1 to 100',
  25,
);

const cursor = described(
  v.optional(Text, ''),
  'The `next_cursor` or `prev_cursor` of another page of the same list with the same filter and order. ' +
    'Empty: the first page',
  '',
);

const fieldsOf = (noun: string, example: string) =>
  described(
    v.optional(Text, ''),
    `The names of the fields of ${noun} to return, separated by commas. Unknown names are ignored. ` +
      'Empty: all',
    example,
  );

/** `csv` or, by default, JSON. */
export const csvForm = {
  format: described(
    v.optional(choice(['json', 'csv'])),
    'The form of the response. `csv` has all rows, not one page. Without it, the header `Accept` decides',
    'csv',
  ),
  for: csvFor,
};

export const ReportProjectsQuery = v.object({
  per_page: perPage,
  cursor,
  fields: fieldsOf('a project', 'project_id,name'),
});
export type ReportProjectsQuery = v.InferOutput<typeof ReportProjectsQuery>;

export const ReportProjectQuery = v.object({
  include: described(
    v.optional(Text, ''),
    '`keywords` adds the first keywords. Other words are ignored. Several are separated by commas',
    'keywords',
  ),
  fields: fieldsOf('the project', 'name,stats'),
});
export type ReportProjectQuery = v.InferOutput<typeof ReportProjectQuery>;

const keywordSorts = ['name', 'current_position', 'movement', 'status', 'best_position'] as const;

/** What only the list of a project's owner is sorted by, besides. */
export const ownerSorts = [
  ...keywordSorts,
  'url',
  'features',
  'tags',
  'iso_code',
  'engine',
  'local_sv',
] as const;
export type KeywordSort = (typeof ownerSorts)[number];

/** How a list of keywords is filtered and sorted. */
export const keywordFilter = {
  search: described(
    v.optional(Text, ''),
    'Only keywords that have this text in their name, in either case',
    'coffee',
  ),
  sort: described(
    v.optional(choice(keywordSorts)),
    'What the list is sorted by. Without it: the order in which they were added',
    'current_position',
  ),
  order: described(v.optional(choice(['asc', 'desc']), 'asc'), 'The direction of the list', 'asc'),
  location: described(
    v.optional(Text, ''),
    'Only keywords with this `location`, in either case',
    'Berlin,Germany',
  ),
  device: described(v.optional(Device), 'Only keywords of this device', 'mobile'),
  search_engine: described(
    v.optional(Text, ''),
    'Only keywords of the search engine with this domain or name, in either case',
    engines[defaultEngine].domain,
  ),
  type: described(v.optional(choice(keywordTypes)), 'Only keywords of this type', 'owner'),
  status: described(v.optional(Text, ''), 'Only keywords in this state, in either case', 'updated'),
  tag: described(v.optional(Text, ''), 'Only keywords with this tag, in either case', ''),
};
/** How a list of keywords is filtered by what their newest crawl found. */
export const positionFilter = {
  iso_code: described(v.optional(IsoCode), 'Only keywords of this country', 'DE'),
  position_from: described(
    v.optional(intBetween(1, 1000)),
    'Only keywords at this position or a worse one. 1000: not ranked',
    4,
  ),
  position_to: described(
    v.optional(intBetween(1, 1000)),
    'Only keywords at this position or a better one',
    10,
  ),
  moved: described(
    v.optional(choice(['up', 'down', 'same'])),
    'Only keywords whose newest position is better, worse or the same',
    'down',
  ),
  feature: described(
    v.optional(Text, ''),
    'Only keywords with this kind of item on the newest result page',
    'ai_overview',
  ),
  feature_of: described(
    v.optional(choice(['own', 'competitor', 'other'])),
    'Only keywords for which these have an item of `feature`, or of any kind',
    'competitor',
  ),
  url: described(v.optional(Text, ''), 'Only keywords whose page has this text in its address', '/shop/'),
};
const PositionFilter = v.object(positionFilter);
export type PositionFilter = v.InferOutput<typeof PositionFilter>;

const KeywordFilter = v.object(keywordFilter);
export type KeywordFilter = v.InferOutput<typeof KeywordFilter>;

export const ReportKeywordsQuery = v.object({
  ...keywordFilter,
  per_page: perPage,
  cursor,
  fields: fieldsOf('a keyword', 'keyword_id,name,status'),
  ...csvForm,
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
  start_date: described(
    v.optional(Day),
    'The first day, UTC, as `YYYY-MM-DD`. Without it: 30 days before the last one',
    '2026-11-01',
  ),
  end_date: described(
    v.optional(Day),
    'The last day, UTC, as `YYYY-MM-DD`. Without it: 30 days after the first one, or today',
    '2026-11-22',
  ),
};

/** Refuses two days of which the first one is later than the last one. An absent day is any. */
export const daysInOrder = <const Entries extends v.ObjectEntries>(
  entries: Entries,
  first: keyof Entries & string,
  last: keyof Entries & string,
) =>
  v.pipe(
    v.object(entries),
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return;
      const input = dataset.value as Record<string, unknown>;
      const [from, to] = [input[first], input[last]];
      if (typeof from !== 'string' || typeof to !== 'string' || from <= to) return;
      addIssue({
        message: `value_error: Value error, ${first} must not be after ${last}`,
        path: [{ type: 'object', origin: 'value', input, key: first, value: from }],
      });
    }),
  );

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
  page: described(v.optional(intBetween(1, Number.MAX_SAFE_INTEGER), 1), 'The number of the page, from 1', 1),
  per_page: perPage,
  ...csvForm,
});
export type HistoryQuery = v.InferOutput<typeof HistoryQuery>;

const idOf = (noun: string, example: number) =>
  v.object({ id: described(PathId, `The id of the ${noun}`, example) });

export const ReportProjectParams = idOf('project', 3767392204849160);
export const ReportKeywordParams = idOf('keyword', 3767392204849161);

/** A tracked keyword as its owner manages it, with its positions, and what is made from the keywords of a project. */
import * as v from 'valibot';
import { Device } from './crawl-request.ts';
import { EngineName } from './engine.ts';
import { NextCursor } from './page.ts';
import { checkedRange, csvFormat, dateRange, keywordFilter, TrackingStatus } from './report.ts';
import { Count, intBetween, PathId, Seconds, Text } from './scalar.ts';
import { keywordTypes } from './tracking.ts';

const position = (text: string) =>
  v.pipe(v.nullable(Count), v.description(`${text}. 1000: not ranked. Null: not known`));

const figure = (text: string) => v.pipe(v.nullable(v.number()), v.description(`${text}. Null: not known`));

/** Previous − current position. */
const movement = v.pipe(
  v.nullable(Count),
  v.description(
    'Previous − current position, so up is positive. Not ranked counts as 101. Null before the first crawl',
  ),
);

const cited = v.pipe(
  v.nullable(v.boolean()),
  v.description(
    'Whether the AI overview cites the domain. Null: there is none, or its sources are not known',
  ),
);

export const TrackingGap = v.object({
  created_at: v.pipe(Seconds, v.description('When the crawl failed, in Unix seconds')),
  reason: v.pipe(v.string(), v.description('Why the crawl added no position')),
});

export const ManagedKeyword = v.object({
  keyword_id: v.pipe(Count, v.description('The id of the keyword')),
  project_id: v.pipe(Count, v.description('The id of its project')),
  keyword: v.pipe(v.string(), v.description('The keyword')),
  type: v.pipe(
    v.picklist(keywordTypes),
    v.description('Whose position is followed; `paid`: that of the ads'),
  ),
  domain: v.pipe(v.string(), v.description('The domain whose position is followed')),
  engine: v.pipe(EngineName, v.description('The search engine')),
  engine_domain: v.pipe(v.string(), v.description('The domain of the search engine')),
  location_name: v.pipe(v.string(), v.description('The place of the search; empty: the whole country')),
  iso_code: v.pipe(v.string(), v.description('The country of the search')),
  language_code: v.pipe(v.string(), v.description('The language of the search')),
  device: v.pipe(Device, v.description('The device whose result page is read')),
  google_business: v.pipe(
    v.nullable(v.string()),
    v.description('The name of the business that is tracked. Null: none'),
  ),
  update_frequency: v.pipe(Count, v.description('Hours between two crawls')),
  paused: v.pipe(v.boolean(), v.description('Whether the keyword is not crawled')),
  created_at: v.pipe(Seconds, v.description('When the keyword was added, in Unix seconds')),
  status: TrackingStatus,
  next_at: v.pipe(Seconds, v.description('When the next crawl is due, in Unix seconds')),
  crawled_at: v.pipe(
    v.nullable(Seconds),
    v.description('When the newest position was found, in Unix seconds. Null: there is none'),
  ),
  initial_position: position('The first position'),
  current_position: position('The newest position'),
  best_position: position('The best position'),
  previous_position: position('The position before the newest one'),
  movement,
  url: v.pipe(v.string(), v.description('The page at the newest position. Empty: none')),
  cited,
  features: v.pipe(
    v.array(v.string()),
    v.description('Kinds of items on the newest result page besides the ranked ones'),
  ),
  days: v.pipe(
    v.array(
      v.object({
        date: v.pipe(v.string(), v.description('The day, UTC')),
        position: position('The last position of the day'),
        cited,
      }),
    ),
    v.description('The last crawl of each of the last 31 days with one, oldest first'),
  ),
  competitors: v.pipe(
    v.record(
      v.string(),
      v.object({
        current_position: position('The newest position'),
        previous_position: position('The position before the newest one'),
        movement,
      }),
    ),
    v.description('The positions of the other domains that the keyword was compared with, by domain'),
  ),
  gap: v.pipe(
    v.nullable(TrackingGap),
    v.description('The newest crawl, if it added no position. Null: it added one, or there is none'),
  ),
  local_sv: figure('Monthly searches in the place of the keyword'),
  global_sv: figure('Monthly searches in the whole world'),
  cpc: figure('Cost of a click on an ad, in currency units'),
  chart_url: v.pipe(
    v.string(),
    v.description(
      'The address of a chart of the positions, an SVG image. It needs no key, and works for 400 days',
    ),
  ),
});
export type ManagedKeyword = v.InferOutput<typeof ManagedKeyword>;

export const ManagedKeywordList = v.object({
  data: v.pipe(v.array(ManagedKeyword), v.description('The keywords')),
  cursor: NextCursor,
  total: v.pipe(Count, v.description('The number of keywords that pass the filter')),
});
export type ManagedKeywordList = v.InferOutput<typeof ManagedKeywordList>;

const { sort, order, search, type, device, status } = keywordFilter;

export const ManagedKeywordsQuery = v.object({
  sort,
  order,
  search,
  type,
  device,
  status,
  per_page: v.pipe(
    v.optional(intBetween(1, 500), 100),
    v.description('The largest number of keywords of a page, 1 to 500'),
  ),
  cursor: v.pipe(
    v.optional(Text, ''),
    v.description('The `cursor` of the page before, with the same filter and order. Empty: the first page'),
  ),
  format: csvFormat,
});
export type ManagedKeywordsQuery = v.InferOutput<typeof ManagedKeywordsQuery>;

export const TrackedHistoryItem = v.object({
  created_at: v.pipe(Seconds, v.description('When the pages were crawled, in Unix seconds')),
  position: v.pipe(Count, v.description('The position. 1000: the domain is not in the results')),
  url: v.pipe(v.string(), v.description('The page at the position. Empty: none')),
  title: v.pipe(v.string(), v.description('The title of the result. Empty: none')),
  snippet: v.pipe(v.string(), v.description('The text of the result. Empty: none')),
  type: v.pipe(v.string(), v.description('The kind of the result, such as `organic`')),
  features: v.pipe(
    v.array(v.string()),
    v.description('Kinds of items on the result page besides the ranked ones'),
  ),
  cited,
  competitors: v.pipe(
    v.record(v.string(), Count),
    v.description('The positions of other domains, by domain. 1000: not in the results'),
  ),
});
export type TrackedHistoryItem = v.InferOutput<typeof TrackedHistoryItem>;

export const TrackedHistory = v.object({
  data: v.pipe(v.array(TrackedHistoryItem), v.description('The positions, oldest first')),
  gaps: v.pipe(
    v.array(TrackingGap),
    v.description('Crawls in the range that added no position, oldest first'),
  ),
});
export type TrackedHistory = v.InferOutput<typeof TrackedHistory>;

export const TrackedHistoryQuery = checkedRange({ ...dateRange, format: csvFormat });
export type TrackedHistoryQuery = v.InferOutput<typeof TrackedHistoryQuery>;

const share = v.pipe(
  v.number(),
  v.description(
    'The share of all clicks on web results for the keywords that the domain is expected to get, 0 to 1: by volume and position',
  ),
);

export const Visibility = v.object({
  data: v.pipe(
    v.array(
      v.object({
        domain: v.pipe(v.string(), v.description('The domain of the project or of a competitor')),
        share,
        top_3: v.pipe(Count, v.description('Keywords at the positions 1 to 3')),
        top_10: v.pipe(Count, v.description('Keywords at the positions 1 to 10')),
        average_position: v.pipe(
          v.nullable(v.number()),
          v.description('The average position of the ranked keywords. Null: none is ranked'),
        ),
      }),
    ),
    v.description('The visibility of each domain now, the project’s own first'),
  ),
  days: v.pipe(
    v.array(
      v.object({
        date: v.pipe(v.string(), v.description('The day, UTC')),
        shares: v.pipe(v.record(v.string(), share), v.description('The shares of the domains on the day')),
      }),
    ),
    v.description('The last 31 days, oldest first. A keyword keeps its position until its next crawl'),
  ),
});
export type Visibility = v.InferOutput<typeof Visibility>;

export const ManagedKeywordParams = v.object({
  project_id: v.pipe(PathId, v.description('The id of the project')),
  keyword_id: v.pipe(PathId, v.description('The id of the keyword')),
});

export const ChartQuery = v.object({
  days: v.pipe(
    v.optional(intBetween(1, 180), 30),
    v.description('The number of days that the chart shows, up to today, 1 to 180'),
  ),
});
export type ChartQuery = v.InferOutput<typeof ChartQuery>;

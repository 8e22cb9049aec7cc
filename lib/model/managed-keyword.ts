/**
 * A tracked keyword as its owner manages it, with its positions, and what is made from the keywords of a
 * project.
 */
import * as v from 'valibot';
import { component, described, describedAs } from './described.ts';
import { defaultEngine, EngineName, engines } from './engine.ts';
import { FeatureOwnersList } from './feature-owners.ts';
import { Notes } from './note.ts';
import { NextCursor } from './page.ts';
import {
  checkedRange,
  csvForm,
  dateRange,
  keywordFilter,
  ownerSorts,
  positionFilter,
} from './report-query.ts';
import { Count, choice, intBetween, PathId, Seconds, Text } from './scalar.ts';
import { positionField, trackedFields } from './tracked-fields.ts';
import { keywordTypes } from './tracking.ts';

/** Previous − current position. */
const movement = described(
  v.nullable(Count),
  'Previous − current position, so up is positive. Not ranked counts as 101. Null before the first crawl',
  2,
);

const cited = described(
  v.nullable(v.boolean()),
  'Whether the AI overview cites the domain. Null: there is none, or its sources are not known',
  true,
);

const TrackingGap = component(
  'TrackingGap',
  'A crawl that added no position',
  v.object({
    created_at: described(Seconds, 'When the crawl failed, in Unix seconds', 1795910400),
    reason: described(
      v.string(),
      'Why the crawl added no position',
      'captcha: the engine asks for proof of a person',
    ),
  }),
);

export const ManagedKeyword = component(
  'ManagedKeyword',
  'A tracked keyword as its owner manages it, with its newest positions',
  v.object({
    keyword_id: trackedFields.keyword_id,
    project_id: described(Count, 'The id of its project', 3767392204849160),
    keyword: described(v.string(), 'The keyword', 'coffee grinder'),
    type: described(v.picklist(keywordTypes), 'Whose position is followed; `paid`: that of the ads', 'owner'),
    domain: trackedFields.domain,
    engine: described(EngineName, 'The search engine', defaultEngine),
    engine_domain: described(v.string(), 'The domain of the search engine', engines[defaultEngine].domain),
    location_name: described(
      v.string(),
      'The place of the search; empty: the whole country',
      'Berlin,Germany',
    ),
    iso_code: described(v.string(), 'The country of the search', 'DE'),
    language_code: described(v.string(), 'The language of the search', 'de'),
    device: trackedFields.device,
    google_business: trackedFields.google_business,
    update_frequency: trackedFields.update_frequency,
    paused: described(v.boolean(), 'Whether the keyword is not crawled', false),
    tags: described(v.array(v.string()), 'The words by which the user groups it', ['brand']),
    created_at: described(Seconds, 'When the keyword was added, in Unix seconds', 1795996800),
    status: trackedFields.status,
    next_at: described(Seconds, 'When the next crawl is due, in Unix seconds', 1796083200),
    crawled_at: described(
      v.nullable(Seconds),
      'When the newest position was found, in Unix seconds. Null: there is none',
      1795996800,
    ),
    initial_position: trackedFields.initial_position,
    current_position: trackedFields.current_position,
    best_position: trackedFields.best_position,
    previous_position: trackedFields.previous_position,
    movement,
    url: described(
      v.string(),
      'The page at the newest position. Empty: none',
      'https://www.example.com/coffee-grinders',
    ),
    cited,
    features: described(
      v.array(v.string()),
      'Kinds of items on the newest result page besides the ranked ones',
      ['ai_overview', 'related_search'],
    ),
    owners: FeatureOwnersList,
    days: described(
      v.array(
        v.object({
          date: described(v.string(), 'The day, UTC', '2026-11-22'),
          position: positionField('The last position of the day', 4),
          cited,
        }),
      ),
      'The last crawl of each of the last 31 days with one, oldest first',
      [],
    ),
    competitors: described(
      v.record(
        v.string(),
        v.object({
          current_position: trackedFields.current_position,
          previous_position: trackedFields.previous_position,
          movement,
        }),
      ),
      'The positions of the other domains that the keyword was compared with, by domain',
      { 'rival.example': { current_position: 2, previous_position: 3, movement: 1 } },
    ),
    gap: described(
      v.nullable(TrackingGap),
      'The newest crawl, if it added no position. Null: it added one, or there is none',
      null,
    ),
    local_sv: trackedFields.local_sv,
    global_sv: trackedFields.global_sv,
    cpc: trackedFields.cpc,
    chart_url: described(
      v.string(),
      'A chart of the positions, an SVG image. It needs no key, and works for 400 days',
      'https://api.example.com/charts/1.1830556800.Mzc2NzM5.AAAA.svg',
    ),
  }),
);
export type ManagedKeyword = v.InferOutput<typeof ManagedKeyword>;

export const ManagedKeywordList = component(
  'ManagedKeywordList',
  'A page of the list of keywords of a project',
  v.object({
    data: described(v.array(ManagedKeyword), 'The keywords', []),
    cursor: NextCursor,
    prev_cursor: described(
      v.nullable(v.string()),
      'As `cursor`, for the page before. Null: this is the first',
      null,
    ),
    total: described(Count, 'The number of keywords that pass the filter', 1),
  }),
);
export type ManagedKeywordList = v.InferOutput<typeof ManagedKeywordList>;

const { order, search, search_engine, type, device, status, tag } = keywordFilter;

export const ManagedKeywordsQuery = v.object({
  sort: describedAs(v.optional(choice(ownerSorts)), keywordFilter.sort),
  order,
  search,
  search_engine,
  type,
  device,
  status,
  tag,
  ...positionFilter,
  per_page: described(
    v.optional(intBetween(1, 500), 100),
    'The largest number of keywords of a page, 1 to 500',
    25,
  ),
  cursor: described(
    v.optional(Text, ''),
    'The `cursor` of the page before, with the same filter and order. Empty: the first page',
    '',
  ),
  ...csvForm,
});
export type ManagedKeywordsQuery = v.InferOutput<typeof ManagedKeywordsQuery>;

/** A page of the domain in the results of a keyword. */
export const OwnPage = component(
  'OwnPage',
  'A page of the domain in the results of a keyword',
  v.object({
    position: described(Count, 'Its position', 4),
    url: described(v.string(), 'Its address', 'https://www.example.com/coffee-grinders'),
  }),
);

export const TrackedHistoryItem = component(
  'TrackedHistoryItem',
  'The positions that one crawl found',
  v.object({
    created_at: described(Seconds, 'When the pages were crawled, in Unix seconds', 1795996800),
    position: described(Count, 'The position. 1000: the domain is not in the results', 4),
    url: described(
      v.string(),
      'The page at the position. Empty: none',
      'https://www.example.com/coffee-grinders',
    ),
    title: described(v.string(), 'The title of the result. Empty: none', 'Coffee grinders compared'),
    snippet: described(
      v.string(),
      'The text of the result. Empty: none',
      'Twelve grinders, one bag of beans.',
    ),
    type: described(v.string(), 'The kind of the result, such as `organic`', 'organic'),
    features: described(v.array(v.string()), 'Kinds of items on the result page besides the ranked ones', [
      'ai_overview',
      'related_search',
    ]),
    owners: FeatureOwnersList,
    cited,
    own_urls: described(
      v.array(OwnPage),
      'All pages of the domain in the results, the best first: more than one compete with each other',
      [],
    ),
    url_changed: described(
      v.boolean(),
      'Whether another page was the best one at the crawl before, in the same range of days',
      false,
    ),
    competitors: described(
      v.record(v.string(), Count),
      'The positions of other domains, by domain. 1000: not in the results',
      { 'rival.example': 2 },
    ),
  }),
);
export type TrackedHistoryItem = v.InferOutput<typeof TrackedHistoryItem>;

export const TrackedHistory = component(
  'TrackedHistory',
  'The positions of a keyword in a range of days',
  v.object({
    data: described(v.array(TrackedHistoryItem), 'The positions, oldest first', []),
    gaps: described(v.array(TrackingGap), 'Crawls in the range that added no position, oldest first', []),
    notes: Notes,
  }),
);
export type TrackedHistory = v.InferOutput<typeof TrackedHistory>;

export const TrackedHistoryQuery = checkedRange({ ...dateRange, ...csvForm });
export type TrackedHistoryQuery = v.InferOutput<typeof TrackedHistoryQuery>;

export const ManagedKeywordParams = v.object({
  project_id: described(PathId, 'The id of the project', 3767392204849160),
  keyword_id: described(PathId, 'The id of the keyword', 3767392204849161),
});

export const ChartQuery = v.object({
  days: described(
    v.optional(intBetween(1, 180), 30),
    'The number of days that the chart shows, up to today, 1 to 180',
    30,
  ),
});
export type ChartQuery = v.InferOutput<typeof ChartQuery>;

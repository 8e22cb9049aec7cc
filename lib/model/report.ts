/**
 * The reporting interface: projects, keywords and the history of their positions, as the specification
 * defines them.
 */
import * as v from 'valibot';
import { component, described } from './described.ts';
import { defaultEngine, engines } from './engine.ts';
import { CursorMeta, hasMore, listOf } from './page.ts';
import { Count } from './scalar.ts';
import { trackedFields } from './tracked-fields.ts';
import { keywordTypes } from './tracking.ts';

const KeywordType = described(
  v.picklist(keywordTypes),
  '`owner`: the position of the project’s domain. `competitor`: of a competitor’s. `paid`: of the ads of ' +
    'the domain',
  'owner',
);

export const ReportProject = component(
  'ReportProject',
  'A project in a list of the reporting interface',
  v.object({
    project_id: described(Count, 'The id of the project', 3767392204849160),
    name: described(v.string(), 'The name of the project', 'Coffee shop'),
    locations: described(v.string(), 'The places of the keywords, separated by commas', 'Berlin,Germany'),
    check_frequency: described(Count, 'Hours between two crawls of a keyword without its own frequency', 24),
  }),
);
export type ReportProject = v.InferOutput<typeof ReportProject>;

export const ProjectStats = component(
  'ProjectStats',
  'The figures of the keywords of a project',
  v.object({
    keywords_count: described(Count, 'The number of all keywords of the project', 120),
    average_position: described(
      Count,
      'The average position of the ranked keywords, rounded. 0 if none is ranked',
      18,
    ),
    moved_up: described(Count, 'Keywords that are higher than at the crawl before', 31),
    moved_down: described(Count, 'Keywords that are lower than at the crawl before', 12),
    no_change: described(Count, 'Crawled keywords that have not moved', 77),
    top_3: described(Count, 'Keywords at the positions 1 to 3', 9),
    top_10: described(Count, 'Keywords at the positions 1 to 10', 34),
    top_30: described(Count, 'Keywords at the positions 1 to 30', 70),
    top_100: described(Count, 'Keywords at the positions 1 to 100', 111),
    revenue: described(
      Count,
      'The monthly value of the expected clicks in currency units, rounded: volume × click rate of the ' +
        'position × `cpc`',
      1860,
    ),
  }),
);
export type ProjectStats = v.InferOutput<typeof ProjectStats>;

const ReportProjectDetail = component(
  'ReportProjectDetail',
  'A project of the reporting interface, with the figures of its keywords',
  v.object({
    ...ReportProject.entries,
    stats: described(
      ProjectStats,
      'The figures of the keywords of the type `owner`. Only `keywords_count` counts all of them',
    ),
  }),
);

/** The fields of a keyword in a list. */
export const ReportKeyword = component(
  'ReportKeyword',
  'A tracked keyword in a list of the reporting interface',
  v.object({
    keyword_id: trackedFields.keyword_id,
    name: described(v.string(), 'The keyword', 'coffee grinder'),
    type: KeywordType,
    domain: trackedFields.domain,
    language: described(
      v.string(),
      'The name of the language. Empty: the default of the search engine',
      'German',
    ),
    search_engine: described(v.string(), 'The domain of the search engine', engines[defaultEngine].domain),
    device: trackedFields.device,
    location: described(v.string(), 'The place of the search', 'Berlin,Germany'),
    status: trackedFields.status,
    position_next_update: described(
      v.string(),
      'When the next crawl is due, as an ISO 8601 time with an offset',
      '2026-11-23T00:00:00+00:00',
    ),
  }),
);
export type ReportKeyword = v.InferOutput<typeof ReportKeyword>;

export const ReportKeywordDetail = component(
  'ReportKeywordDetail',
  'A tracked keyword of the reporting interface, with its positions',
  v.object({
    ...ReportKeyword.entries,
    google_business: trackedFields.google_business,
    initial_position: trackedFields.initial_position,
    current_position: trackedFields.current_position,
    best_position: trackedFields.best_position,
    previous_position: trackedFields.previous_position,
    movement: described(
      v.nullable(Count),
      'Previous − current position, so up is positive. Not ranked counts as 101. 0 after the first crawl. ' +
        'Null before it',
      2,
    ),
    local_sv: trackedFields.local_sv,
    global_sv: trackedFields.global_sv,
    cpc: trackedFields.cpc,
    url: described(
      v.string(),
      'The page at the newest position. `-`: none',
      'https://www.example.com/coffee-grinders',
    ),
    update_frequency: trackedFields.update_frequency,
  }),
);
export type ReportKeywordDetail = v.InferOutput<typeof ReportKeywordDetail>;

export const HistoryItem = component(
  'HistoryItem',
  'The position that one crawl found',
  v.object({
    created_at: described(
      v.string(),
      'When the pages were crawled, as an ISO 8601 time with an offset',
      '2026-11-22T00:00:00+00:00',
    ),
    type: described(v.string(), 'The kind of the result, such as `organic`', 'organic'),
    url: described(
      v.string(),
      'The page at the position. `-`: none',
      'https://www.example.com/coffee-grinders',
    ),
    position: described(Count, 'The position. 1000: the domain is not in the results', 4),
    title: described(v.string(), 'The title of the result. `-`: none', 'Coffee grinders compared'),
    snippet: described(v.string(), 'The text of the result. `-`: none', 'Twelve grinders, one bag of beans.'),
  }),
);
export type HistoryItem = v.InferOutput<typeof HistoryItem>;

const HistoryGap = component(
  'HistoryGap',
  'A crawl that added no position',
  v.object({
    created_at: described(
      v.string(),
      'When the crawl failed, as an ISO 8601 time with an offset',
      '2026-11-21T00:00:00+00:00',
    ),
    reason: described(
      v.string(),
      'Why the crawl added no position',
      'captcha: the engine asks for proof of a person',
    ),
  }),
);

const HistoryMeta = component(
  'HistoryMeta',
  'The place of a page in a history, the range of days, and the crawls that added no position',
  v.object({
    current_page: described(Count, 'The number of this page', 1),
    per_page: described(Count, 'The largest number of items of a page', 25),
    total: described(Count, 'The number of positions in the range, without gaps', 1),
    last_page: described(Count, 'The number of the last page', 1),
    has_more: hasMore,
    date_range: described(
      v.object({
        start_date: described(v.string(), 'The first day, UTC', '2026-11-01'),
        end_date: described(v.string(), 'The last day, UTC', '2026-11-22'),
        max_allowed_days: described(Count, 'The most days from the first to the last', 180),
      }),
      'The days that the history covers',
      { start_date: '2026-11-01', end_date: '2026-11-22', max_allowed_days: 180 },
    ),
    gaps: described(v.array(HistoryGap), 'Crawls in the range that added no position, newest first', []),
  }),
);

export const ReportProjectList = component(
  'ReportProjectList',
  'A page of the list of projects of the reporting interface',
  listOf(ReportProject, CursorMeta, 'The projects, oldest first'),
);
export const ReportKeywordList = component(
  'ReportKeywordList',
  'A page of the list of keywords of the reporting interface',
  listOf(ReportKeyword, CursorMeta, 'The keywords'),
);
export const HistoryList = component(
  'HistoryList',
  'A page of the positions of a keyword',
  listOf(HistoryItem, HistoryMeta, 'The positions, newest first'),
);
export type ReportProjectList = v.InferOutput<typeof ReportProjectList>;
export type ReportKeywordList = v.InferOutput<typeof ReportKeywordList>;
export type HistoryList = v.InferOutput<typeof HistoryList>;

const IncludedKeywords = component(
  'IncludedKeywords',
  'The first keywords of a project',
  v.object({
    keywords: described(
      v.array(v.object({ name: described(v.string(), 'The keyword', 'coffee grinder') })),
      'The first keywords of the project',
      [{ name: 'coffee grinder' }],
    ),
    keywords_meta: described(
      v.object({
        per_page: described(Count, 'The largest number of keywords here', 25),
        next_cursor: described(
          v.nullable(v.string()),
          'The `cursor` of the keywords of the project that follow. Null: there are none',
          null,
        ),
        has_more: described(v.boolean(), 'Whether the project has more keywords', false),
      }),
      'About the included keywords',
      { per_page: 25, next_cursor: null, has_more: false },
    ),
  }),
);

export const ReportProjectReply = component(
  'ReportProjectReply',
  'A project of the reporting interface, and its first keywords if the request includes them',
  v.object({
    data: described(ReportProjectDetail, 'The project'),
    included: described(v.optional(IncludedKeywords), 'Only with `include=keywords`', {
      keywords: [{ name: 'coffee grinder' }],
      keywords_meta: { per_page: 25, next_cursor: null, has_more: false },
    }),
  }),
);
export type ReportProjectReply = v.InferOutput<typeof ReportProjectReply>;

export const ReportKeywordReply = component(
  'ReportKeywordReply',
  'A tracked keyword of the reporting interface',
  v.object({
    data: described(ReportKeywordDetail, 'The keyword'),
  }),
);

/** Unix seconds as an ISO 8601 time with an offset. */
export const isoTime = (seconds: number): string =>
  new Date(seconds * 1000).toISOString().replace(/\.\d+Z$/, '+00:00');

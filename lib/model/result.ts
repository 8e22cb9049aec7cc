/** Results read from search pages: the item types, and the two forms of a task's result. */
import * as v from 'valibot';

export const ItemType = v.picklist([
  'organic',
  'ad',
  'shopping_ad',
  'featured_snippet',
  'ai_overview',
  'people_also_ask',
  'related_search',
  'local_pack',
  'top_story',
  'video',
  'short',
  'image',
  'discussion',
  'knowledge_panel',
  'direct_answer',
  'recipe',
  'product',
  'job',
  'event',
  'hotel',
  'flight',
  'app',
  'book',
  'carousel',
  'spelling',
  'channel',
  'playlist',
  'movie',
]);
export type ItemType = v.InferOutput<typeof ItemType>;

/** How the target of an item's `url` was found. `opaque`: it was not found, so `url` is the engine's own link. */
export const UrlResolution = v.picklist(['direct', 'unwrapped', 'page', 'redirect', 'opaque']);
export type UrlResolution = v.InferOutput<typeof UrlResolution>;

const Link = v.object({ title: v.string(), url: v.string() });

/** A page that a generated overview cites. `position` counts from 1; `domain` is the host without `www.`. */
const Reference = v.object({ position: v.number(), ...Link.entries, domain: v.string() });
export type Reference = v.InferOutput<typeof Reference>;

export const ResultItem = v.object({
  type: ItemType,
  /** Counts from "1" within the type, over all pages of the task. */
  position: v.string(),
  title: v.string(),
  url: v.string(),
  breadcrumb: v.string(),
  snippet: v.string(),
  /** Counts from 1 over all items of the same array. */
  absolute_position: v.number(),
  url_resolution: v.optional(UrlResolution),
  /** Only of organic items and ads: the target's host without `www.`, empty if unknown. */
  domain: v.optional(v.string()),
  /** Only of `related_search`: the search terms. */
  items: v.optional(v.array(v.string())),
  sitelinks: v.optional(v.array(Link)),
  block: v.optional(v.picklist(['top', 'bottom'])),
  /** Only of `ai_overview`: the pages that it cites, in page order. */
  sources: v.optional(v.array(Reference)),
  /** Of an `ai_overview`: whether its text is on the page. Of a `spelling`: `silent` if the engine changed the query without saying so. */
  state: v.optional(v.picklist(['present', 'deferred', 'silent'])),
  date: v.optional(v.string()),
  rating: v.optional(v.string()),
  reviews: v.optional(v.string()),
  price: v.optional(v.string()),
  source: v.optional(v.string()),
  category: v.optional(v.string()),
  phone: v.optional(v.string()),
  duration: v.optional(v.string()),
  views: v.optional(v.string()),
  channel: v.optional(v.string()),
  /** The address of the channel that the item belongs to, with its handle if it has one. */
  channel_url: v.optional(v.string()),
  channel_id: v.optional(v.string()),
  subscribers: v.optional(v.string()),
  videos_count: v.optional(v.string()),
  image_url: v.optional(v.string()),
  subtitle: v.optional(v.string()),
  facts: v.optional(v.array(v.object({ label: v.string(), value: v.string() }))),
  profiles: v.optional(v.array(Link)),
});
export type ResultItem = v.InferOutput<typeof ResultItem>;

/** The result in raw mode: `left` is the main column, `right` the sidebar, each in page order. */
export const RawResult = v.object({ left: v.array(ResultItem), right: v.array(ResultItem) });
export type RawResult = v.InferOutput<typeof RawResult>;

const Ranking = v.object({
  /** "1000" means not found although every planned page was read (Reading 6); "0" that the crawl ended before (Reading 43). */
  position: v.string(),
  type: v.string(),
  title: v.string(),
  url: v.string(),
  snippet: v.string(),
});
export type Ranking = v.InferOutput<typeof Ranking>;

const Rankings = v.record(
  v.string(),
  v.object({
    type: v.picklist(['owner', 'competitor', 'competitor_free', 'unknown']),
    keyword_id: v.nullable(v.number()),
    results: v.object({
      organic: Ranking,
      local_pack: v.optional(Ranking),
      /** Reading 42: absent if the pages show no overview, or one whose references are unknown. */
      ai_overview: v.optional(Ranking),
    }),
  }),
);

const mapKeys = <Value>(values: Record<string, Value>, newKey: (key: string) => string) =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [newKey(key), value]));

/** The result of domain tracking: an entry for the tracked domain, each competitor and each other domain found (Reading 17). */
export const TrackingResult: typeof Rankings = {
  ...Rankings,
  '~run': (dataset, config) => {
    if (typeof dataset.value !== 'object' || dataset.value === null) return Rankings['~run'](dataset, config);
    // Clients choose the keys, and `v.record` drops keys such as `__proto__` and `constructor`. So it gets each key with a prefix.
    const parsed = Rankings['~run']({ value: mapKeys({ ...dataset.value }, (key) => `.${key}`) }, config);
    return parsed.typed ? { ...parsed, value: mapKeys(parsed.value, (key) => key.slice(1)) } : parsed;
  },
};
export type TrackingResult = v.InferOutput<typeof TrackingResult>;

/** The content that the parser reads from one page. */
export type ParsedPage = RawResult & {
  /** The text as the page shows it; empty if it shows none. */
  total_results: string;
  /** Seconds; null if the page does not show it. */
  search_time: number | null;
  /** The query as the engine understood it; empty if the page does not show it. */
  query: string;
  /** The query that the results are for, if it is not the one in the search box; absent if it is. */
  searched?: string;
  /** Whether a further page must be expected: false only if the page proves to be the last. */
  has_next: boolean;
  /**
   * How many blocks of the main column no component claimed, plus the unread results in other boxes and columns. The number rises if an
   * engine changes its layout.
   */
  unclaimed: number;
  /** Whether the reading ended before the end of the page, because it needed too many steps. Such a page has no items. */
  unread?: true;
};

/** The kind of a fetched page. Only pages with the verdict `results` or `empty` become results. */
export const Verdict = v.picklist([
  'results',
  'empty',
  'captcha',
  'script_wall',
  'consent',
  'soft_block',
  'decoy',
  'unknown_layout',
]);
export type Verdict = v.InferOutput<typeof Verdict>;

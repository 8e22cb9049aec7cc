/** Results read from search pages: the items of the vocabulary, and the two shapes a task's result takes. */
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

/** How the target of an item's `url` became known; `opaque`: it did not, `url` is the engine's own link. */
export const UrlResolution = v.picklist(['direct', 'unwrapped', 'page', 'redirect', 'opaque']);
export type UrlResolution = v.InferOutput<typeof UrlResolution>;

const Link = v.object({ title: v.string(), url: v.string() });

export const ResultItem = v.object({
  type: ItemType,
  /** From "1" within the type, over all pages of the task. */
  position: v.string(),
  title: v.string(),
  url: v.string(),
  breadcrumb: v.string(),
  snippet: v.string(),
  /** From 1 over everything in the same array. */
  absolute_position: v.number(),
  url_resolution: v.optional(UrlResolution),
  /** Organic items and ads: the target's host without `www.`, empty where unknown. */
  domain: v.optional(v.string()),
  /** `related_search` only: the terms. */
  items: v.optional(v.array(v.string())),
  sitelinks: v.optional(v.array(Link)),
  block: v.optional(v.picklist(['top', 'bottom'])),
  sources: v.optional(v.array(Link)),
  state: v.optional(v.picklist(['present', 'deferred'])),
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
  image_url: v.optional(v.string()),
  subtitle: v.optional(v.string()),
  facts: v.optional(v.array(v.object({ label: v.string(), value: v.string() }))),
  profiles: v.optional(v.array(Link)),
});
export type ResultItem = v.InferOutput<typeof ResultItem>;

/** Raw mode: main results and sidebar, each in page order. */
export const RawResult = v.object({ left: v.array(ResultItem), right: v.array(ResultItem) });
export type RawResult = v.InferOutput<typeof RawResult>;

const Ranking = v.object({
  /** "1000": not found, with every planned page read (Reading 6). */
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
    type: v.picklist(['owner', 'competitor', 'competitor_free']),
    keyword_id: v.nullable(v.number()),
    results: v.object({ organic: Ranking, local_pack: v.optional(Ranking) }),
  }),
);
const renamed = <Value>(values: Record<string, Value>, rename: (name: string) => string) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [rename(name), value]));

/** Domain tracking: one entry for the tracked domain, each competitor and each other domain found (Reading 17). */
export const TrackingResult: typeof Rankings = {
  ...Rankings,
  '~run': (dataset, config) => {
    if (typeof dataset.value !== 'object' || dataset.value === null) return Rankings['~run'](dataset, config);
    // Clients choose the names, `__proto__` and `constructor` too, which a record drops: it sees them under others.
    const ran = Rankings['~run']({ value: renamed({ ...dataset.value }, (name) => `.${name}`) }, config);
    return ran.typed ? { ...ran, value: renamed(ran.value, (name) => name.slice(1)) } : ran;
  },
};
export type TrackingResult = v.InferOutput<typeof TrackingResult>;

/** What the parser reads from one page. */
export type ParsedPage = RawResult & {
  /** Verbatim, as the page shows it; empty where it does not. */
  total_results: string;
  /** Seconds; null where the page does not say. */
  search_time: number | null;
  /** The query as the engine understood it; empty where the page does not say. */
  query: string;
  /** Whether the page links to a further page of results. */
  has_next: boolean;
  /** Blocks of the main column that no component claimed: rises when an engine changes its layout. */
  unclaimed: number;
};

/** What a fetched page is, settled before anyone parses it. Only `results` and `empty` make results. */
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

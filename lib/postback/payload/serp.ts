/** A finished task in the layout of its webhook, which differs from the polled one (Reading 33). Pure. */
import type { SerpPayload } from '../../model/delivery.ts';
import type { GoogleSerpTask } from '../../model/google-serp-task.ts';
import type { RawResult, ResultItem, TrackingResult } from '../../model/result.ts';

/** What the payload takes from the stored result. */
export type Delivered = {
  result: RawResult;
  tracking: TrackingResult | null;
  total_results: string;
  search_time: number | null;
};

/** Only organic items and ads carry their domain; any other's is its address's, where that is the target's. */
const domainOf = ({ domain, url, url_resolution }: ResultItem): string =>
  domain ?? (url_resolution === 'opaque' ? '' : (URL.parse(url)?.hostname.replace(/^www\./, '') ?? ''));

const summary = (item: ResultItem) => ({
  title: item.title,
  url: item.url,
  domain: domainOf(item),
  description: item.snippet,
});

const ranked = (item: ResultItem) => ({ position: Number(item.position), ...summary(item) });

const place = (item: ResultItem) => ({
  position: Number(item.position),
  title: item.title,
  address: item.snippet,
  rating: item.rating ?? '',
  reviews: item.reviews ?? '',
});

const layOut = ({ result, total_results, search_time }: Delivered): SerpPayload['result'] => {
  const items = [...result.left, ...result.right];
  const featured = items.find((item) => item.type === 'featured_snippet');
  return {
    organic: items.filter((item) => item.type === 'organic').map(ranked),
    ads: items.filter((item) => item.type === 'ad').map(ranked),
    local_pack: items.filter((item) => item.type === 'local_pack').map(place),
    featured_snippet: featured ? summary(featured) : null,
    total_results,
    search_time: search_time ?? 0,
  };
};

/** Every failed task is told as `error`, whatever it is called here: receivers know two words. */
export const serpPayload = (
  task: Omit<GoogleSerpTask, 'result' | 'pages'>,
  stored: Delivered | null,
  htmlUrl: string,
): SerpPayload => {
  const delivered = task.status === 'success' ? stored : null;
  return {
    id: task.id,
    status: task.status === 'success' ? 'success' : 'error',
    keyword: task.keyword,
    location_name: task.location_name,
    iso_code: task.iso_code,
    device: task.device,
    depth: task.depth,
    language_code: task.language_code,
    created_at: task.created_at,
    succeed_at: task.succeed_at,
    result: delivered && layOut(delivered),
    tracking: delivered?.tracking ?? null,
    top_domains: task.top_10 ?? [],
    html_url: htmlUrl,
    post_id: task.post_id,
    keyword_id: task.keyword_id,
    domain: task.domain,
    error_message: task.error_message,
    crawled_at: task.crawled_at,
    reused: task.reused,
    complete: task.complete,
  };
};

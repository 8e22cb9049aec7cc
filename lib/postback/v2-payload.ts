/**
 * Converts a finished task to its webhook payload, whose layout differs from the polled task (Reading 33).
 * Pure.
 */
import type { V2Payload } from '../model/delivery.ts';
import type { RawResult, ResultItem } from '../model/result.ts';
import { domainOf } from '../model/site.ts';
import type { TrackingResult } from '../model/tracking-result.ts';
import type { V2Task } from '../model/v2-task.ts';
import { type FieldOfReading, type SerpRow, warningsIn } from '../store/task-row.ts';

/** The fields of a task that the payload uses, as the row has them. */
type FinalTask = Omit<V2Task, FieldOfReading> &
  Pick<SerpRow, 'warnings' | 'findings' | 'complete' | 'top_10' | 'postback_fields'>;

/** The fields of the stored result that the payload uses. */
export type Delivered = {
  result: RawResult;
  tracking: TrackingResult | null;
  total_results: string;
  search_time: number | null;
  top_10?: string[];
};

const summaryOf = (item: ResultItem) => ({
  title: item.title,
  url: item.url,
  domain: domainOf(item),
  description: item.snippet,
});

const rankedOf = (item: ResultItem) => ({ position: Number(item.position), ...summaryOf(item) });

const placeOf = (item: ResultItem) => ({
  position: Number(item.position),
  title: item.title,
  address: item.snippet,
  rating: item.rating ?? '',
  reviews: item.reviews ?? '',
});

const resultOf = (
  { result, total_results, search_time }: Delivered,
  asked: SerpRow['postback_fields'],
): V2Payload['result'] => {
  const items = [...result.left, ...result.right];
  const featured = items.find((item) => item.type === 'featured_snippet');
  return {
    organic: items.filter((item) => item.type === 'organic').map(rankedOf),
    ads: items.filter((item) => item.type === 'ad').map(rankedOf),
    local_pack: items.filter((item) => item.type === 'local_pack').map(placeOf),
    featured_snippet: featured ? summaryOf(featured) : null,
    total_results,
    search_time: search_time ?? 0,
    ...Object.fromEntries((asked ?? []).map((name) => [name, result[name]])),
  };
};

/**
 * The payload of a finished task. Receivers know only `success` and `error`, so `dead_letter` is sent as
 * `error`.
 */
export const v2Payload = (task: FinalTask, stored: Delivered | null, htmlUrl: string): V2Payload => {
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
    result: delivered && resultOf(delivered, task.postback_fields),
    tracking: delivered?.tracking ?? null,
    top_domains: task.top_10 ?? delivered?.top_10 ?? [],
    html_url: htmlUrl,
    post_id: task.post_id,
    keyword_id: task.keyword_id,
    domain: task.domain,
    error_message: task.error_message,
    crawled_at: task.crawled_at,
    reused: task.reused,
    complete: task.complete,
    warnings: warningsIn(task),
  };
};

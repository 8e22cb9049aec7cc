/**
 * The outcome of one fetch of a page: the verdict, the outcome for the workflow, and the reason for the
 * client.
 */

import { customOrigin } from '../fetcher/choose.ts';
import type { FetchResult } from '../fetcher/page.ts';
import type { ParsedPage, Verdict } from '../model/parsed-page.ts';
import type { SettingValue } from '../model/settings.ts';
import type { FetchedPage, Outcome } from '../model/workflow.ts';
import { clock } from '../runtime/clock.ts';
import { setting } from '../runtime/env.ts';
import { marketAsked } from '../serp/address.ts';
import type { Deferred } from '../serp/engine-reader.ts';
import { otherCountryOf } from '../serp/market.ts';
import { readers } from '../serp/reader.ts';
import type { SerpRow } from '../store/task-row.ts';
import { blockReason } from './block-reason.ts';
import type { MarketPage } from './parse-page.ts';
import { readInTime } from './read-in-time.ts';

/** The `error_message` for responses that are about the engine, not about the page. */
const engineReasons = {
  throttled: 'throttled: the engine asks to come back later',
  failed: 'unreachable: the engine met an error of its own',
};

type Fetched = Extract<FetchResult, { ok: true }>;

/**
 * Whether the engine asks for a later retry: too many requests, or a server that says when it will be
 * available again.
 */
const asksForRetry = ({ status, headers }: Fetched): boolean =>
  status === 429 || (status === 503 && headers?.['retry-after'] !== undefined);

const refusedOutcome = (
  fetched: Fetched,
  verdict: Verdict,
): Exclude<Outcome, 'fetched' | 'refused' | 'upstream'> => {
  // A request for a captcha or for consent is not a throttle, whatever its status.
  if (verdict === 'soft_block' && asksForRetry(fetched)) return 'throttled';
  // A 5xx response is a temporary fault, not a refusal.
  return verdict === 'unknown_layout' && fetched.status >= 500 ? 'failed' : 'blocked';
};

/** The values of `RESOLVE_LINKS`: for which tasks hidden links are looked up. */
const resolvesLinks = {
  always: () => true,
  tracking: (row) => Boolean(row.domain),
  never: () => false,
} satisfies Record<SettingValue<'RESOLVE_LINKS'>, (row: SerpRow) => boolean>;

/** The links to look up on a page of results. */
const hiddenLinksOf = (row: SerpRow, parsed: ParsedPage): string[] =>
  resolvesLinks[setting('RESOLVE_LINKS')](row) ? readers[row.engine].hiddenLinks.of(parsed) : [];

export type JudgedPage = Pick<FetchedPage, 'outcome' | 'verdict' | 'has_next' | 'reason'> & {
  body: string;
  /** The hidden links to look up. Only pages of results have some. */
  hidden: string[];
  /** The AI overview whose text is elsewhere; absent if there is none. */
  deferred?: Deferred;
  /** What a fetched page says, without the targets of its hidden links; absent for other pages. */
  reading?: MarketPage;
};

/** `reason`: why the page is blocked, if it is. */
const refused = (
  fetched: Fetched,
  verdict: Exclude<Verdict, 'results' | 'empty'>,
  reason: string,
): JudgedPage => {
  const outcome = refusedOutcome(fetched, verdict);
  return {
    outcome,
    verdict,
    has_next: false,
    reason: outcome === 'blocked' ? reason : engineReasons[outcome],
    body: fetched.body,
    hidden: [],
  };
};

/**
 * Where a page comes from. `isReplay`: an origin of the operator. `isDelivered`: a provider, which may have
 * stored it.
 */
type Source = { isReplay: boolean; isDelivered?: boolean };

const judgedOutcome = (
  row: SerpRow,
  number: number,
  fetched: Fetched,
  { isReplay, isDelivered }: Source,
): JudgedPage => {
  const page = readers[row.engine].open(fetched.body);
  const parsed = page.read(row.device, row.keyword);
  const market = marketAsked(row);
  const verdict = page.judge(parsed, {
    query: row.keyword,
    device: row.device,
    market,
    fetchedAt: clock(),
    isTimed: true,
    status: fetched.status,
    url: fetched.url,
    page: number,
    ...(fetched.token !== undefined && { token: fetched.token }),
    isReplay,
    ...(isDelivered && { isDelivered }),
  });
  if (verdict === 'results' || verdict === 'empty') {
    const deferred = verdict === 'results' ? page.deferred?.(parsed, row.device) : undefined;
    return {
      outcome: 'fetched',
      verdict,
      has_next: verdict === 'results' && parsed.has_next,
      reason: '',
      body: fetched.body,
      hidden: verdict === 'results' ? hiddenLinksOf(row, parsed) : [],
      reading: { ...parsed, market: page.market() },
      ...(deferred && { deferred }),
    };
  }
  const reason = blockReason(verdict, {
    country: otherCountryOf(page.market(), market),
    asked: market.country,
    tab: page.unreadTab?.(),
  });
  return refused(fetched, verdict, reason);
};

/**
 * Judges the response to a fetch of page `number`. Only `fetched` pages become results; the body of any other
 * page is kept as evidence. A page that takes too long to read is `unknown_layout`.
 */
export const outcomeOf = (
  row: SerpRow,
  number: number,
  fetched: FetchResult,
  source: Source = { isReplay: customOrigin(row.engine) !== '' },
): JudgedPage => {
  if (!fetched.ok)
    return {
      outcome: 'failed',
      verdict: null,
      has_next: false,
      reason: fetched.reason,
      body: '',
      hidden: [],
    };
  return (
    readInTime(fetched.body, () => judgedOutcome(row, number, fetched, source)) ??
    refused(fetched, 'unknown_layout', blockReason('unknown_layout'))
  );
};

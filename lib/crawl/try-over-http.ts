/**
 * The tries of one page without a browser: fetches it with its AI overview, judges it, looks up its hidden
 * links and stores it.
 */
import { cookieJar, fetchOverHttp } from '../fetcher/http.ts';
import { maxFetches, remainingMs } from '../model/page-time.ts';
import type { Verdict } from '../model/parsed-page.ts';
import type { AnsweredPage, ChosenFetcher, PageKey } from '../model/workflow.ts';
import { recordOutcome } from '../pace/fetcher-health.ts';
import { clock } from '../runtime/clock.ts';
import { type KeepHtml, putHtml } from '../store/html.ts';
import type { SerpRow } from '../store/task-row.ts';
import { continuationTo } from './continuation.ts';
import { type FetchOfPage, withOverview } from './fetch-overview.ts';
import { logPage } from './log-page.ts';
import { linkCounts, lookUpTargets } from './look-up-targets.ts';
import { outcomeOf } from './page-outcome.ts';
import type { MarketPage } from './parse-page.ts';

/**
 * What was done for the page before: the fetches, the milliseconds of work on it, and the key of its stored
 * HTML. `unkept`: a page with this verdict is not stored.
 */
type Before = { fetches: number; spentMs: number; html: string; unkept?: Verdict | undefined };

/** Stores a page, and returns its key. `reading`: what it says without the targets of its links. */
export type KeepPage = (...page: [...Parameters<KeepHtml>, reading?: MarketPage]) => ReturnType<KeepHtml>;

/**
 * Fetches the page up to twice: with the token of the page before it, if there is one, and by its URL if the
 * answer is not one to a token. A failed fetch is an outcome, not an exception. `nowMs` is a clock that only
 * moves forward. `keep` stores the page.
 */
export const tryOverHttp = async (
  { user_id, id, attempt, page }: PageKey,
  { row, url }: { row: SerpRow; url: string },
  chosen: ChosenFetcher,
  before: Before,
  nowMs: () => number,
  keep: KeepPage = putHtml,
): Promise<AnsweredPage> => {
  const key = { user_id, id, attempt, page };
  const began = nowMs() - before.spentMs;
  let { fetches } = before;
  let continuation = await continuationTo(row, page);
  let last: FetchOfPage;
  do {
    fetches++;
    // Each fetch has its own proxy session.
    const session = `${id}-${attempt}-${page}-${fetches}`;
    const started = nowMs();
    const request = { ...row, url, continuation, isRetry: fetches > 1 || attempt > 1 };
    const jar = cookieJar();
    const fetched = await fetchOverHttp(request, session, remainingMs(started - began), jar);
    const milliseconds = nowMs() - started;
    last = {
      request,
      route: { fetcher: 'http', session },
      jar,
      fetched,
      judged: outcomeOf(row, page, fetched),
    };
    logPage({ engine: row.engine, route: 'http', page, fetches, milliseconds }, last.judged);
    // A refused token does not become valid.
    if (last.judged.verdict === 'unknown_layout') continuation = undefined;
    // Do not retry a throttled page immediately.
  } while (
    last.judged.outcome !== 'fetched' &&
    last.judged.outcome !== 'throttled' &&
    fetches < before.fetches + maxFetches
  );
  await recordOutcome(row.engine, chosen, last.judged.outcome);

  const whole = await withOverview(row, page, last, remainingMs(nowMs() - began));
  const { body, hidden, reading, deferred, ...rest } = whole;
  const fetched_at = clock();
  const targets = await lookUpTargets({ ...row, url }, hidden, last.route, remainingMs(nowMs() - began));
  // A refused page is stored too, as evidence in case the engine has changed. It never becomes a result.
  const isKept = body !== '' && (rest.verdict === null || rest.verdict !== before.unkept);
  const html = isKept
    ? await keep({ ...key, html_folder: row.html_folder }, body, targets, reading)
    : before.html;
  const spent_ms = nowMs() - began;
  return { ...key, ...rest, html, fetches, fetched_at, spent_ms, ...linkCounts(hidden, targets) };
};

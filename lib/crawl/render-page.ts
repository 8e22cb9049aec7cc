/**
 * The second step on a page: opens it in the browser, judges it and stores it, and tries the fetchers that
 * follow in the order.
 */

import { browserEndMs, fetchInBrowser } from '../fetcher/browser.ts';
import { isSandbox } from '../fetcher/choose.ts';
import { orderOf } from '../fetcher/order.ts';
import type { FetchResult } from '../fetcher/page.ts';
import { fetcherSettings } from '../fetcher/settings.ts';
import type { FetcherName } from '../model/fetchers.ts';
import { remainingMs } from '../model/page-time.ts';
import type { Verdict } from '../model/parsed-page.ts';
import type { Continuation } from '../model/search.ts';
import type { AnsweredPage } from '../model/workflow.ts';
import { chooseFetcher, passOn, recordOutcome, unwatched } from '../pace/fetcher-health.ts';
import { positionOf } from '../place/position.ts';
import { isAccepted } from '../runtime/back-pressure.ts';
import { clock, stopwatch } from '../runtime/clock.ts';
import { putHtml } from '../store/html.ts';
import type { Targets } from '../store/page-file.ts';
import { putProgress } from '../store/page-progress.ts';
import { continuationTo } from './continuation.ts';
import { isToBeFetched, withOverview } from './fetch-overview.ts';
import { heldElsewhere, readHeldPage } from './held-page.ts';
import { logPage } from './log-page.ts';
import { lookUpLinks, lookUpMs, lookUpUntil } from './look-up-links.ts';
import { linkCounts, lookUpTargets } from './look-up-targets.ts';
import { withOnward } from './onward.ts';
import { outcomeOf } from './page-outcome.ts';
import { isStillWall, isWall, orWall } from './seen-wall.ts';
import { tryOverHttp } from './try-over-http.ts';

/**
 * How long to wait, by verdict, for another page to replace this one. Script walls reload by themselves, so
 * wait for them. Captchas and other refusals are never solved; wait only for a redirect.
 */
const patienceMs: Record<Verdict, number> = {
  results: 0,
  empty: 0,
  script_wall: 6000,
  unknown_layout: 3000,
  captcha: 1500,
  consent: 1500,
  soft_block: 1500,
  decoy: 1500,
};

/** How long the script of a page may take to load the text of its AI overview. */
const overviewMs = 6000;

type HeldPage = NonNullable<Awaited<ReturnType<typeof readHeldPage>>> & {
  /** The request for the page with a token; undefined if it is opened by its URL. */
  continuation?: Continuation | undefined;
};

/** The reason in the outcome of a page whose only fetcher is a browser that there is not. */
const noBrowser = 'machinery: there is no browser for this platform';

/**
 * Opens the page once, in the time that the fetches before left. Returns the fetches of both steps, the
 * outcome of the last one, and the stored page if there is one. `began`: the time of `nowMs` at which the
 * step began.
 */
const openInBrowser = async (
  before: AnsweredPage,
  { row, url, continuation }: HeldPage,
  began: number,
  nowMs: () => number,
): Promise<AnsweredPage> => {
  const spentMs = () => (before.spent_ms ?? 0) + nowMs() - began;
  const browserMs = () => Math.max(0, remainingMs(spentMs()) - browserEndMs);
  const { user_id, id, attempt, page, next: chosen = unwatched('browser') } = before;
  const fetches = before.fetches + 1;
  const session = `${id}-${attempt}-${page}-${fetches}`;
  const token = continuation && { token: continuation.token };
  let targets: Targets | undefined;
  const started = nowMs();
  let wall: Omit<Extract<FetchResult, { ok: true }>, 'ok'> | undefined;
  const ended = await fetchInBrowser(
    { ...row, url, continuation, isRetry: true, position: await positionOf(row) },
    session,
    (open) => {
      const seen = outcomeOf(row, page, { ok: true, ...open, ...token });
      wall = isWall(seen.verdict) ? open : undefined;
      if (!isSandbox(row.engine) && isToBeFetched(row, seen)) return overviewMs;
      return patienceMs[seen.verdict ?? 'unknown_layout'];
    },
    {
      deadlineMs: lookUpMs,
      work: async (open, ask) => {
        const { hidden } = outcomeOf(row, page, { ok: true, ...open });
        if (hidden.length > 0) targets = await lookUpLinks(hidden, row.engine, ask, lookUpUntil(browserMs()));
      },
    },
    browserMs(),
  );
  const rendered = orWall(ended, wall);
  // If there is no browser for this platform, the outcome of the fetch before is final.
  if (!rendered.ok && rendered.reason.startsWith('unavailable:')) {
    return before.fetches > 0 ? before : { ...before, reason: noBrowser };
  }
  // A fault of the service. The verdict stays that of the fetch before, because it is the last one on the
  // engine.
  if (!rendered.ok && rendered.reason.startsWith('machinery:')) {
    await recordOutcome(row.engine, chosen, 'failed');
    return { ...before, outcome: 'failed', reason: rendered.reason, spent_ms: spentMs() };
  }
  // Neither the page nor the engine is at fault: nothing was requested.
  if (!rendered.ok && rendered.reason.startsWith('throttled:')) {
    return { ...before, outcome: 'throttled', reason: rendered.reason };
  }
  if (isStillWall(before, rendered)) {
    await recordOutcome(row.engine, chosen, 'failed');
    return { ...before, fetches, spent_ms: spentMs() };
  }
  const milliseconds = nowMs() - started;
  const judged = outcomeOf(row, page, rendered);
  logPage({ engine: row.engine, route: 'browser', page, fetches, milliseconds }, judged);
  await recordOutcome(row.engine, chosen, judged.outcome);
  // The browser has loaded the overview already. Only a page of the sandbox has no script that does so.
  const whole = isSandbox(row.engine)
    ? await withOverview(
        row,
        page,
        {
          request: { ...row, url },
          route: { fetcher: 'browser', session },
          fetched: rendered,
          judged,
        },
        remainingMs(spentMs()),
      )
    : judged;
  const { body, hidden, reading, deferred, ...seen } = whole;
  const fetched_at = clock();
  // Nothing was looked up in the browser if the page is the sandbox's, or if the lookup broke. Other pages
  // have no hidden links.
  targets ??= await lookUpTargets(
    { ...row, url },
    hidden,
    { fetcher: 'browser', session },
    remainingMs(spentMs()),
  );
  const stored = { html_folder: row.html_folder, attempt, page };
  const html = body === '' ? before.html : await putHtml(stored, body, targets);
  return {
    user_id,
    id,
    attempt,
    page,
    ...seen,
    html,
    fetches,
    fetched_at,
    spent_ms: spentMs(),
    ...linkCounts(hidden, targets),
  };
};

/**
 * Opens the page in the browser, with the token of the page before it, if there is one. If it is blocked
 * there, the fetchers after the browser get it: HTTP only if nothing was fetched before, and the upstream
 * provider, to which the run then hands its search. `nowMs` is a clock that only moves forward.
 */
export const renderPage = async (before: AnsweredPage, nowMs = stopwatch): Promise<AnsweredPage> => {
  const began = nowMs();
  const held = await readHeldPage(before);
  if (!held) return { ...before, outcome: 'failed', reason: heldElsewhere };
  await isAccepted(putProgress(before, 'in_progress_browser'));
  // After an answer that is not one to a token, the page is opened by its URL.
  const continuation =
    before.verdict === 'unknown_layout' ? undefined : await continuationTo(held.row, before.page);
  let opened = await openInBrowser(before, { ...held, continuation }, began, nowMs);
  if (continuation && opened.verdict === 'unknown_layout') {
    const { next } = before;
    opened = await openInBrowser({ ...opened, ...(next && { next }) }, held, nowMs(), nowMs);
  }
  if (opened.outcome !== 'blocked') return withOnward(held.row, opened);
  const { engine } = held.row;
  // A run that began before a deployment has no order in its pages: nothing is handed to the provider then.
  const order = before.order ?? orderOf(engine, (await fetcherSettings(engine)).order);
  const choose = (after: FetcherName) => chooseFetcher(engine, order, order.slice(order.indexOf(after) + 1));
  const chosen = await choose('browser');
  if (!chosen) return opened;
  if (chosen.fetcher === 'upstream') return passOn(opened, chosen);
  if (before.fetches > 0) return opened;
  const { fetches, html, spent_ms = 0 } = opened;
  const page = await tryOverHttp(before, held, chosen, { fetches, html, spentMs: spent_ms }, nowMs);
  const last = page.outcome === 'blocked' ? await choose(chosen.fetcher) : undefined;
  return last?.fetcher === 'upstream' ? passOn(page, last) : withOnward(held.row, page);
};

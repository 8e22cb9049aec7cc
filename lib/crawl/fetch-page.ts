/** Fetches one page of a task over HTTP, judges it, looks up its hidden links and stores it. */
import { fetchOverHttp, type PageRequest } from '../fetcher/http.ts';
import { openLinks } from '../fetcher/links.ts';
import { maxFetches, remainingMs } from '../model/page-time.ts';
import type { AnsweredPage, PageKey } from '../model/workflow.ts';
import { isBackPressure } from '../runtime/back-pressure.ts';
import { clock, stopwatch } from '../runtime/clock.ts';
import { log } from '../runtime/log.ts';
import { putHtml } from '../store/html.ts';
import { putLinks } from '../store/link-targets.ts';
import type { SerpRow } from '../store/task-row.ts';
import { heldElsewhere, readHeldPage } from './held-page.ts';
import { logPage } from './log-page.ts';
import { lookUpLinks, lookUpUntil } from './look-up-links.ts';
import { type JudgedPage, outcomeOf } from './page-outcome.ts';

/**
 * Looks up hidden links of a page, with the proxy session of its fetch, and stores the targets. Returns whether one was found. A page is
 * complete without them: if the lookup breaks, the links stay hidden.
 */
const storeTargets = async (
  request: PageRequest & Pick<SerpRow, 'engine'>,
  html: string,
  hidden: readonly string[],
  session: string,
  milliseconds: number,
): Promise<boolean> => {
  if (hidden.length === 0) return false;
  try {
    const { ask, close } = await openLinks(request, session);
    const targets = await lookUpLinks(hidden, request.engine, ask, lookUpUntil(milliseconds)).finally(close);
    const found = Object.keys(targets).length;
    log.info('links looked up', { engine: request.engine }, { LinksAsked: hidden.length, LinksFound: found });
    if (found > 0) await putLinks(html, targets);
    return found > 0;
  } catch (error) {
    if (isBackPressure(error)) throw error;
    log.error('lookup of links failed', { engine: request.engine, reason: String(error) });
    return false;
  }
};

/**
 * Fetches one page of the run that holds the task. A failed fetch is an outcome, not an exception. `nowMs` is a clock that only moves
 * forward.
 */
export const fetchPage = async (key: PageKey, nowMs = stopwatch): Promise<AnsweredPage> => {
  const began = nowMs();
  const held = await readHeldPage(key);
  if (!held) {
    return {
      ...key,
      outcome: 'failed',
      verdict: null,
      html: '',
      fetches: 0,
      has_next: false,
      fetched_at: 0,
      reason: heldElsewhere,
    };
  }
  const { row, url } = held;
  let fetches = 0;
  let session: string;
  let judged: JudgedPage;
  do {
    fetches++;
    // Each fetch has its own proxy session.
    session = `${key.id}-${key.attempt}-${key.page}-${fetches}`;
    const started = nowMs();
    const fetched = await fetchOverHttp({ ...row, url }, session, remainingMs(started - began));
    const milliseconds = nowMs() - started;
    judged = outcomeOf(row, key.page, fetched);
    logPage({ engine: row.engine, route: 'http', page: key.page, fetches, milliseconds }, judged);
    // Do not retry a throttled page immediately.
  } while (judged.outcome !== 'fetched' && judged.outcome !== 'throttled' && fetches < maxFetches);

  const spent_ms = nowMs() - began;
  const { body, hidden, ...rest } = judged;
  // A refused page is stored too, as evidence in case the engine has changed. It never becomes a result.
  const html = body === '' ? '' : await putHtml({ ...key, html_folder: row.html_folder }, body);
  const links = await storeTargets({ ...row, url }, html, hidden, session, remainingMs(spent_ms));
  return { ...key, ...rest, html, fetches, fetched_at: clock(), spent_ms, ...(links && { links }) };
};

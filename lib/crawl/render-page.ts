/** One page of a task that plain HTTP could not get: opened in the browser, judged, stored. */

import { fetchInBrowser } from '../fetcher/browser.ts';
import type { Verdict } from '../model/result.ts';
import type { AnsweredPage } from '../model/workflow.ts';
import { clock } from '../runtime/clock.ts';
import { putHtml } from '../store/html.ts';
import { putLinks } from '../store/link-targets.ts';
import { heldElsewhere, readHeldPage } from './held-page.ts';
import { logPage } from './log-page.ts';
import { lookUpLinks, lookUpMs } from './look-up-links.ts';
import { outcomeOf } from './page-outcome.ts';

/**
 * How long a page may take to become another. Walls of scripts reload when they have seen enough of us; what asks for a person
 * is given the moment that a redirect takes, and is not solved.
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

/** Opens the page once; answers for both rungs: all fetches counted, the last try's outcome, and a stored page if there is one. */
export const renderPage = async (before: AnsweredPage): Promise<AnsweredPage> => {
  const { user_id, id, attempt, page } = before;
  const held = await readHeldPage(before);
  if (!held) return { ...before, outcome: 'failed', reason: heldElsewhere };
  const { row, url } = held;
  const fetches = before.fetches + 1;
  let targets: Record<string, string> | undefined;
  const started = performance.now();
  const rendered = await fetchInBrowser(
    { ...row, url },
    `${id}-${attempt}-${page}-${fetches}`,
    (open) => patienceMs[outcomeOf(row, { ok: true, ...open }).verdict ?? 'unknown_layout'],
    {
      deadlineMs: lookUpMs,
      work: async (open, ask) => {
        const isWanted = outcomeOf(row, { ok: true, ...open }).hidden;
        if (isWanted) targets = await lookUpLinks(open.body, row, ask);
      },
    },
  );
  // A rung that is not there changes nothing: the page stays what plain HTTP has found it to be.
  if (!rendered.ok && rendered.reason.startsWith('unavailable:')) return before;
  // Not the page's fault, and not the engine's: nobody has been asked.
  if (!rendered.ok && rendered.reason.startsWith('throttled:')) {
    return { ...before, outcome: 'throttled', reason: rendered.reason };
  }
  const milliseconds = performance.now() - started;
  const { body, ...judged } = outcomeOf(row, rendered);
  logPage({ engine: row.engine, route: 'browser', page, fetches, milliseconds }, judged);
  const html =
    body === '' ? before.html : await putHtml({ html_folder: row.html_folder, attempt, page }, body);
  const answer = { user_id, id, attempt, page, ...judged, html, fetches, fetched_at: clock() };
  if (!targets || judged.outcome !== 'fetched') return answer;
  // What was asked in the browser is not asked again without its cookies.
  const found = Object.keys(targets).length > 0;
  if (found) await putLinks(html, targets);
  return { ...answer, hidden: 0, ...(found && { links: true }) };
};

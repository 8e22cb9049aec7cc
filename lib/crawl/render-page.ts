/** One page of a task that plain HTTP could not get: opened in the browser, judged, stored. */

import { getRenderedPage } from '../fetcher/browser.ts';
import type { Verdict } from '../model/result.ts';
import type { AnsweredPage } from '../model/workflow.ts';
import { clock } from '../runtime/clock.ts';
import { putHtml } from '../store/html.ts';
import { putLinks } from '../store/link-targets.ts';
import { readRow } from '../store/tasks.ts';
import { logPage } from './log-page.ts';
import { lookUpLinks, lookUpMs } from './look-up-links.ts';
import { judgePage } from './page-outcome.ts';

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
  const row = await readRow(user_id, id);
  const planned = row?.pages.find((each) => each.page === page);
  if (!row || !planned || row.attempt !== attempt) {
    return { ...before, outcome: 'failed', reason: 'machinery: another run holds the task' };
  }
  const fetches = before.fetches + 1;
  let targets: Record<string, string> | undefined;
  const started = performance.now();
  const got = await getRenderedPage(
    { ...row, url: planned.url },
    `${id}-${attempt}-${page}-${fetches}`,
    (rendered) => patienceMs[judgePage(row, { ok: true, ...rendered }).verdict ?? 'unknown_layout'],
    {
      deadlineMs: lookUpMs,
      work: async (rendered, ask) => {
        const isWanted = judgePage(row, { ok: true, ...rendered }).hidden;
        if (isWanted) targets = await lookUpLinks(rendered.body, row.device, ask);
      },
    },
  );
  // A rung that is not there changes nothing: the page stays what plain HTTP has found it to be.
  if (!got.ok && got.reason.startsWith('unavailable:')) return before;
  // Not the page's fault, and not the engine's: nobody has been asked.
  if (!got.ok && got.reason.startsWith('throttled:')) {
    return { ...before, outcome: 'throttled', reason: got.reason };
  }
  const milliseconds = performance.now() - started;
  const { body, ...judged } = judgePage(row, got);
  logPage({ engine: row.kind, route: 'browser', page, fetches, milliseconds }, judged);
  const html =
    body === '' ? before.html : await putHtml({ html_folder: row.html_folder, attempt, page }, body);
  const answer = { user_id, id, attempt, page, ...judged, html, fetches, fetched_at: clock() };
  if (!targets || judged.outcome !== 'fetched') return answer;
  // What was asked in the browser is not asked again without its cookies.
  const found = Object.keys(targets).length > 0;
  if (found) await putLinks(html, targets);
  return { ...answer, hidden: 0, ...(found && { links: true }) };
};

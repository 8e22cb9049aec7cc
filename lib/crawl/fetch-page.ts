/** One page of a task: fetched over HTTP, judged, stored. */
import type { Verdict } from '../model/result.ts';
import type { FetchedPage, Outcome, PageKey } from '../model/step.ts';
import { clock } from '../runtime/clock.ts';
import { log } from '../runtime/log.ts';
import { readGooglePage } from '../serp/google/read.ts';
import { judgeGooglePage } from '../serp/google/verdict.ts';
import { openPage } from '../serp/page.ts';
import { putHtml } from '../store/html.ts';
import { readRow, type TaskRow } from '../store/tasks.ts';
import { type Got, getPage } from './source.ts';

/** Fetches over HTTP before a page is given up on this rung: the second by another session. */
const maxFetches = 2;

/** What a client reads of a page that is no result. */
const sentences: Record<Exclude<Verdict, 'results' | 'empty'>, string> = {
  captcha: 'the engine asked for proof that a person is searching',
  script_wall: 'the engine answered with a page that only a browser gets past',
  consent: 'the engine asked for consent to its cookies instead of answering',
  soft_block: 'the engine refused, or answered with a canned page',
  decoy: 'the engine answered with results of other words',
  unknown_layout: 'the page is not laid out as a whole page of results is',
};

type Judged = Pick<FetchedPage, 'outcome' | 'verdict' | 'has_next' | 'reason'> & { body: string };

const judge = (row: TaskRow, got: Got): Judged => {
  if (!got.ok) return { outcome: 'failed', verdict: null, has_next: false, reason: got.reason, body: '' };
  const page = openPage(got.body);
  const parsed = readGooglePage(page, row.device);
  const verdict = judgeGooglePage(page, parsed, {
    query: row.keyword,
    device: row.device,
    fetchedAt: clock(),
    status: got.status,
    url: got.url,
  });
  if (verdict === 'results' || verdict === 'empty') {
    return {
      outcome: 'fetched',
      verdict,
      has_next: verdict === 'results' && parsed.has_next,
      reason: '',
      body: got.body,
    };
  }
  return {
    outcome: outcomeOf(got.status, verdict),
    verdict,
    has_next: false,
    reason: `${verdict}: ${sentences[verdict]}`,
    body: got.body,
  };
};

/** An answer 5xx is a fault of the moment, not a refusal. */
const outcomeOf = (status: number, verdict: Verdict): Outcome =>
  verdict === 'unknown_layout' && status >= 500 ? 'failed' : 'blocked';

/** Fetches one page of the run that holds the task; what came of it is data, never an exception. */
export const fetchPage = async (key: PageKey): Promise<FetchedPage> => {
  const row = await readRow(key.user_id, key.id);
  const planned = row?.pages.find(({ page }) => page === key.page);
  if (!row || !planned || row.attempt !== key.attempt) {
    return {
      page: key.page,
      outcome: 'failed',
      verdict: null,
      html: '',
      fetches: 0,
      has_next: false,
      fetched_at: 0,
      reason: 'machinery: another run holds the task',
    };
  }
  let fetches = 0;
  let judged: Judged;
  do {
    fetches++;
    const session = `${key.id}-${key.attempt}-${key.page}-${fetches}`;
    judged = judge(row, await getPage({ ...row, url: planned.url }, session));
    log.info('page fetched', {
      task_id: key.id,
      page: key.page,
      outcome: judged.outcome,
      verdict: judged.verdict,
      fetches,
    });
  } while (judged.outcome !== 'fetched' && fetches < maxFetches);

  const { body, ...rest } = judged;
  // A refused page is stored too: it is the evidence when an engine has changed. It never becomes a result.
  const html = body === '' ? '' : await putHtml({ ...key, html_folder: row.html_folder }, body);
  return { page: key.page, ...rest, html, fetches, fetched_at: clock() };
};

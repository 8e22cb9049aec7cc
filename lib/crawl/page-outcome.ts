/** What came of one try at a page: the verdict on it, in the words of the workflow and of the client. */

import type { FetchResult } from '../fetcher/http.ts';
import type { ParsedPage, Verdict } from '../model/result.ts';
import type { FetchedPage, Outcome } from '../model/workflow.ts';
import { clock } from '../runtime/clock.ts';
import { setting } from '../runtime/env.ts';
import { readers } from '../serp/reader.ts';
import type { SerpRow } from '../store/task-row.ts';

/** What a client reads of a page that is no result. */
const blockReasons: Record<Exclude<Verdict, 'results' | 'empty'>, string> = {
  captcha: 'the engine asked for proof that a person is searching',
  script_wall: 'the engine answered with a page that only a browser gets past',
  consent: 'the engine asked for consent to its cookies instead of answering',
  soft_block: 'the engine refused, or answered with a canned page',
  decoy: 'the engine answered with results of other words',
  unknown_layout: 'the page is not laid out as a whole page of results is',
};

/** What a client reads of an answer that is about the engine, not about the page. */
const engineReasons = {
  throttled: 'throttled: the engine asks to come back later',
  failed: 'unreachable: the engine met an error of its own',
};

type Fetched = Extract<FetchResult, { ok: true }>;

/** What asks to come back later: too many requests, or a server that says when it will be there again. */
const asksForRetry = ({ status, headers }: Fetched): boolean =>
  status === 429 || (status === 503 && headers?.['retry-after'] !== undefined);

const refusedOutcome = (fetched: Fetched, verdict: Verdict): Exclude<Outcome, 'fetched'> => {
  // Not where it asks for a proof, or for consent.
  if (verdict === 'soft_block' && asksForRetry(fetched)) return 'throttled';
  // An answer 5xx is a fault of the moment, not a refusal.
  return verdict === 'unknown_layout' && fetched.status >= 500 ? 'failed' : 'blocked';
};

/** `RESOLVE_LINKS`: for whom hidden links are looked up. */
const wantsLinks: Record<string, (row: SerpRow) => boolean> = {
  always: () => true,
  tracking: (row) => Boolean(row.domain),
  never: () => false,
};

/** How many links of a page of results are to be looked up. */
const countHidden = (row: SerpRow, parsed: ParsedPage): number => {
  const isWanted = wantsLinks[setting('RESOLVE_LINKS')];
  if (!isWanted) throw new Error(`RESOLVE_LINKS must be one of ${Object.keys(wantsLinks).join(', ')}`);
  return isWanted(row) ? readers[row.engine].hiddenLinks.of(parsed).length : 0;
};

export type JudgedPage = Pick<FetchedPage, 'outcome' | 'verdict' | 'has_next' | 'hidden' | 'reason'> & {
  body: string;
};

/** Judges what came. Only `fetched` pages are ever parsed; what is not a page of results is kept as evidence. */
export const outcomeOf = (row: SerpRow, fetched: FetchResult): JudgedPage => {
  if (!fetched.ok)
    return { outcome: 'failed', verdict: null, has_next: false, reason: fetched.reason, body: '' };
  const page = readers[row.engine].open(fetched.body);
  const parsed = page.read(row.device);
  const verdict = page.judge(parsed, {
    query: row.keyword,
    device: row.device,
    fetchedAt: clock(),
    status: fetched.status,
    url: fetched.url,
  });
  if (verdict === 'results' || verdict === 'empty') {
    return {
      outcome: 'fetched',
      verdict,
      has_next: verdict === 'results' && parsed.has_next,
      ...(verdict === 'results' && { hidden: countHidden(row, parsed) }),
      reason: '',
      body: fetched.body,
    };
  }
  const outcome = refusedOutcome(fetched, verdict);
  return {
    outcome,
    verdict,
    has_next: false,
    reason: outcome === 'blocked' ? `${verdict}: ${blockReasons[verdict]}` : engineReasons[outcome],
    body: fetched.body,
  };
};

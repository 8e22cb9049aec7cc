/** Rules about the states of tasks, and about what a task says of its end (Readings 1 to 6, 8, 14). */
import type { WireItem } from '../../../infra/local/stores/wire-values.ts';
import type { Ledger } from './ledger.ts';

/** Readings 1 and 3, written down once more: the code has its own tables. */
const ends = ['error', 'dead_letter'];
const searchMoves: Record<string, readonly string[]> = {
  awaiting: ['crawling', 'parsing', ...ends],
  crawling: ['parsing', 'awaiting_webhook', ...ends],
  awaiting_webhook: ['parsing', ...ends],
  parsing: ['success', ...ends],
  success: [],
  error: [],
  dead_letter: ['awaiting'],
};
/** A call for many keywords reads and stores its answer with one write. */
const keywordMoves: Record<string, readonly string[]> = {
  awaiting: ['parsing', 'success', ...ends],
  parsing: ['success', ...ends],
  success: [],
  error: [],
  dead_letter: ['awaiting'],
};

/** Reading 4: a stable word and a sentence. */
const words =
  /^(?:captcha|script_wall|consent|soft_block|decoy|unknown_layout|throttled|unreachable|timeout|upstream|unresolved|machinery): ./;

/** Misfortunes of the sandbox after which the second page never comes (Reading 6). */
export const hasNoSecondPage = /^(captcha|soft_block|decoy|canned|drift|http_500|cut|reset|consent)@2: /;

/** Reading 14: hours for which a result is reused at least, and with a `frequency` of null. */
const leastHours: Record<string, number> = { google: 168, youtube: 168 };
const usualHours = 24;

const reuseHours = (item: WireItem): number =>
  Math.max(leastHours[text(item, 'engine')] ?? 0, Number(text(item, 'frequency') || usualHours));

const text = (item: WireItem, name: string): string => String(item[name]?.S ?? item[name]?.N ?? '');

export const isLegalMove = (item: WireItem, from: string, to: string): boolean => {
  const moves = text(item, 'kind') === 'serp' ? searchMoves : keywordMoves;
  return from === to || Boolean(moves[from]?.includes(to));
};

type Page = { page: number; status: string };

const pagesOf = (item: WireItem): Page[] =>
  ((item.pages?.L ?? []) as { M: WireItem }[]).map(({ M }) => ({
    page: Number(M.page?.N),
    status: String(M.status?.S),
  }));

/** Whether a search has ten results a page, and its pages after the first one never come. */
const lacksPages = (item: WireItem): boolean => {
  const isLong =
    text(item, 'api') === 'v1' ? text(item, 'domain') !== '' : Number(text(item, 'depth') || 10) > 10;
  return isLong && hasNoSecondPage.test(text(item, 'keyword'));
};

/** What a search says as it ends with a result: of which pages it is, and whether these are all. */
const checkSuccess = (ledger: Ledger, id: number, item: WireItem, skewSeconds: number): void => {
  const isComplete = item.complete?.BOOL === true;
  const isReused = item.reused?.BOOL === true;
  const pages = pagesOf(item);
  const unread = pages.filter(({ status }) => status !== 'parsed').map(({ page }) => page);
  if (pages[0]?.status !== 'parsed')
    ledger.violate('success has its pages', `task ${id} succeeded without its first page`);
  // Reading 43: the request asked for no more.
  const isStopped = item.stop_on_match?.BOOL === true;
  if (isComplete && unread.length > 0 && !isStopped)
    ledger.violate('success has its pages', `task ${id} is complete without the pages ${unread.join(', ')}`);
  if (isReused && !isComplete)
    ledger.violate('partial results are not reused', `task ${id} is answered from a partial result`);
  if (lacksPages(item) && (isComplete || isReused))
    ledger.violate('partial results are not reused', `task ${id} is complete without a page that failed`);
  const crawledAt = Number(text(item, 'crawled_at'));
  if (!(crawledAt > 0)) ledger.violate('success has its pages', `task ${id} was never crawled`);
  const age = Number(text(item, 'succeed_at')) - crawledAt;
  const most = reuseHours(item) * 3600;
  // A run takes some minutes from its decision to its end.
  if (isReused && age > most + 1800 + skewSeconds)
    ledger.violate(
      'reuse ends',
      `task ${id} is answered from pages that are ${Math.round(age / 3600)} hours old`,
    );
};

/** A run may take five minutes, and holds its task so long. Faults make the write of its claim slow. */
const leaseSeconds = { least: 270, most: 301 };

type Time = { now: number; skewSeconds: number };

/**
 * Reading 1: a run that claims a task has the next number, and holds the task. Reading 5: the first run is no
 * retry, and a claim that led to no run is none either.
 */
const checkClaim = (
  ledger: Ledger,
  id: number,
  before: WireItem,
  after: WireItem,
  { now, skewSeconds }: Time,
): void => {
  const [from, to] = [before, after].map((item) => text(item, 'status'));
  const [lease, former] = [after, before].map((item) => Number(text(item, 'lease_until')));
  const isClaim =
    (from === 'awaiting' && (to === 'crawling' || to === 'parsing')) ||
    (from === 'crawling' && to === 'crawling' && Number(lease) > Number(former));
  if (!isClaim || text(after, 'kind') !== 'serp') return;
  const attempt = Number(text(after, 'attempt'));
  if (attempt !== Number(text(before, 'attempt')) + 1)
    ledger.violate('each run has a number', `task ${id} was claimed as attempt ${attempt}`);
  const held = Number(lease) - now;
  if (held < leaseSeconds.least - skewSeconds || held > leaseSeconds.most + skewSeconds)
    ledger.violate('a run holds its task', `task ${id} is held for ${Math.round(held)} s`);
  if (Number(text(after, 'retries_count')) > attempt - 1)
    ledger.violate(
      'retries are counted',
      `run ${attempt} of task ${id} is retry ${text(after, 'retries_count')}`,
    );
};

/** A task that is started again waits as a new one, so that a run claims it (Readings 1, 2, 4 and 35). */
const checkRestart = (ledger: Ledger, id: number, item: WireItem): void => {
  const left = ['error_message', 'succeed_at', 'crawled_at', 'delivery', 'delivery_state'].filter(
    (name) => !['', '0'].includes(text(item, name)),
  );
  const isHeld = Number(text(item, 'lease_until')) > 0;
  const isOpen = pagesOf(item).some(({ status }) => status !== 'awaiting');
  if (left.length > 0 || isHeld || isOpen || text(item, 'unfinished') === '')
    ledger.violate(
      'tasks that are started again wait',
      `task ${id} still has ${left.join(', ') || (isHeld ? 'a lease' : isOpen ? 'its pages' : 'no due time')}`,
    );
};

/** Checks what a task says when it moves to another state. */
export const checkMove = (
  ledger: Ledger,
  id: number,
  before: WireItem,
  after: WireItem,
  time: Time,
): void => {
  const from = text(before, 'status');
  const to = text(after, 'status');
  checkClaim(ledger, id, before, after, time);
  if (!isLegalMove(after, from, to)) ledger.violate('legal moves', `task ${id} went from ${from} to ${to}`);
  if (from === to) return;
  if (from === 'dead_letter') checkRestart(ledger, id, after);
  const reason = text(after, 'error_message');
  if (ends.includes(to) && !words.test(reason))
    ledger.violate('errors have words', `task ${id} is ${to} with the message ${reason}`);
  if (to === 'success' && reason !== '')
    ledger.violate('no false success', `task ${id} succeeded with ${reason}`);
  if (to === 'success' && !(Number(text(after, 'succeed_at')) > 0))
    ledger.violate('success has a time', `task ${id} has no succeed_at`);
  if (to === 'success' && text(after, 'kind') === 'serp') checkSuccess(ledger, id, after, time.skewSeconds);
};

/** Reading 8: a number of a user is that of one task, whatever its kind. */
export const checkIdentity = (ledger: Ledger, id: number, before: WireItem, after: WireItem): void => {
  for (const name of ['kind', 'keyword', 'key', 'created_at', 'engine'])
    if (text(before, name) !== text(after, name))
      ledger.violate('ids are unique', `${id} was ${text(before, name)} and became ${text(after, name)}`);
  if (!Number.isSafeInteger(id)) ledger.violate('ids are unique', `${id} is no number of 53 bits`);
};

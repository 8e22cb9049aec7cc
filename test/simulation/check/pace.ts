/** Rules about the rate of an engine, and about the shares that users have of it. */
import type { RequestedPage } from '../code/instance.ts';
import type { Plan } from '../plan/plan.ts';
import type { Struck } from '../world/faults.ts';
import type { Row } from './end.ts';
import type { Ledger } from './ledger.ts';

/** A run may begin so long after its turn (seconds). */
const lateSeconds = 5;

/** A run of a user who has none waiting may begin before its turn, by so many seconds and pages. */
const borrowed = { seconds: 5, pages: 10 };

/** The pages of a search for a tracked keyword, or for a domain. No search has more. */
const pagesOfRun = 10;

/** From the turn of a run to its first request: a few calls, of which faults make some slow (seconds). */
const startSeconds = { still: 2, faulty: 30 };

/** Searches that wait in a line are those of the first user; others send a single one. */
const inLine = / in line \d+$/;

type At = RequestedPage & { at: number };

/**
 * In every window, an engine is asked for as many pages as its rate allows, and for those of the burst: of
 * runs that begin late or before their turns, and of one run. A run takes the turns of all its pages before
 * it begins, so a page counts at the time of the first page of its run. One that is requested again counts
 * once: the rate is one of pages.
 */
export const checkRates = (
  ledger: Ledger,
  { rated, rates, skewSeconds }: Plan,
  pages: readonly At[],
): void => {
  if (!rated || skewSeconds > 0) return;
  const { engine, rate } = rated;
  const start = Object.keys(rates).length === 0 ? startSeconds.still : startSeconds.faulty;
  const burst = rate * (lateSeconds + borrowed.seconds + start) + borrowed.pages + pagesOfRun;
  const begins = new Map<string, number>();
  const counted = new Set<string>();
  const times: number[] = [];
  for (const page of pages) {
    if (page.engine !== engine) continue;
    const run = `${page.id} ${page.attempt}`;
    const key = `${run} ${page.page}`;
    if (counted.has(key)) continue;
    counted.add(key);
    if (!begins.has(run)) begins.set(run, page.at);
    times.push(begins.get(run) ?? page.at);
  }
  // A bucket that empties at the rate is as full as the window with the most pages above the rate.
  let level = 0;
  let last = 0;
  for (const at of times.toSorted((a, b) => a - b)) {
    level = Math.max(0, level - (rate * (at - last)) / 1000) + 1;
    last = at;
    if (level <= burst) continue;
    ledger.violate(
      'rates are kept',
      `${engine} was asked for more than ${burst} pages above its rate of ${rate}, at ${new Date(at).toISOString()}`,
    );
    return;
  }
};

/**
 * A line of many runs takes, in the mean, the time of its pages: the burst is that of runs that begin before
 * their turns, and is small beside the line. Faults let runs begin late, which makes a line only slower.
 */
export const checkMean = (ledger: Ledger, { rated, skewSeconds }: Plan, pages: readonly At[]): void => {
  if (!rated || skewSeconds > 0) return;
  const { engine, rate } = rated;
  const line = new Set(
    ledger.acked.filter(({ user, keyword }) => user === 0 && inLine.test(keyword)).map(({ id }) => id),
  );
  const own = pages.filter((page) => page.engine === engine && page.attempt === 1 && line.has(page.id));
  const begins = own.filter(({ page }) => page === 1).map(({ at }) => at);
  const counted = new Set(own.map(({ id, page }) => `${id} ${page}`)).size - pagesOfRun;
  const seconds = (Math.max(...begins) - Math.min(...begins)) / 1000;
  const least = (counted - borrowed.pages) / rate - lateSeconds - borrowed.seconds - startSeconds.still;
  if (begins.length > 1 && seconds < least)
    ledger.violate(
      'rates are kept in the mean',
      `${engine} was asked for ${counted} pages in ${seconds} s, and its rate is ${rate}`,
    );
};

/**
 * A user with one task waits so many times as long beside a line of another user as when nothing waits. A
 * turn that comes so soon is waited for (`docs/settings.md`: a rate is one of pages on average).
 */
const most = { times: 2, turnMs: 2000 };

/** The turns of a crawl of a tracked keyword may end so long after its first page (milliseconds). */
const beforeMs = 60_000;

type Shares = {
  ledger: Ledger;
  plan: Plan;
  pages: readonly At[];
  struck: readonly Struck[];
  endedAt: ReadonlyMap<number, number>;
  /** The row of each task at the end. */
  rows: ReadonlyMap<number, Row>;
};

/**
 * The single search of a user ends in twice its idle time and a turn, although those of another user wait.
 * Beside runs of ten pages, it may wait for their turns, also if their first page has no results.
 * After a fault, a wait says nothing.
 */
export const checkShares = ({ ledger, plan, pages, struck, endedAt, rows }: Shares): void => {
  if (plan.skewSeconds > 0) return;
  // A run takes the turns of all its pages at once.
  const runMs = (pagesOfRun / (plan.rated?.rate ?? 1)) * 1000;
  const shorter = new Set(
    [...ledger.acked, ...ledger.singles]
      .map(({ id }) => id)
      .filter((id) => ((rows.get(id)?.pages ?? []) as unknown[]).length < pagesOfRun),
  );
  const runs = pages.filter(
    ({ engine, page, id }) => engine === plan.rated?.engine && page === 1 && !shorter.has(id),
  );
  const waitOf = (id: number, at: number) => (endedAt.get(id) ?? Number.POSITIVE_INFINITY) - at;
  for (const { user, id, at, isBeside } of ledger.singles) {
    const idle = ledger.singles.find((other) => other.user === user && !other.isBeside);
    if (!isBeside || !idle) continue;
    const wait = waitOf(id, at);
    const idleWait = waitOf(idle.id, idle.at);
    const besides = runs.filter((run) => run.at >= at - beforeMs && run.at <= at + wait);
    const turnMs = most.turnMs + besides.length * runMs;
    if (struck.some((fault) => fault.at <= at + wait) || wait <= most.times * idleWait + turnMs) continue;
    ledger.violate(
      'a single task does not wait for others',
      `task ${id} took ${Math.round(wait)} ms beside a line, and one of the same user ${Math.round(idleWait)} ms before`,
    );
  }
};

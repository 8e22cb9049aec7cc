/** Counts a user's searches of the last 24 hours, and estimates their cost. */
import { type EngineName, engineNames } from '../model/engine.ts';
import { searchCost } from '../model/search-cost.ts';
import type { Usage } from '../model/usage.ts';
import type { Account } from '../model/user.ts';
import { clock } from '../runtime/clock.ts';
import { listRows } from '../store/lists.ts';
import type { SerpRow } from '../store/task-row.ts';
import { taskId } from '../task/id.ts';
import { lifetimeSeconds } from '../task/timing.ts';

/** Searches that one call counts at most. Each is about 1 KB that the table reads. */
const maxCounted = 5000;

/** The browser fetches a page after two fetches over HTTP were refused. */
const fetchesBeforeBrowser = 2;

const fetched = ({ pages, reused }: SerpRow): SerpRow['pages'] =>
  reused
    ? []
    : pages.filter(({ status }) => status === 'parsed' || status === 'success' || status === 'failed');

const dollarsOf = (row: SerpRow): number => {
  const pages = fetched(row);
  const byBrowser = pages.filter(({ retry_count = 0 }) => retry_count >= fetchesBeforeBrowser).length;
  const { http, browser } = searchCost;
  return (
    (byBrowser > 0 ? browser : http).search +
    byBrowser * browser.page +
    (pages.length - byBrowser) * http.page
  );
};

type Counts = Usage['total'];

/** Without the digits that come from adding binary fractions. A search costs some hundred-thousandths. */
const roundedDollars = (dollars: number): number => Math.round(dollars * 1e6) / 1e6;

/** The words of errors of which the engine refused the search, as `error-words.ts` has them. */
const refusals = new Set(['captcha', 'script_wall', 'consent', 'soft_block', 'decoy']);

const isRefused = ({ status, error_message }: SerpRow): boolean =>
  status === 'error' && refusals.has(error_message?.split(':')[0] ?? '');

const countsOf = (rows: readonly SerpRow[]): Counts => ({
  searches: rows.length,
  succeeded: rows.filter(({ status }) => status === 'success').length,
  failed: rows.filter(({ status }) => status === 'error' || status === 'dead_letter').length,
  blocked: rows.filter(isRefused).length,
  reused: rows.filter(({ reused }) => reused).length,
  pages: rows.reduce((sum, row) => sum + fetched(row).length, 0),
  dollars: roundedDollars(rows.reduce((sum, row) => sum + dollarsOf(row), 0)),
});

/** Counts the newest 5,000 searches of the user, of both versions, that have not expired. */
export const readUsage = async (user: Account, now = clock()): Promise<Usage> => {
  const { rows, next } = await listRows(
    user.id,
    { after: taskId(now - lifetimeSeconds, 0) - 1, limit: maxCounted, left: maxCounted },
    now,
  );
  const oldest = rows.at(-1);
  const byEngine = Map.groupBy(rows, ({ engine }): EngineName => engine);
  return {
    since: next !== null && oldest ? oldest.created_at : now - lifetimeSeconds,
    until: now,
    complete: next === null,
    total: countsOf(rows),
    engines: engineNames.flatMap((engine) => {
      const some = byEngine.get(engine);
      return some ? [{ engine, ...countsOf(some) }] : [];
    }),
  };
};

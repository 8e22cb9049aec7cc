/** Rules about the requests of a run for its pages, and what the task says of them (Readings 4 and 5). */
import type { WireItem } from '../../../infra/local/stores/wire-values.ts';
import type { RequestedPage } from '../code/instance.ts';
import type { Ledger } from './ledger.ts';

/** A page is requested so often without a browser, and once if the engine asks to come back later. */
const most = { fetches: 2, throttled: 1 };

/**
 * The run that has a task. `asked`: how often it has requested each page. `isRecorded`: whether the task
 * names the pages that it fetched.
 */
type Run = {
  attempt: number;
  from: number;
  keyword: string;
  asked: Map<number, number>;
  isRecorded: boolean;
};

type Options = {
  ledger: Ledger;
  /** By how much clocks differ at most from each other. */
  skewSeconds: number;
  /** Whether nothing has struck since then (seconds) and shortly before. */
  isQuietSince: (seconds: number) => boolean;
};

const numberOf = (item: WireItem | undefined, name: string): number => Number(item?.[name]?.N ?? 0);

/** Whether the engine answers a page with a request to come back later. */
const isThrottled = (keyword: string, page: number): boolean =>
  keyword.startsWith('http_429: ') || keyword.startsWith(`http_429@${page}: `);

export const newFetches = ({ ledger, skewSeconds, isQuietSince }: Options) => {
  const runs = new Map<number, Run>();

  /** The pages were fetched after the run had claimed the task, or after they were ordered. */
  const checkTime = (id: number, { from }: Pick<Run, 'from'>, crawledAt: number, now: number): void => {
    if (crawledAt < Math.floor(from) - skewSeconds || crawledAt > now + skewSeconds)
      ledger.violate(
        'tasks say when they were crawled',
        `task ${id} says ${crawledAt}, and its run lasted from ${from} to ${now}`,
      );
  };

  /** The browser may have opened a page that was not had otherwise. */
  const checkCounts = (id: number, { asked, from }: Run, item: WireItem): void => {
    if (!isQuietSince(from)) return;
    for (const { M } of (item.pages?.L ?? []) as { M: WireItem }[]) {
      const made = asked.get(numberOf(M, 'page')) ?? 0;
      const told = numberOf(M, 'retry_count');
      const browsed = made < most.fetches ? 0 : 1;
      if (made > 0 && (told < made - 1 || told > made - 1 + browsed))
        ledger.violate(
          'retries are counted',
          `page ${numberOf(M, 'page')} of task ${id} was requested ${made} times, and says ${told} retries`,
        );
    }
  };

  return {
    /** Notes a write to a row of a search. `now`: seconds. */
    written: (id: number, before: WireItem | undefined, after: WireItem, now: number): void => {
      const attempt = numberOf(after, 'attempt');
      if (attempt > numberOf(before, 'attempt'))
        runs.set(id, {
          attempt,
          from: now,
          keyword: String(after.keyword?.S),
          asked: new Map(),
          isRecorded: false,
        });
      const run = runs.get(id);
      const ordered = (before?.upstream as { M?: WireItem } | undefined)?.M;
      if (before?.status?.S === 'awaiting_webhook' && after.status?.S === 'parsing' && ordered)
        checkTime(id, { from: numberOf(ordered, 'accepted_at') }, numberOf(after, 'crawled_at'), now);
      const isFetched = before?.status?.S === 'crawling' && after.status?.S === 'parsing';
      if (!isFetched || run?.attempt !== attempt) return;
      run.isRecorded = true;
      checkTime(id, run, numberOf(after, 'crawled_at'), now);
      checkCounts(id, run, after);
    },
    /** A run requests a page. */
    asked: ({ id, attempt, page }: RequestedPage): void => {
      const run = runs.get(id);
      if (run?.attempt !== attempt) return;
      const times = (run.asked.get(page) ?? 0) + 1;
      run.asked.set(page, times);
      if (run.isRecorded)
        ledger.violate(
          'no page is requested that the task has',
          `run ${attempt} of task ${id} (${run.keyword}) requests page ${page} after it has recorded its pages`,
        );
      const allowed = isThrottled(run.keyword, page) ? most.throttled : most.fetches;
      if (times > allowed && isQuietSince(run.from))
        ledger.violate(
          'pages are requested twice at most',
          `run ${attempt} of task ${id} (${run.keyword}) requests page ${page} ${times} times`,
        );
    },
  };
};

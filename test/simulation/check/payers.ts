/** Rules about who pays for the crawls of tracked searches, checked as they are reserved (Reading 40). */
import type { WireItem } from '../../../infra/local/stores/wire-values.ts';
import type { Ledger, Tracked } from './ledger.ts';

/** A run of the planner lasts 40 s, and one that waits for a service longer (milliseconds). */
const plannerMs = 180_000;

const numberOf = (item: WireItem | undefined, name: string): number => Number(item?.[name]?.N ?? 0);

type Crawl = { subscribers: string; payer: number };

type Options = {
  ledger: Ledger;
  now: () => number;
  /** Clocks differ by so much at most from that of the world. */
  skewSeconds: number;
  /** The rows of the table of tracking. */
  rows: () => readonly WireItem[];
};

export const newPayers = ({ ledger, now, skewSeconds, rows }: Options) => {
  /** The last crawl of each search that no user has asked for. */
  const last = new Map<string, Crawl>();

  const trackedBy = (userId: number, keyword: string): Tracked[] =>
    ledger.tracked.filter((each) => each.userId === userId && each.keyword === keyword);

  /** Whether a user may certainly pay: none of its keywords, projects and rights has changed. */
  const isSteady = (userId: number, keyword: string): boolean => {
    const own = trackedBy(userId, keyword);
    const isChanged = own.some(
      ({ user, pausedAt, resumedAt, removedAt, projectId }) =>
        (pausedAt ?? resumedAt ?? removedAt) !== undefined ||
        ledger.restFrom.has(projectId) ||
        ledger.disabled.has(user) ||
        ledger.erased.has(user),
    );
    return own.length > 0 && !isChanged;
  };

  return {
    /** Notes a write to the table of tracking. */
    written: (before: WireItem | undefined, after: WireItem | undefined): void => {
      if (after?.sk?.S !== 'search' || after.state?.S !== 'running') return;
      if (numberOf(before, 'task_id') === numberOf(after, 'task_id')) return;
      const name = String(after.pk?.S);
      const payer = numberOf(after, 'task_user');
      const keyword = String((after.search as unknown as { M: WireItem }).M.keyword?.S);
      const asking = numberOf(before, 'asked_by');
      if (numberOf(after, 'asked_by') > 0)
        ledger.violate('who asks for a crawl pays', `${name} is crawled, and its crawl is still asked for`);
      if (asking > 0 && asking !== payer && isSteady(asking, keyword))
        ledger.violate('who asks for a crawl pays', `${name} is crawled for ${payer}, and ${asking} asked`);
      const rested = trackedBy(payer, keyword).map(({ projectId }) => ledger.restFrom.get(projectId));
      const isRested = rested.every(
        (from) => from !== undefined && from + plannerMs < now() - 2000 * skewSeconds,
      );
      if (rested.length > 0 && isRested)
        ledger.violate('paused projects rest', `${name} is crawled for ${payer}, whose project is paused`);
      const subscribers = rows()
        .filter(({ pk, sk }) => pk?.S === name && String(sk?.S).startsWith('keyword#'))
        .map((row) => `${row.user_id?.N}`);
      const isShared = new Set(subscribers).size === subscribers.length && subscribers.length > 1;
      const isKnown = isShared && subscribers.every((user) => isSteady(Number(user), keyword));
      const crawl: Crawl = { subscribers: isKnown ? subscribers.join(' ') : '', payer };
      const former = last.get(name);
      // A crawl that a user asked for does not count as a turn.
      if (asking !== payer) last.set(name, crawl);
      if (asking === 0 && isKnown && former?.subscribers === crawl.subscribers && former.payer === payer)
        ledger.violate(
          'payers take turns',
          `${name} is crawled for ${payer} again, beside ${crawl.subscribers}`,
        );
    },
  };
};

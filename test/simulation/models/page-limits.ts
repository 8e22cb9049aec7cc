/** A user who reaches the pages that its limit allows in a minute. */
import type { Ledger } from '../check/ledger.ts';
import type { World } from '../world/world.ts';
import type { Reply } from './clients.ts';

type Options = {
  world: World;
  ledger: Ledger;
  /** Sets the requests a minute of a user. */
  setLimit: (userId: number, requests: number) => Promise<Reply>;
  /** Whether no clock is wrong. */
  isOnTime: boolean;
};

type Account = { id: number; key: string };

const minute = 60_000;

/** Requests a minute of a user, and the pages that it may queue in one: 25 times as many. */
const requestsAMinute = 3;
const pagesAMinute = 25 * requestsAMinute;

const usualLimit = 2000;

/** All processes know a changed account by then. */
const accountMs = minute;

/**
 * A user with one request a minute may queue 25 pages in it. The searches of a project count two at a time,
 * with ten pages each, and those that reach the limit are the last ones.
 */
const searchesAMinute = 4;

export const newPageLimits = ({ world, ledger, setLimit, isOnTime }: Options) => {
  const { scheduler, ask } = world;

  /** The middle of the next minute: all requests from then on count in the same one. */
  const middleOfMinute = (): Promise<void> =>
    scheduler.sleep(minute - (scheduler.now() % minute) + minute / 4);

  /**
   * The searches of a project are crawled as far as the pages of a minute go. What the answer does not leave
   * out is due.
   */
  const crawlToLimit = async (visitor: Account, projectId: number): Promise<void> => {
    if ((await setLimit(visitor.id, 1)).status !== 200) return;
    await middleOfMinute();
    const from = scheduler.now();
    const { status, body } = await ask(visitor.key, 'POST', `/api/v1/projects/${projectId}/crawl`, {});
    const isWithin = Math.floor(from / minute) === Math.floor(scheduler.now() / minute);
    if (status === 202) {
      const { searches, left } = body as { searches: number; left: { reason: string }[] };
      const isAllLimit = left.every(({ reason }) => reason === 'limit');
      if (searches < searchesAMinute && isAllLimit && world.faults.struck().length === 0)
        ledger.violate('limits are kept', `only ${searches} searches of ten pages are crawled in a minute`);
      if (searches > searchesAMinute && isWithin && isOnTime)
        ledger.violate('limits are kept', `${searches} searches of ten pages are crawled in a minute`);
      const due = world.tables
        .all(world.name('TRACKING_TABLE'))
        .filter(
          ({ sk, asked_by, task_user }) => sk === 'search' && [asked_by, task_user].includes(visitor.id),
        );
      if (due.length < searches)
        ledger.violate('promised crawls are made', `${due.length} searches are due, ${searches} promised`);
    }
    await setLimit(visitor.id, usualLimit);
    await scheduler.sleep(accountMs);
  };

  /** Each keyword of a batch counts. */
  const exceedPages = async (visitor: Account): Promise<void> => {
    const { key } = visitor;
    if ((await setLimit(visitor.id, requestsAMinute)).status !== 200) return;
    await middleOfMinute();
    const from = scheduler.now();
    const batchOf = (count: number) => Array.from({ length: count }, (_, n) => ({ key: `limited ${n}` }));
    const path = '/api/v1/keyword-sv';
    const first = await ask(key, 'POST', path, batchOf(pagesAMinute));
    const second = await ask(key, 'POST', path, batchOf(1));
    const isWithin = Math.floor(from / minute) === Math.floor(scheduler.now() / minute);
    if (first.status === 200 && second.status === 200 && isWithin && isOnTime)
      ledger.violate('limits are kept', `more than ${pagesAMinute} pages were queued in a minute`);
    await setLimit(visitor.id, usualLimit);
  };

  return { crawlToLimit, exceedPages };
};

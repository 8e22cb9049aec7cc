/** A user who reaches the pages that its limit allows in a minute. */
import type { Ledger } from '../check/ledger.ts';
import { phrases } from '../plan/action.ts';
import { home, placeOf } from '../plan/markets.ts';
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

/** A keyword whose search is not crawled, and why. */
type Left = { keyword_id: number; reason: string };

const minute = 60_000;

/** Requests a minute of a user, and the pages that it may queue in one: 25 times as many. */
const requestsAMinute = 3;
const pagesAMinute = 25 * requestsAMinute;

/** Pages of a search of version 1 with a domain. */
const pagesOfTracked = 10;

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

  /** The pages that a user has queued in the minute of a time. */
  const countedAt = (userId: number, at: number): number => {
    const end = (Math.floor(at / minute) + 1) * 60;
    return Number(
      world.tables.find(world.name('LIMITS_TABLE'), { key: `pages#${userId}#${end}` })?.hits ?? 0,
    );
  };

  /**
   * A request counts the pages of the searches that it makes due, and not of those that are due already.
   * `left`: a keyword that the limit has left out, before others.
   */
  const crawlRest = async ({ id, key }: Account, projectId: number, left: number): Promise<void> => {
    for (const wanted of [{ keyword_ids: [left] }, {}]) {
      const from = scheduler.now();
      const before = countedAt(id, from);
      const { status, body } = await ask(key, 'POST', `/api/v1/projects/${projectId}/crawl`, wanted);
      const counted = countedAt(id, from) - before;
      const isWithin = Math.floor(from / minute) === Math.floor(scheduler.now() / minute);
      const isQuiet = world.faults.struck().every(({ at }) => at < from - minute);
      if (
        status === 202 &&
        isWithin &&
        isQuiet &&
        isOnTime &&
        counted !== pagesOfTracked * Number(body.searches)
      )
        ledger.violate(
          'limits are kept',
          `${counted} pages are counted for ${body.searches} searches of ten`,
        );
    }
  };

  /**
   * The searches of a project are crawled as far as the pages of a minute go. What the answer does not leave
   * out is due.
   */
  const crawlToLimit = async (visitor: Account, projectId: number): Promise<void> => {
    if ((await setLimit(visitor.id, 1)).status !== 200) return;
    await middleOfMinute();
    const from = scheduler.now();
    const { status, body } = await ask(visitor.key, 'POST', `/api/v1/projects/${projectId}/crawl`, {});
    const { searches = 0, left = [] } = body as { searches?: number; left?: Left[] };
    const isWithin = Math.floor(from / minute) === Math.floor(scheduler.now() / minute);
    if (status === 202) {
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
    const [first] = left;
    if (status === 202 && first) await crawlRest(visitor, projectId, first.keyword_id);
  };

  /** The first batch reaches the limit, so the second one must wait for the next minute. */
  const exceed = async ({ id, key }: Account, path: string, full: object[], one: object): Promise<void> => {
    if ((await setLimit(id, requestsAMinute)).status !== 200) return;
    await middleOfMinute();
    const from = scheduler.now();
    const headers = { 'Idempotency-Key': `limited-${path.length}` };
    const first = await ask(key, 'POST', path, full, headers);
    const second = await ask(key, 'POST', path, [one]);
    const again = await ask(key, 'POST', path, full, headers);
    const isWithin = Math.floor(from / minute) === Math.floor(scheduler.now() / minute);
    if (first.status === 200 && second.status === 200 && isWithin && isOnTime)
      ledger.violate('limits are kept', `more than ${pagesAMinute} pages were queued in a minute: ${path}`);
    // The pages of what was accepted count once. Other clocks may count the requests of another minute.
    if (first.status === 200 && again.status === 429 && /^Too many pages/.test(String(again.body.detail)))
      ledger.violate('idempotency', `a request is refused that was accepted: ${JSON.stringify(again.body)}`);
    await setLimit(id, usualLimit);
  };

  /** Each keyword of a batch counts, and each page of a search. */
  const exceedPages = async (visitor: Account): Promise<void> => {
    const keywords = Array.from({ length: pagesAMinute }, (_, n) => ({ key: `limited ${n}` }));
    await exceed(visitor, '/api/v1/keyword-sv', keywords, { key: 'limited' });
    // A search of a domain has ten pages, and ends with its first one if that is blocked.
    const search = { keyword: `captcha: ${phrases[0]}`, ...placeOf(home) };
    const tracked = { ...search, domain: 'acme.example' };
    const searches = Array.from({ length: Math.ceil(pagesAMinute / pagesOfTracked) }, () => tracked);
    await exceed(visitor, '/api/v1/serp/crawl/bing/batch', searches, search);
  };

  return { crawlToLimit, exceedPages };
};

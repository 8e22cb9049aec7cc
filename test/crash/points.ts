/**
 * One row for each kind of durable work: the requests that make an embedded stack do it, and so reach the
 * crash points around it.
 */
import type { DurableWork } from '../../lib/runtime/crash.ts';
import type { Chain } from './chain.ts';

/** Durable work that a test cannot reach in a minute, with the reason. */
export const outOfReach = {
  'drop-expired': 'a task expires after a day',
  'mark-collected':
    'only the reading of a task in the form of another service does this; it is ready again then',
  'put-off-task':
    'it needs a wait of a quarter of an hour for the engine; the throttle test of the real store covers it',
  'move-to-dead_letter': 'the last receive of a message is after 18 minutes',
  'postpone-delivery':
    'it needs a service that refuses calls; the test of back-pressure on the embedded stack covers it',
  'move-to-awaiting': 'only a command does this, in its own process',
  'replace-result': 'only a command does this, in its own process',
  'store-metrics': 'no search does this; a keyword whose metrics are not stored is asked again',
  'claim-ask': 'only a live call does this, and nothing that it accepted is lost with it',
  'release-ask': 'only a live call does this, and nothing that it accepted is lost with it',
  'move-to-completed': 'no code does this',
  'claim-answer': 'no task depends on it; the test of shared answers covers a claim whose request died',
  'store-answer': 'as claim-answer',
} satisfies Partial<Record<DurableWork, string>>;

export type ReachableWork = Exclude<DurableWork, keyof typeof outOfReach>;

export type Scenario = {
  /**
   * The pass of the crash point that kills the process. Later than the first where earlier requests must be
   * accepted.
   */
  pass?: number;
  /** Settings of the process to kill. */
  env?: Record<string, string>;
  /** A crash point to kill the process at first, because the work is part of the recovery from that kill. */
  afterKillAt?: string;
  drive: (chain: Chain, point: string) => Promise<void>;
};

type Fields = Record<string, unknown>;

const task = (n: number, chain: Chain, point: string): Fields => ({
  keyword: `coffee beans ${point} ${n}`,
  location_name: 'United States',
  iso_code: 'US',
  post_id: point,
  postback_url: chain.hook('/accepts'),
});

export const searches = 14;

/**
 * Posts two single searches, and then a batch of the rest: by default twelve, which need two requests to the
 * crawl queue. `headersOf`: the headers of each of the three requests.
 */
const search =
  (
    fields: (n: number, chain: Chain) => Fields = () => ({}),
    headersOf: (point: string, request: number) => Record<string, string> = () => ({}),
    count = searches,
  ) =>
  async (chain: Chain, point: string): Promise<void> => {
    const all = Array.from({ length: count }, (_, n) => ({
      ...task(n, chain, point),
      ...fields(n, chain),
    }));
    await chain.post('crawl', all[0], headersOf(point, 0));
    await chain.post('crawl', all[1], headersOf(point, 1));
    await chain.post('crawl/google/batch', all.slice(2), headersOf(point, 2));
  };

/** As many as fit into one request to the crawl queue: what follows it happens to each task alone. */
const searchFew = (fields?: (n: number, chain: Chain) => Fields) => search(fields, undefined, 6);

/** To receivers that fail at first. */
const secondTime = (chain: Chain, point: string) =>
  searchFew((n) => ({ postback_url: chain.hook(`/second-time/${point}/${n}`) }))(chain, point);

/**
 * Posts one search whose receiver refuses. Only one: after a kill, each delivery may wait for up to eight
 * minutes of real time.
 */
const refused = async (chain: Chain, point: string): Promise<void> =>
  chain.post('crawl', { ...task(0, chain, point), postback_url: chain.hook('/refuses') });

/** From the request to its queue message. */
export const accepting = {
  'count-in-window': { pass: 3, env: { RATE_LIMIT: '100000' }, drive: search() },
  // Only a batch needs numbers of a counter.
  'reserve-numbers': { drive: search() },
  'write-rows': { pass: 3, drive: search() },
  'write-batch': { drive: search() },
  'queue-tasks': { pass: 3, drive: search() },
  // Two writes for each request: the fifth is the record of the batch.
  'write-request': {
    pass: 5,
    drive: search(undefined, (point, n) => ({ 'Idempotency-Key': `${point}-${n}` })),
  },
  'put-off-sweep': { afterKillAt: 'after-write-rows:3', drive: search() },
} satisfies Partial<Record<ReachableWork, Scenario>>;

/** From the queue message to the final state. */
export const crawling = {
  'move-to-crawling': { drive: searchFew() },
  'store-page': { drive: searchFew() },
  'move-to-parsing': { drive: searchFew() },
  'store-snapshot': { drive: searchFew() },
  'store-result': { drive: searchFew(() => ({ depth: 100 })) },
  'move-to-success': { drive: searchFew() },
  // The last task of the batch ends before one of the others.
  'wait-for-task': {
    drive: (chain, point) =>
      searchFew((n) => (n === 2 ? { keyword: `slow: coffee beans ${point}` } : {}))(chain, point),
  },
  'end-batch': { drive: searchFew() },
  'store-batch-results': {
    drive: async (chain, point) => {
      await searchFew()(chain, point);
      await chain.download();
    },
  },
  'move-to-error': { drive: searchFew((n) => ({ keyword: `cut: coffee beans ${n}` })) },
  'queue-delivery': { drive: searchFew() },
  'delete-messages': { drive: searchFew() },
  'write-pace': { env: { GOOGLE_RATE: '3' }, drive: searchFew() },
  /** At this rate the last tasks wait longer than a consumer does, however slow the machine is. */
  'queue-later': { env: { GOOGLE_RATE: '0.5' }, drive: search() },
} satisfies Partial<Record<ReachableWork, Scenario>>;

/**
 * The order of a search at the upstream provider. One search each: the time of its recovery is that of the
 * sweeper.
 */
export const ordering = {
  'begin-order': { drive: (chain, point) => chain.post('crawl', task(0, chain, point)) },
  'move-to-awaiting_webhook': { drive: (chain, point) => chain.post('crawl', task(0, chain, point)) },
} satisfies Partial<Record<ReachableWork, Scenario>>;

/** From the final state to the receiver's answer. */
export const delivering = {
  'begin-attempt': { drive: searchFew() },
  'send-delivery': { drive: searchFew() },
  'record-delivered': { drive: searchFew() },
  'restart-delivery': {
    drive: async (chain, point) => {
      await searchFew()(chain, point);
      await chain.sendAgain();
    },
  },
  'queue-patiently': {
    drive: async (chain, point) => {
      for (let batch = 0; batch < 3; batch += 1) {
        await search(() => ({ postback_url: chain.hook('/hangs') }))(chain, `${point} ${batch}`);
      }
    },
  },
  'store-parked': { drive: refused },
  'queue-parked': { drive: refused },
  'record-parked': { drive: refused },
  'record-failure': { drive: secondTime },
  // The last row is killed first: its deliveries wait for the time in their rows while the other kills run.
  'start-retries': { drive: secondTime },
} satisfies Partial<Record<ReachableWork, Scenario>>;

/** Work that no search does. Other tests cover it. */
const tested = {
  'write-account': null,
  'erase-user': null,
  'write-project': null,
  'write-chunk': null,
  'write-import': null,
  'write-tracking': null,
  'write-search': null,
  'write-subscriber': null,
  'begin-work': null,
  'end-work': null,
  'write-check': null,
  'write-alert': null,
  'store-alert': null,
};

// Type check: every reachable kind of work has a scenario, or another test covers it.
({ ...accepting, ...crawling, ...ordering, ...delivering, ...tested }) satisfies Record<
  ReachableWork,
  Scenario | null
>;

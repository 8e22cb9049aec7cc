/** One row for each durable work: what brings an embedded stack past it, and so to its death at the two points around it. */
import type { DurableWork } from '../../lib/runtime/crash.ts';
import type { Chain } from './chain.ts';

/** Work that no test can bring about in a minute: the reason why. */
export const outOfReach = {
  'drop-expired': 'a task expires after a day',
  'put-off-task':
    'tested with the throttling of an engine, by the real store: it takes a queue of a quarter of an hour',
  'move-to-dead_letter': 'a message is received for the last time after 18 minutes',
  'move-to-awaiting': 'a command moves a task there, in a process of its own',
  'move-to-awaiting_webhook': 'no line moves a task there yet',
  'move-to-completed': 'no line moves a task there',
} satisfies Partial<Record<DurableWork, string>>;

export type ReachableWork = Exclude<DurableWork, keyof typeof outOfReach>;

export type Scenario = {
  /** Which pass of a process kills it: in creates the first are let by, so that something is accepted by then. */
  pass?: number;
  /** Settings of the process that is to die. */
  env?: Record<string, string>;
  /** A point at which a process dies first, because the work is part of the recovery from that. */
  afterDeathAt?: string;
  drive: (chain: Chain, point: string) => Promise<void>;
};

type Fields = Record<string, unknown>;

const task = (n: number, chain: Chain, point: string): Fields => ({
  keyword: `coffee beans ${point} ${n}`,
  location_name: 'United States',
  iso_code: 'US',
  post_id: point,
  postback_url: chain.hook('/takes'),
});

export const searches = 14;

/** Two searches one by one, and then a batch of twelve, which takes two requests to the crawl queue. */
const search =
  (fields: (n: number, chain: Chain) => Fields = () => ({})) =>
  async (chain: Chain, point: string): Promise<void> => {
    const all = Array.from({ length: searches }, (_, n) => ({
      ...task(n, chain, point),
      ...fields(n, chain),
    }));
    await chain.post('crawl', all[0]);
    await chain.post('crawl', all[1]);
    await chain.post('crawl/google/batch', all.slice(2));
  };

const deliveredTo = (path: (n: number, point: string) => string) => (chain: Chain, point: string) =>
  search((n) => ({ postback_url: chain.hook(path(n, point)) }))(chain, point);

/** One that nobody takes: others beside it, cut off between two attempts, would wait for up to eight minutes of real time. */
const refused = async (chain: Chain, point: string): Promise<void> =>
  chain.post('crawl', { ...task(0, chain, point), postback_url: chain.hook('/refuses') });

/** From the request to the message that stands for it. */
export const accepting = {
  'count-in-window': { pass: 3, env: { RATE_LIMIT: '100000' }, drive: search() },
  'reserve-numbers': { pass: 3, drive: search() },
  'write-rows': { pass: 3, drive: search() },
  'queue-tasks': { pass: 3, drive: search() },
  'put-off-sweep': { afterDeathAt: 'after-write-rows:3', drive: search() },
} satisfies Partial<Record<ReachableWork, Scenario>>;

/** From the message to the final state. */
export const crawling = {
  'move-to-crawling': { drive: search() },
  'store-page': { drive: search() },
  'store-links': { drive: search() },
  'move-to-parsing': { drive: search() },
  'store-snapshot': { drive: search() },
  'store-result': { drive: search(() => ({ depth: 100 })) },
  'move-to-success': { drive: search() },
  'move-to-error': { drive: search((n) => ({ keyword: `cut: coffee beans ${n}` })) },
  'queue-delivery': { drive: search() },
  'delete-messages': { drive: search() },
  'write-engine': { env: { GOOGLE_RATE: '3' }, drive: search() },
  'queue-later': { env: { GOOGLE_RATE: '3' }, drive: search() },
} satisfies Partial<Record<ReachableWork, Scenario>>;

/** From the final state to the receiver. */
export const delivering = {
  'begin-attempt': { drive: search() },
  'send-delivery': { drive: search() },
  'record-delivered': { drive: search() },
  'queue-patiently': {
    drive: async (chain, point) => {
      for (let batch = 0; batch < 3; batch += 1) {
        await deliveredTo(() => '/hangs')(chain, `${point} ${batch}`);
      }
    },
  },
  'store-parked': { drive: refused },
  'queue-parked': { drive: refused },
  'record-parked': { drive: refused },
  'record-failure': { drive: deliveredTo((n, point) => `/second-time/${point}/${n}`) },
  // Killed first: its deliveries wait for a time that stands on their rows, while the others are killed.
  'start-retries': { drive: deliveredTo((n, point) => `/second-time/${point}/${n}`) },
} satisfies Partial<Record<ReachableWork, Scenario>>;

// Every work that can be reached is reached: `write-account` by a test of its own, at the first start.
({ ...accepting, ...crawling, ...delivering, 'write-account': null }) satisfies Record<
  ReachableWork,
  Scenario | null
>;

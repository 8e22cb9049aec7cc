/** The load that `npm run capacity` computes: its options, their defaults and what they may be. */
import { defaultEngine } from '../../lib/model/engine.ts';
import { engineSetting } from '../../lib/model/settings.ts';

export const rateSetting = engineSetting(defaultEngine, 'RATE');

/** Options of `npm run capacity`: the default and a description. Shares are from 0 to 1. */
export const loadOptions = {
  searches: [10_000_000, 'searches a month'],
  browser: [0.1, 'share of the searches whose pages are opened in the browser'],
  webhook: [0.5, 'share of the searches with a webhook; the others are read'],
  deep: [0.1, 'share of the searches of depth 100; the others have depth 10'],
  batched: [0, 'share of the searches that are posted in batches'],
  waiting: [0, 'waits of a search for its engine, on the average'],
  reads: [0, 'further reads of a task, on the average'],
  opened: [0, 'stored pages that are opened for a search, on the average'],
  held: [0, 'share of the searches that a request waits for: live, or with wait'],
  failing: [0.01, 'share of the webhooks whose five attempts fail'],
  peak: [3, 'how much larger the load of the busiest second is than the average'],
  users: [100, 'users that share the load evenly'],
  'rate-limit': [2000, 'requests per minute that a user may make; 0 = no limit'],
  tracked: [100_000, 'tracked keywords, each crawled once a day; not part of the searches'],
  volumes: [
    100_000,
    'keywords whose volumes are looked up in a month, in live calls of 100; not part of the searches',
  ],
  concurrency: [1000, "CONCURRENCY of the stage: the account's quota, or a share of it"],
  rate: [1, `${rateSetting}: pages per second; 0 = no limit`],
} as const satisfies Record<string, readonly [number, string]>;

type LoadName = keyof typeof loadOptions;
export type Load = Record<LoadName, number>;

export const loadNames = Object.keys(loadOptions) as LoadName[];

export const defaultLoad = Object.fromEntries(
  Object.entries(loadOptions).map(([name, [value]]) => [name, value]),
) as Load;

const positive: LoadName[] = ['searches', 'peak', 'users', 'tracked', 'concurrency'];
const fractions: LoadName[] = ['browser', 'webhook', 'deep', 'batched', 'held', 'failing'];

/** @throws with a sentence if a value makes no sense. */
export const checkLoad = (load: Load): Load => {
  const zero = positive.find((name) => !(load[name] > 0));
  if (zero) throw new Error(`--${zero} must be a number above 0`);
  const large = fractions.find((name) => load[name] > 1);
  if (large) throw new Error(`--${large} must be a share from 0 to 1`);
  return load;
};

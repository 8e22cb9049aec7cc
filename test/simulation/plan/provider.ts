/** A provider that fetches pages for the service, in some of the worlds. */
import { randomOf } from '../world/random.ts';

/**
 * `order`: the fetchers of the engines that the provider has. `isGood`: it takes each search, has its pages
 * soon, and calls back once. `isStill`: the world has no faults, no wrong clock and no deployment.
 */
export type ProviderPlan = { order: readonly string[]; isGood: boolean; isStill: boolean };

/** In one world of eight: it gets all searches, or those whose pages are blocked. */
export const providerOf = (seed: number): ProviderPlan | undefined => {
  const random = randomOf(seed, 'provider');
  if (!random.chance(0.125)) return undefined;
  const order = random.pick([['upstream'], ['http', 'upstream']]);
  return { order, isGood: random.chance(0.4), isStill: random.chance(0.4) };
};

/** Seconds after which the provider is overdue: less than any task has. */
export const overdueSeconds = 600;

export const providerSettings = {
  UPSTREAM_ORIGIN: 'https://provider.example.com',
  UPSTREAM_DEADLINE: String(overdueSeconds),
  // The template of worlds is that of the embedded stack, whose planner does not know the service's address.
  PUBLIC_URL: 'https://service.example.com',
};

export const fetchersOf = ({ order }: ProviderPlan): object => ({
  google: { order },
  bing: { order },
  yahoo: { order },
});

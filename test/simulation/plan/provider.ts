/** A provider that fetches pages for the service, in some of the worlds. */
import { randomOf } from '../world/random.ts';
import { minute } from './action.ts';

/**
 * `order`: the fetchers of the engines that the provider has. `isGood`: it takes each search, has its pages
 * soon, and calls back once. `isStill`: the world has no faults, no wrong clock and no deployment. `leftMs`:
 * when the operator takes the provider out of the settings, in milliseconds from the start; 0 = never.
 */
export type ProviderPlan = { order: readonly string[]; isGood: boolean; isStill: boolean; leftMs: number };

/** Searches of the busy part have ended, and half of the tracked ones are not crawled yet. */
const leftAfterMs = 30 * minute;

/** In one world of eight: it gets all searches, or those whose pages are blocked. */
export const providerOf = (seed: number, activeMs: number): ProviderPlan | undefined => {
  const random = randomOf(seed, 'provider');
  if (!random.chance(0.125)) return undefined;
  const order = random.pick([['upstream'], ['http', 'upstream']]);
  const [isGood, isStill] = [random.chance(0.4), random.chance(0.4)];
  return { order, isGood, isStill, leftMs: random.chance(0.8) ? activeMs + leftAfterMs : 0 };
};

/** Seconds after which the provider is overdue: less than any task has. */
export const overdueSeconds = 600;

export const providerSettings = {
  UPSTREAM_ORIGIN: 'https://provider.example.com',
  UPSTREAM_DEADLINE: String(overdueSeconds),
  // The template of worlds is that of the embedded stack, whose planner does not know the service's address.
  PUBLIC_URL: 'https://service.example.com',
};

/** The settings of the fetchers, as they are now. `sinceStart`: milliseconds from the start. */
export const fetchersOf =
  ({ order, leftMs }: ProviderPlan, sinceStart: () => number) =>
  (): object => {
    const present = { order: leftMs > 0 && sinceStart() >= leftMs ? ['http'] : order };
    return { google: present, bing: present, yahoo: present };
  };

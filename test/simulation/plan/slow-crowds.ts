/** Webhooks of a user whose receiver is slow, at the end of a window of slots. */
import type { Behaviour } from '../models/receivers.ts';
import { randomOf } from '../world/random.ts';
import { type Action, minute, phrases } from './action.ts';

/** Slots of webhooks are counted in windows of five minutes. */
export const slotWindowMs = 5 * minute;

/** After the last fault, and when all processes are those of today's release. */
const quietMs = 6 * minute;

/**
 * Two crowds: the first takes the slots of a window shortly before its end, and the webhooks of the second
 * come in the next window, while those of the first are under way. All searches are one of two, so the pages
 * of the first ones answer the later ones.
 */
const crowds = [
  { beforeMs: 9000, searches: 8 },
  { beforeMs: 0, searches: 8 },
];

/** In half of the worlds with a slow receiver. */
export const slowCrowdsOf = (seed: number, receivers: readonly Behaviour[], activeMs: number): Action[] => {
  const user = receivers.indexOf('slow');
  if (user < 0 || randomOf(seed, 'slow crowds').chance(0.5)) return [];
  const end = Math.ceil((activeMs + quietMs) / slotWindowMs) * slotWindowMs;
  return crowds.flatMap(({ beforeMs, searches }) =>
    Array.from({ length: searches }, (_, n) => ({
      at: end - beforeMs + 40 * n,
      user,
      kind: 'search' as const,
      search: { engine: 'bing', keyword: phrases[n % 2] ?? '', depth: 10, hooked: true },
      isKeyed: false,
    })),
  );
};

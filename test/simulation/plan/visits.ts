/** Further users who come after the busy part: with tokens, at the console, and with links. */
import { randomOf } from '../world/random.ts';
import { type Action, minute } from './action.ts';
import { secondAlertMs } from './ending.ts';

/** From the end of the busy part. */
const beginMs = 2 * minute;

/** A token works for an hour, and a session for half a day. Clocks differ by five minutes each. */
const tokenMs = 80 * minute;

/** Calls a second to each source: by default, those of the sandbox have no rate. */
export const sourceRates = { suggestions: 2, trends: 1 };

export const visitSettings = {
  SUGGEST_RATE: String(sourceRates.suggestions),
  TRENDS_RATE: String(sourceRates.trends),
};

/** In a quarter of the worlds, and in all that last for days. `lasts`: what the world is long enough for. */
export const visitsOf = (seed: number, activeMs: number, settleMs: number): Action[] => {
  const isLong = settleMs >= secondAlertMs;
  if (!isLong && !randomOf(seed, 'visits').chance(0.25)) return [];
  const lasts = isLong ? 'a session' : settleMs >= tokenMs ? 'a token' : 'minutes';
  return [{ at: activeMs + beginMs, user: 0, kind: 'visit', lasts }];
};

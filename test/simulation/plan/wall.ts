/** Searches that their engine refuses one after another, until it is left alone, in some of the worlds. */
import { randomOf } from '../world/random.ts';
import { type Action, minute, phrases } from './action.ts';

/** Searches that meet a captcha. After 20 in a row, the engine is at rest; the others wait, and probe it. */
const walled = 35;

/** Searches after them, which the engine throttles: each comes back several times. */
const throttled = 6;

/** Seconds after the first of them, at which a user waits for a search at this engine: some are in rests. */
const restedSeconds = [90, 150, 240, 360, 500];

/** The user repeats a search then, whose pages are stored since the minute before the others. */
const storedSeconds = [50, 100];
const storedBeforeMs = minute;

/** An engine with a rate that refuses all searches of a user for some minutes. */
export const wallOf = (seed: number) => {
  const random = randomOf(seed, 'wall');
  if (!random.chance(0.1)) return undefined;
  const at = 2 * minute + random.int(3 * minute);
  const actions: Action[] = Array.from({ length: walled + throttled }, (_, n) => ({
    at: at + 500 * n,
    user: 0,
    kind: 'search',
    search: {
      engine: 'google',
      keyword: `${n < walled ? 'captcha' : 'http_429'}: ${phrases[n % phrases.length]}`,
      depth: 10,
      hooked: false,
    },
    isKeyed: false,
  }));
  const liveAt = (seconds: number, name: string | number): Action => {
    const search = { engine: 'google', keyword: `${phrases[0]} at rest ${name}`, depth: 10, hooked: false };
    return { at: at + seconds * 1000, user: 1, kind: 'live', search, isAtRest: true };
  };
  actions.push(
    ...restedSeconds.map((seconds) => liveAt(seconds, seconds)),
    { ...liveAt(0, 'again'), at: at - storedBeforeMs },
    ...storedSeconds.map((seconds) => ({ ...liveAt(seconds, 'again'), isStored: true as const })),
  );
  return {
    rated: { engine: 'google', rate: 2 },
    isStill: random.chance(0.3),
    settings: { GOOGLE_RATE: '2' },
    actions,
  };
};

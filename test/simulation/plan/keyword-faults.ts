/** Keywords that end their tasks, in some of the worlds. */
import { randomOf } from '../world/random.ts';
import { type Action, minute, phrases } from './action.ts';
import { markets } from './markets.ts';

/**
 * Two users ask for volumes at about the same time, so that one call is for the keywords of both. Google Ads
 * refuses a keyword of one of them: by its place in the call, or the whole call.
 */
const refusedOf = (seed: number, users: number, lastAt: number): Action[] => {
  const random = randomOf(seed, 'refused keywords');
  if (random.chance(0.75)) return [];
  const at = minute + random.int(lastAt - minute);
  const market = random.pick(markets);
  const word = random.pick(['refused', 'forbidden']);
  const volumes = { kind: 'volumes' as const, market, hooked: true };
  const ordinary = (n: number) => `${phrases[n]} beside a refused one`;
  return [
    { ...volumes, at, user: 0, keywords: [`${word}: ${phrases[0]}`, ordinary(1)] },
    { ...volumes, at: at + random.int(500), user: users - 1, keywords: [ordinary(2), ordinary(3)] },
  ];
};

/** After the last fault, so that nothing but the answer of the source ends the work. */
const quietMs = 3 * minute;

/** An answer of Google Ads ends the work on a call each time, until the message of its tasks is dead. */
const brokenOf = (seed: number, users: number, activeMs: number): Action[] => {
  const random = randomOf(seed, 'broken answers');
  if (random.chance(0.8)) return [];
  const keywords = [`broken: ${phrases[0]}`];
  const market = random.pick(markets);
  return [
    { at: activeMs + quietMs, user: random.int(users), kind: 'volumes', keywords, hooked: true, market },
  ];
};

/** `lastAt`: the end of the part of the world with requests. */
export const keywordFaultsOf = (seed: number, users: number, activeMs: number, lastAt: number): Action[] => [
  ...refusedOf(seed, users, lastAt),
  ...brokenOf(seed, users, activeMs),
];

/** Searches whose second page fails, and those that end before their last page. */
import { randomOf } from '../world/random.ts';
import { type Action, minute, phrases } from './action.ts';

const misfortunes = ['captcha', 'soft_block', 'http_500', 'cut'];

/** In some worlds, a search for a domain that is in no result. */
const missingOf = (seed: number, users: number, lastAt: number): Action[] => {
  const random = randomOf(seed, 'missing');
  if (random.chance(0.8)) return [];
  const keyword = `${random.pick(misfortunes)}@2: ${phrases[0]}`;
  const search = { engine: 'google', keyword, depth: 20, domain: 'nobody.example', hooked: true };
  const at = minute + random.int(lastAt - minute);
  return [{ at, user: random.int(users), kind: 'search', search, isKeyed: false }];
};

/** In some worlds, a search that another user repeats: no partial result answers it (Reading 6). */
const repeatedOf = (seed: number, users: number, lastAt: number): Action[] => {
  const random = randomOf(seed, 'repeated partial results');
  if (random.chance(0.85)) return [];
  const keyword = `${random.pick(misfortunes)}@2: ${phrases[1]}`;
  const search = { engine: 'google', keyword, depth: 20, hooked: true };
  const at = minute + random.int(lastAt - 4 * minute);
  return [at, at + 3 * minute].map((each, user) => ({
    at: each,
    user: user % users,
    kind: 'search' as const,
    search,
    isKeyed: false,
  }));
};

/**
 * In some worlds, a search that ends at the page on which its domain is found, and that another user repeats
 * without the domain: that user's search needs the other pages, too, so it is not answered from the first one
 * (Reading 43).
 */
const stoppedOf = (seed: number, users: number, lastAt: number): Action[] => {
  const random = randomOf(seed, 'stopped searches');
  if (random.chance(0.8)) return [];
  const search = { engine: 'google', keyword: phrases[2] ?? '', depth: 40 };
  const stopped = { ...search, domain: 'acme.example', stops: true as const, hooked: false };
  const at = minute + random.int(lastAt - 4 * minute);
  return [
    { at, user: 0, kind: 'search', search: stopped, isKeyed: false },
    {
      at: at + 3 * minute,
      user: 1 % users,
      kind: 'search',
      search: { ...search, hooked: true },
      isKeyed: false,
    },
  ];
};

export const failedPagesOf = (seed: number, users: number, lastAt: number): Action[] => [
  ...missingOf(seed, users, lastAt),
  ...repeatedOf(seed, users, lastAt),
  ...stoppedOf(seed, users, lastAt),
];

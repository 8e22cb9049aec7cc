/**
 * Searches whose second page fails, those that end before their last page, and those whose results hide their
 * addresses.
 */
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
 * (Reading 43). In half of them, the domain is on no page: all pages are fetched, one after another.
 */
const stoppedOf = (seed: number, users: number, lastAt: number): Action[] => {
  const random = randomOf(seed, 'stopped searches');
  if (random.chance(0.8)) return [];
  const search = { engine: 'google', keyword: phrases[2] ?? '', depth: 40 };
  const isMissing = random.chance(0.5);
  const domain = isMissing ? 'nobody.example' : 'acme.example';
  const stopped = { ...search, domain, stops: true as const, hooked: isMissing };
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

/** A part of a site that is in the results. It may be behind one whose address is hidden but for its host. */
const partOfSite = 'acme.example/nowhere';
const hidden = `opaque_links: ${phrases[3]}`;

/** In some worlds, a search for a part of a site in results that hide their addresses (Reading 6). */
const hiddenOf = (seed: number, users: number, lastAt: number): Action[] => {
  const random = randomOf(seed, 'hidden addresses');
  if (random.chance(0.85)) return [];
  const search = { engine: 'google', keyword: hidden, depth: 10, domain: partOfSite, hooked: true };
  const at = minute + random.int(lastAt - minute);
  return [{ at, user: random.int(users), kind: 'search', search, isKeyed: false }];
};

/** In some worlds with tracked keywords, a project of such a part with such a keyword. */
export const withHidden = (seed: number, actions: readonly Action[]): Action[] => {
  const list = actions.find((action) => action.kind === 'track');
  if (!list || randomOf(seed, 'hidden positions').chance(0.85)) return [...actions];
  return [
    ...actions,
    { ...list, at: list.at + 1000, keywords: [hidden], domain: partOfSite, hasAlerts: false },
  ];
};

export const failedPagesOf = (seed: number, users: number, lastAt: number): Action[] => [
  ...missingOf(seed, users, lastAt),
  ...repeatedOf(seed, users, lastAt),
  ...stoppedOf(seed, users, lastAt),
  ...hiddenOf(seed, users, lastAt),
];

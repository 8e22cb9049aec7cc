/** Users who wait for an engine with a rate, in some of the worlds. */
import { randomOf } from '../world/random.ts';
import { type Action, minute, phrases, type Search } from './action.ts';

/** Seconds from the start until users whose only tasks these are send their first ones. */
const firstSingleSeconds = 35;

/** Pages of each of the searches that wait for the engine together. */
const pagesOfLine = 3;

/** Searches of one user that wait for the engine together. */
const searchesOfLine = 40;

/** So long after they were sent, the searches of a line wait for the engine. */
const standingMs = 2000;

/** Users who have a single task. */
const lonely = 2;

/** Users who have no task but these: the lonely ones, and one who sends one search after another. */
export const singleUsers = lonely + 1;

/** Searches of a user who sends one after another, and the time between two of them. */
const hasty = { searches: 12, everyMs: 1500 };

/**
 * A line at an engine with a rate, in some of the worlds: a user sends many searches at once, and others send
 * one while those wait. Before, these others have sent one while nothing waited. Later, another one sends
 * searches without waiting for their ends. `isStill`: the world has no
 * faults, no wrong clock and no deployment, so that waits can be compared.
 */
export const lineOf = (seed: number, users: number) => {
  const random = randomOf(seed, 'line');
  if (!random.chance(0.15)) return undefined;
  const drawn = random.pick([0.5, 1, 2]);
  const at = 2 * minute + random.int(3 * minute);
  const parts = Array.from({ length: lonely }, () => random.next());
  const isStill = random.chance(0.5);
  // Faults let runs begin late. Only at a low rate, the line is longer than what the rule then allows.
  const rate = isStill ? drawn : 0.5;
  // The first page of such a search has an AI overview, whose text takes one more request.
  const words = randomOf(seed, 'overviews').chance(0.5) ? 'summarize ' : '';
  const searchAt = (n: number, depth: number): Search => ({
    engine: 'google',
    keyword: `${depth > 10 ? words : ''}${phrases[n % phrases.length]} in line ${n}`,
    depth,
    hooked: false,
  });
  const actions: Action[] = Array.from({ length: searchesOfLine }, (_, n) => ({
    at: at + n,
    user: 0,
    kind: 'search',
    search: searchAt(n, 10 * pagesOfLine),
    isKeyed: false,
  }));
  const lineMs = (searchesOfLine * pagesOfLine * 1000) / rate;
  // The lonely ones have sent theirs.
  const hastyAt = at + Math.floor(0.6 * lineMs);
  for (let n = 0; n < hasty.searches; n++) {
    const search = searchAt(searchesOfLine + 2 * lonely + n, 10);
    actions.push({
      at: hastyAt + n * hasty.everyMs,
      user: users + lonely,
      kind: 'search',
      search,
      isKeyed: false,
    });
  }
  for (let n = 0; n < lonely; n++) {
    const user = users + n;
    const first = { at: (firstSingleSeconds + 10 * n) * 1000, search: searchAt(searchesOfLine + 2 * n, 10) };
    const beside = {
      at: at + standingMs + Math.floor(((parts[n] ?? 0) * lineMs) / 2),
      search: searchAt(searchesOfLine + 2 * n + 1, 10),
    };
    actions.push({ ...first, user, kind: 'single', isBeside: false });
    actions.push({ ...beside, user, kind: 'single', isBeside: true });
  }
  return {
    rated: { engine: 'google', rate },
    isStill,
    settings: { GOOGLE_RATE: String(rate) },
    actions,
  };
};

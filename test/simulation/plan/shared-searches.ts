/** Searches that two projects track, in some of the worlds. */
import { randomOf } from '../world/random.ts';
import { type Action, hour, minute } from './action.ts';

/** After these, it is not known who pays next. */
const unsteady: readonly Action['kind'][] = ['disable', 'erase', 'untrack', 'untrack one', 'pause'];

/** A crawl that its engine throttles runs until the deadline of its task. */
const slow = 'http_429';

/**
 * In some of these worlds, one of those who share a list is erased: while the first crawls run, or after
 * them. The others keep their searches.
 */
const erasedOf = (
  seed: number,
  sharers: readonly Pick<Action, 'at' | 'user'>[],
  activeMs: number,
): Action[] => {
  const random = randomOf(seed, 'erased sharers');
  if (sharers.length === 0 || !random.chance(0.3)) return [];
  const { at, user } = random.pick(sharers);
  const erasedAt = random.chance(0.5) ? at + minute + random.int(10 * minute) : activeMs + 55 * minute;
  return [{ at: erasedAt, user, kind: 'erase' }];
};

/** From the end of the busy part until all of its keywords have been crawled. */
const crawledMs = 3 * hour;

/**
 * In some long worlds, another user tracks one of the lists each week, and asks for its crawl. None of its
 * keywords throttles the source of volumes, which is asked about all of them together.
 */
const weeklyOf = (seed: number, actions: readonly Action[], users: number, activeMs: number): Action[] => {
  const random = randomOf(seed, 'weekly sharers');
  const isSlow = ({ keywords }: { keywords: string[] }) => keywords.some((each) => each.startsWith(slow));
  const lists = actions.filter((action) => action.kind === 'track');
  const others = lists.filter((list) => !isSlow(list));
  if (others.length === 0 || random.chance(0.4)) return [];
  const list = random.pick(others);
  const user = (list.user + 1 + random.int(Math.max(1, users - 1))) % users;
  const own = actions.filter((action) => action.kind === 'track' || action.kind === 'import');
  if (own.some((action) => action.user === user && isSlow(action))) return [];
  return [{ ...list, at: activeMs + crawledMs, user, hasAlerts: false, isWeekly: true }];
};

/**
 * Adds, for some lists of keywords, the same list in a project of another user, some minutes later. Half of
 * these lists get a keyword whose crawl takes long, and that is crawled at once: the other project asks for
 * it while the crawl runs. `isLong`: the world lasts until the searches are crawled again, so that payers
 * take turns.
 */
export const sharedOf = (
  seed: number,
  actions: readonly Action[],
  users: number,
  activeMs: number,
  isLong: boolean,
): Action[] => {
  const random = randomOf(seed, 'shared searches');
  if (random.chance(0.6) && !isLong) return [...actions];
  const later: Action[] = [];
  const sharers: Pick<Action, 'at' | 'user'>[] = [];
  const isSteady = isLong && random.chance(0.6);
  const kept = isSteady ? actions.filter(({ kind }) => !unsteady.includes(kind)) : actions;
  const shown = kept.map((action): Action => {
    if (action.kind !== 'track' || (random.chance(0.4) && !isSteady)) return action;
    const isSlow = random.chance(0.5);
    const keywords = isSlow
      ? [`${slow}: harbor weather shared ${1 + random.int(40)}`, ...action.keywords.slice(1)]
      : action.keywords;
    const begun = action.at + 2 * minute + random.int(2 * minute);
    if (isSlow) later.push({ at: action.at + 45_000, user: action.user, kind: 'crawl now', isWhole: true });
    const user = (action.user + 1 + random.int(Math.max(1, users - 1))) % users;
    sharers.push({ at: begun, user: action.user }, { at: begun, user });
    later.push({ ...action, at: Math.min(begun, activeMs - minute / 2), user, keywords, hasAlerts: false });
    return { ...action, keywords };
  });
  const all = [...shown, ...later, ...(isSteady ? [] : erasedOf(seed, sharers, activeMs))];
  return isLong ? [...all, ...weeklyOf(seed, shown, users, activeMs)] : all;
};

/** The keywords that are in several lists: each project that gets one causes a crawl of it. */
export const sharedKeywords = (actions: readonly Action[]): ReadonlySet<string> => {
  const all = actions.flatMap((action) => (action.kind === 'track' ? action.keywords : []));
  return new Set(all.filter((keyword, n) => all.indexOf(keyword) !== n));
};

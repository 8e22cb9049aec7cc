/** How long a world goes on after the last fault, and what happens then. */
import type { Behaviour } from '../models/receivers.ts';
import { randomOf } from '../world/random.ts';
import { type Action, hour, minute } from './action.ts';

/** The last attempt at a webhook is made 15 minutes after the first one. */
export const parkedMs = 25 * minute;

/** A new keyword is crawled within an hour. */
const crawledMs = 55 * minute;

/**
 * In some worlds, after the last fault: a user is erased whose webhooks are parked, and a project is deleted
 * whose keywords have a history.
 */
export const lateActionsOf = (
  seed: number,
  receivers: readonly Behaviour[],
  actions: readonly Action[],
  activeMs: number,
): Action[] => {
  const random = randomOf(seed, 'late');
  const late: Action[] = [];
  const badUser = receivers.findIndex((behaviour) => behaviour !== 'good');
  if (random.chance(0.1) && badUser >= 0)
    late.push({ at: activeMs + parkedMs + 5 * minute, user: badUser, kind: 'erase' });
  const makers = actions.filter(({ kind }) => kind === 'track');
  if (random.chance(0.15) && makers.length > 0)
    late.push({ at: activeMs + crawledMs, user: random.pick(makers).user, kind: 'untrack' });
  const disabling = randomOf(seed, 'disabled trackers');
  if (disabling.chance(0.2) && makers.length > 0) {
    const { at, user } = disabling.pick(makers);
    late.push({ at: at + disabling.int(10 * minute), user, kind: 'disable' });
  }
  return late;
};

/**
 * In some worlds, when the last attempts at webhooks are over, all receivers are mended, and parked webhooks
 * are sent again. Returns when; 0 in the other worlds.
 */
export const goodFromOf = (seed: number, receivers: readonly Behaviour[], activeMs: number): number =>
  receivers.some((behaviour) => behaviour !== 'good') && randomOf(seed, 'mended receivers').chance(0.3)
    ? activeMs + parkedMs
    : 0;

export const resendsOf = (users: number, goodFrom: number): Action[] =>
  Array.from({ length: users }, (_, user) => ({
    at: goodFrom + minute + 1000 * user,
    user,
    kind: 'resend parked' as const,
  }));

/** A tracked keyword is crawled first within the hour. */
const firstCrawlMs = 80 * minute;

const idleMs = 45 * minute;

/**
 * Two positions of a keyword that alerts compare: it is crawled at most 41 hours after its first crawl, and a
 * project is checked within a day after each.
 */
export const secondAlertMs = 70 * hour;

/** Hours from the start. */
const nights = [20, 44];

/**
 * In half of the worlds with alerts, EventBridge leaves out their calls from 20:00 to 01:00 on the first two
 * days, so that alerts of one day are sent on the next one. Returns whether it does, so many milliseconds
 * from the start.
 */
export const nightsOf = (seed: number, settleMs: number): ((sinceStart: number) => boolean) | undefined =>
  settleMs === secondAlertMs && randomOf(seed, 'nights').chance(0.5)
    ? (at) => nights.some((night) => at >= night * hour && at < (night + 5) * hour)
    : undefined;

/** The projects of worlds with alerts track a domain that moves from day to day. */
export const moving = (actions: readonly Action[]): Action[] =>
  actions.map((action) => (action.kind === 'track' ? { ...action, domain: 'drifter.example' } : action));

/** A task lives for a day, and its rows are deleted up to two days later. */
const expiredMs = 76 * hour;

/** Google and YouTube reuse pages for seven days (Reading 14), and the bucket then deletes them. */
const reusedMs = 7 * 24 * hour;

/** Users who track monthly accept pages of a month. Those of others are deleted after a week. */
const monthlyHours = 720;
const deletedMs = 9 * 24 * hour;

/**
 * In the longest worlds, users repeat some of their searches shortly before the end of this time, and once
 * more when the pages are deleted that would answer them.
 */
const repeatsOf = (seed: number, actions: readonly Action[], settleMs: number): Action[] => {
  if (settleMs <= reusedMs) return [];
  const random = randomOf(seed, 'repeats');
  const repeated = actions
    .filter((action) => action.kind === 'search')
    .slice(0, 6)
    .map((action) => ({
      ...action,
      at: action.at + reusedMs - Math.floor((0.2 + 3 * random.next()) * hour),
    }));
  const monthly = repeated.map((action) => ({
    ...action,
    at: action.at - reusedMs + deletedMs + 2 * hour,
    search: { ...action.search, frequency: monthlyHours },
    isKeyed: false,
  }));
  return [...repeated, ...monthly];
};

/**
 * In worlds of some days, users read what they have made: while it is promised, and after that. In the
 * longest ones, they repeat searches before that.
 */
export const lateReadsOf = (
  seed: number,
  users: number,
  actions: readonly Action[],
  activeMs: number,
  settleMs: number,
): Action[] => {
  if (settleMs < secondAlertMs) return [];
  const repeats = repeatsOf(seed, actions, settleMs);
  const random = randomOf(seed, 'late reads');
  const hours = [22 + random.next(), 23.5 + random.next(), 25 + 20 * random.next()];
  const start = Math.min(activeMs, hour) + (repeats.length > 0 ? reusedMs - hour : 0);
  const reads = hours.flatMap((at) =>
    Array.from({ length: users }, (_, user) => ({
      at: Math.floor(start + at * hour) + user * 1000,
      user,
      kind: 'read late' as const,
    })),
  );
  return [...repeats, ...reads];
};

/** In three of ten worlds with alerts, a user who has had some is erased an hour before the end. */
export const lateErasuresOf = (
  seed: number,
  actions: readonly Action[],
  activeMs: number,
  settleMs: number,
): Action[] => {
  const random = randomOf(seed, 'late erasures');
  const users = actions.flatMap((action) =>
    action.kind === 'track' && action.hasAlerts ? [action.user] : [],
  );
  if (settleMs !== secondAlertMs || users.length === 0 || !random.chance(0.3)) return [];
  return [{ at: activeMs + settleMs - hour, user: random.pick(users), kind: 'erase' }];
};

/** What a fault has delayed ends within this time. A scheduled call may be three hours late. */
const lastHoursMs = 6 * hour;

/**
 * Until when faults strike: in most of the worlds of some days, also on the later days; in those with
 * searches that end their processes, until an operator has started the tasks again.
 */
export const faultsMsOf = (seed: number, activeMs: number, settleMs: number): number =>
  [deadly.settleMs, deadly.trackedSettleMs].includes(settleMs)
    ? activeMs + deadly.redrivenMs + minute
    : settleMs >= secondAlertMs && randomOf(seed, 'faults of later days').chance(0.6)
      ? activeMs + settleMs - lastHoursMs
      : activeMs;

/**
 * How long a world goes on after the last fault. Some go on until there are alerts, some until what they have
 * made is deleted.
 */
export const settleMsOf = (seed: number, actions: readonly Action[], activeMs: number): number => {
  const makers = actions.filter((action) => action.kind === 'track');
  const hasAlerts = makers.some((action) => action.hasAlerts);
  if (hasAlerts && randomOf(seed, 'alerts').chance(0.1)) return secondAlertMs;
  const resumed = actions.map((action) => (action.kind === 'pause' ? action.at + action.resumedMs : 0));
  if (makers.length > 0) return firstCrawlMs + Math.max(0, Math.max(...resumed) - activeMs);
  const random = randomOf(seed, 'expiry');
  if (!random.chance(0.12)) return idleMs;
  return random.chance(0.3) ? reusedMs + expiredMs : expiredMs;
};

/**
 * In some worlds, searches end the processes that fetch their pages, until the service is mended. Their
 * messages are received five times in half an hour, and an operator starts the tasks again after that.
 */
export const isDeadlyOf = (seed: number, days: number): boolean =>
  days === 0 && randomOf(seed, 'deadly').chance(0.06);

export const deadly = {
  /** Seconds. */
  deadline: '7200',
  /** From the end of the busy part. */
  mendedMs: 50 * minute,
  redrivenMs: 55 * minute,
  /** A search that its engine throttles ends after two hours, and its webhook a quarter later. */
  settleMs: 145 * minute,
  /** The same, of a search that is first crawled an hour after its keyword was added. */
  trackedSettleMs: 225 * minute,
};

/** From the end of the busy part of such a world until everything must be idle. */
export const deadlySettleMsOf = (actions: readonly Action[]): number => {
  const tracked = actions.flatMap((action) =>
    action.kind === 'track' || action.kind === 'import' ? action.keywords : [],
  );
  return tracked.some((keyword) => keyword.startsWith('http_429')) ? deadly.trackedSettleMs : deadly.settleMs;
};

/** What happens in a world from outside, by seed: who asks for what and when, and which faults strike. */
import { type Behaviour, behaviours } from '../models/receivers.ts';
import type { Rates } from '../world/faults.ts';
import { type Random, randomOf } from '../world/random.ts';
import { type Action, hour, minute, phrases, type Search } from './action.ts';
import { changesOf, sourceBackAtOf } from './changes.ts';
import {
  deadly,
  deadlySettleMsOf,
  faultsMsOf,
  goodFromOf,
  isDeadlyOf,
  lateActionsOf,
  lateErasuresOf,
  lateReadsOf,
  moving,
  resendsOf,
  secondAlertMs,
  settleMsOf,
} from './ending.ts';
import { failedPagesOf, withHidden } from './failed-pages.ts';
import { keywordFaultsOf } from './keyword-faults.ts';
import { lineOf, singleUsers } from './line.ts';
import { liveVolumesOf, slowLivesOf } from './live-calls.ts';
import { home, markets } from './markets.ts';
import { longPausesOf, pauseOf } from './pauses.ts';
import { type ProviderPlan, providerOf, providerSettings } from './provider.ts';
import { isOnlyRefusing, ratesOf, withStalls } from './rates.ts';
import { sharedOf } from './shared-searches.ts';
import { slowCrowdsOf } from './slow-crowds.ts';
import { visitSettings, visitsOf } from './visits.ts';
import { wallOf } from './wall.ts';

/** The rate of an engine, in pages per second. */
export type Rated = { engine: string; rate: number };

export type Plan = {
  seed: number;
  /** Whether the tables have as many partitions as on AWS. Most worlds have fewer, which is faster. */
  isWide: boolean;
  /** Absent: no engine has a rate. */
  rated?: Rated;
  /** Absent: the service fetches all pages itself. */
  provider?: ProviderPlan;
  /** The behaviour of the receiver of each user. */
  receivers: Behaviour[];
  /** Milliseconds until all receivers are good; 0 if they stay as they are. */
  goodFrom: number;
  rates: Rates;
  settings: Record<string, string>;
  skewSeconds: number;
  /** Milliseconds of the part of the world in which actions happen. */
  activeMs: number;
  /** Milliseconds from the start until which faults strike. */
  faultsMs: number;
  /** Milliseconds from the start until no search ends its process any more; 0 if none does. */
  mendedAt: number;
  /** Milliseconds until which Google Ads takes no calls; 0: it always does. */
  sourceBackAt: number;
  /** Milliseconds from the end of that part until everything must be idle. */
  settleMs: number;
  /** Milliseconds until new processes run the next release; 0 if none is deployed. */
  deployAt: number;
  /** Milliseconds until new processes run today's release again; 0 if they never do. */
  rollbackAt: number;
  actions: Action[];
};

const misfortunes = 'captcha soft_block decoy canned drift http_500 cut empty slow http_429'.split(' ');

const keywordOf = (random: Random): string => {
  if (!random.chance(0.25)) return random.pick(phrases);
  const page = random.chance(0.3) ? `@${1 + random.int(2)}` : '';
  return `${random.pick(misfortunes)}${page}: ${phrases[0]}`;
};

const searchOf = (random: Random): Search => ({
  engine: random.pick(['google', 'google', 'bing', 'yahoo', 'youtube']),
  keyword: keywordOf(random),
  depth: random.pick([10, 10, 20, 30]),
  ...(random.chance(0.3) && { domain: random.pick(['acme.example', 'nobody.example', 'latecomer.example']) }),
  hooked: random.chance(0.7),
  market: random.pick([home, ...markets]),
});

const actionOf = (random: Random, at: number, user: number): Action => {
  const kinds = [
    ['search', 60],
    ['live', 5],
    ['batch', 8],
    ['volumes', 8],
    ['track', 10],
    ['untrack', 2],
    ['pause', 3],
    ['resend', 5],
    ['redrive', 5],
    ['rotate key', 3],
    ['disable', 1],
    ['erase', 1],
  ] as const;
  const kind = random.pick(kinds.flatMap(([name, weight]) => Array.from({ length: weight }, () => name)));
  const isKeyed = random.chance(0.5);
  switch (kind) {
    case 'search':
      return { at, user, kind, search: searchOf(random), isKeyed };
    case 'live':
      return { at, user, kind, search: searchOf(random) };
    case 'batch':
      return {
        at,
        user,
        kind,
        searches: Array.from({ length: 2 + random.int(4) }, () => searchOf(random)),
        isKeyed,
      };
    case 'volumes':
      return {
        at,
        user,
        kind,
        keywords: [keywordOf(random), keywordOf(random)],
        hooked: random.chance(0.6),
        market: random.pick(markets),
      };
    case 'track':
      return {
        at,
        user,
        kind,
        keywords: Array.from({ length: 1 + random.int(4) }, () => keywordOf(random)),
        domain: random.pick(domains),
        hasAlerts: random.chance(0.6),
      };
    case 'pause':
      return { at, user, kind, ...pauseOf(at) };
    default:
      return { at, user, kind };
  }
};

const domains = ['acme.example', 'nobody.example', 'latecomer.example'];

/** What users do with the projects that they have: some of it soon after a project was made. */
const projectActionOf = (random: Random, at: number, user: number): Action => {
  const kind = random.pick(['import', 'import', 'crawl now', 'crawl now', 'tag', 'note'] as const);
  switch (kind) {
    case 'import':
      return {
        at,
        user,
        kind,
        keywords: Array.from({ length: 2 + random.int(3) }, () => keywordOf(random)),
        domain: random.pick(domains),
        isKeyed: random.chance(0.5),
        isShared: random.chance(0.5),
      };
    case 'crawl now':
      return { at, user, kind, isWhole: random.chance(0.4) };
    default:
      return { at, user, kind };
  }
};

/** The actions on projects of half of the worlds in which users make some. */
const projectActionsOf = (seed: number, actions: readonly Action[], lastAt: number): Action[] => {
  const random = randomOf(seed, 'projects');
  const makers = actions.filter(({ kind }) => kind === 'track');
  if (makers.length === 0 || random.chance(0.5)) return [];
  return Array.from({ length: 3 + random.int(4) }, () => {
    const { at, user } = random.pick(makers);
    return projectActionOf(random, Math.min(lastAt, at + random.int(15 * minute)), user);
  });
};

/** Tasks of keyword data in the form of DataForSEO, in half of the worlds. */
const keywordDataOf = (seed: number, users: number, lastAt: number): Action[] => {
  const random = randomOf(seed, 'keyword data');
  if (random.chance(0.5)) return [];
  return Array.from({ length: 1 + random.int(4) }, () => ({
    at: minute + random.int(lastAt - minute),
    user: random.int(users),
    kind: 'keyword data' as const,
    keywords: [keywordOf(random), keywordOf(random)],
    name: random.pick(['search_volume', 'keywords_for_keywords'] as const),
    webhook: random.pick(['postback_url', 'pingback_url', 'none'] as const),
    language: random.pick(['', 'en', 'de']),
  }));
};

/**
 * Makes each tracked keyword another search, so its crawls are those that the keyword is due for. The numbers
 * are small and each has its phrase, so that other worlds have the same keywords.
 */
const withNumbers = (actions: readonly Action[]): Action[] => {
  let number = 0;
  const numbered = (keyword: string): string => {
    number += 1;
    const phrase = phrases.includes(keyword) ? phrases[number % phrases.length] : keyword;
    return `${phrase} ${number}`;
  };
  return actions.map((action) => {
    if (action.kind !== 'track' && action.kind !== 'import') return action;
    return { ...action, keywords: action.keywords.map(numbered) };
  });
};

/** Whether no fault strikes, no clock is wrong and nothing is deployed. */
export const isStill = ({ rates, skewSeconds, deployAt }: Plan): boolean =>
  Object.keys(rates).length === 0 && skewSeconds === 0 && deployAt === 0;

/** The plan of a seed: requests in a busy part of an hour, or on the first of so many days. */
export const planOf = (seed: number, days = 0): Plan => {
  const random = randomOf(seed, 'plan');
  const users = 2 + random.int(3);
  const activeMs = days > 0 ? days * 24 * hour : random.pick([10, 15, 15, 30]) * minute;
  const actions = Array.from({ length: 8 + random.int(25) }, () =>
    actionOf(random, minute + random.int(Math.min(activeMs, 24 * hour) - 2 * minute), random.int(users)),
  );
  // A crowd: all at once, so that the shares of the others show.
  if (random.chance(0.3)) {
    const at = minute + random.int(8 * minute);
    for (let n = 0; n < 25; n++)
      actions.push({ at, user: 0, kind: 'search', search: searchOf(random), isKeyed: false });
  }
  const deployAt = random.chance(0.3) ? random.int(activeMs) : 0;
  actions.push(...projectActionsOf(seed, actions, activeMs - minute));
  actions.push(...longPausesOf(seed, actions, activeMs - minute));
  actions.push(...slowLivesOf(seed, users, Math.min(activeMs, 24 * hour) - minute));
  actions.push(...keywordDataOf(seed, users, Math.min(activeMs, 24 * hour) - minute));
  actions.push(...liveVolumesOf(seed, users, Math.min(activeMs, 24 * hour) - minute));
  actions.push(...failedPagesOf(seed, users, Math.min(activeMs, 24 * hour) - minute));
  actions.push(...keywordFaultsOf(seed, users, activeMs, Math.min(activeMs, 24 * hour) - minute));
  if (randomOf(seed, 'probe').chance(0.4)) actions.push({ at: 4 * minute, user: 0, kind: 'probe' });
  const line = lineOf(seed, users);
  const wall = line ? undefined : wallOf(seed);
  const engine = line ?? wall;
  actions.push(...(engine?.actions ?? []));
  const receivers = Array.from({ length: users }, () =>
    random.chance(0.5) ? 'good' : random.pick(behaviours),
  );
  actions.push(...lateActionsOf(seed, receivers, actions, activeMs));
  if (days === 0) actions.push(...slowCrowdsOf(seed, receivers, activeMs));
  const isDeadly = isDeadlyOf(seed, days) && !engine;
  const provider = engine || isDeadly || days > 0 ? undefined : providerOf(seed, activeMs);
  const settleMs = isDeadly
    ? deadlySettleMsOf(sharedOf(seed, actions, users, activeMs, false))
    : settleMsOf(seed, actions, activeMs);
  if (isDeadly) actions.push({ at: activeMs + deadly.redrivenMs, user: 0, kind: 'redrive' });
  actions.push(
    ...lateReadsOf(seed, users, actions, activeMs, settleMs),
    ...visitsOf(seed, activeMs, settleMs),
    ...lateErasuresOf(seed, actions, activeMs, settleMs),
  );
  const isMoving = settleMs === secondAlertMs;
  const chosen = withHidden(seed, isMoving ? moving(actions) : actions);
  const goodFrom = goodFromOf(seed, receivers, activeMs);
  if (goodFrom > 0) chosen.push(...resendsOf(users, goodFrom));
  chosen.push(...changesOf(seed, receivers, chosen, { activeMs, goodFrom }));
  const plan: Plan = {
    seed,
    isWide: seed % 10 === 0,
    ...(engine && { rated: engine.rated }),
    ...(provider && { provider }),
    receivers,
    goodFrom,
    rates: withStalls(ratesOf(seed, random, isDeadly), line !== undefined),
    // Shorter than on AWS, so that tasks that wait for their engine end within the world.
    settings: {
      TASK_DEADLINE: random.pick(['900', '1800']),
      ...(isDeadly && { TASK_DEADLINE: deadly.deadline }),
      ...visitSettings,
      ...engine?.settings,
      ...(provider && providerSettings),
    },
    skewSeconds: random.chance(0.3) ? random.pick([5, 60, 300]) : 0,
    activeMs,
    faultsMs: faultsMsOf(seed, activeMs, settleMs),
    mendedAt: isDeadly ? activeMs + deadly.mendedMs : 0,
    sourceBackAt: 0,
    settleMs,
    deployAt,
    rollbackAt: deployAt > 0 && random.chance(0.5) ? deployAt + random.int(15 * minute) : 0,
    actions: sharedOf(seed, withNumbers(chosen), users, activeMs, isMoving).sort((a, b) => a.at - b.at),
  };
  if (line) plan.receivers.push(...Array.from({ length: singleUsers }, (): Behaviour => 'good'));
  const isPeaceful = engine?.isStill || provider?.isStill;
  const hasFaults = Object.keys(plan.rates).length > 0 && !engine && !isPeaceful && days === 0;
  if (hasFaults) plan.sourceBackAt = sourceBackAtOf(seed, actions, activeMs);
  // Runs that have a turn would come back minutes later.
  if (engine) {
    delete plan.rates['refused record'];
    delete plan.rates['crash of a planner'];
  }
  const isOnTime = isPeaceful || isOnlyRefusing(plan.rates);
  return {
    ...plan,
    ...(isPeaceful && { rates: {} }),
    ...(isOnTime && { skewSeconds: 0, deployAt: 0, rollbackAt: 0 }),
  };
};

/** What users change while work is under way, in some of the worlds. */
import type { Behaviour } from '../models/receivers.ts';
import { randomOf } from '../world/random.ts';
import { type Action, minute } from './action.ts';
import { parkedMs } from './ending.ts';

/** A user replaces the secret of its webhooks. The former one signs for ten minutes more. */
const rotationsOf = (seed: number, users: number, lastAt: number): Action[] => {
  const random = randomOf(seed, 'secrets');
  if (random.chance(0.6)) return [];
  return [{ at: minute + random.int(lastAt - minute), user: random.int(users), kind: 'rotate secret' }];
};

/**
 * Users whose receivers are still bad have parked webhooks sent again. These are made and parked once more
 * before the world ends.
 */
const vainResendsOf = (seed: number, receivers: readonly Behaviour[], activeMs: number): Action[] =>
  randomOf(seed, 'vain resends').chance(0.6)
    ? []
    : receivers.flatMap((behaviour, user) =>
        behaviour === 'good'
          ? []
          : [{ at: activeMs + parkedMs + 1000 * user, user, kind: 'resend parked' as const }],
      );

/** Half of the projects that rest for long have a crawl then that began shortly before. */
const crawlsBeforePausesOf = (seed: number, actions: readonly Action[]): Action[] =>
  actions.flatMap((action) => {
    const isLong = action.kind === 'pause' && action.what === 'project' && action.resumedMs >= 20 * minute;
    const random = randomOf(seed, 'crawls before pauses');
    if (!isLong || random.chance(0.5)) return [];
    return [
      { at: action.at - (20 + random.int(40)) * 1000, user: action.user, kind: 'crawl now', isWhole: true },
    ];
  });

/** In some worlds, a user deletes a keyword that has been crawled, and keeps its project. */
const deletionsOf = (seed: number, actions: readonly Action[], activeMs: number): Action[] => {
  const random = randomOf(seed, 'deletions');
  return actions.flatMap(({ kind, at, user }) =>
    kind === 'track' && random.chance(0.3)
      ? [{ at: at + random.int(Math.max(minute, activeMs - at)), user, kind: 'untrack one' as const }]
      : [],
  );
};

/**
 * In some worlds with tracked keywords and faults, Google Ads takes no calls until most of the keywords have
 * been crawled.
 */
export const sourceBackAtOf = (seed: number, actions: readonly Action[], activeMs: number): number =>
  actions.some(({ kind }) => kind === 'track') && randomOf(seed, 'refusing source').chance(0.3)
    ? activeMs + 48 * minute
    : 0;

/** `goodFrom`: when all receivers are mended; 0 if they stay as they are. */
export const changesOf = (
  seed: number,
  receivers: readonly Behaviour[],
  actions: readonly Action[],
  { activeMs, goodFrom }: { activeMs: number; goodFrom: number },
): Action[] => [
  ...rotationsOf(seed, receivers.length, activeMs),
  ...(goodFrom > 0 ? [] : vainResendsOf(seed, receivers, activeMs)),
  ...crawlsBeforePausesOf(seed, actions),
  ...deletionsOf(seed, actions, activeMs),
];

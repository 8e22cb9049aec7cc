/** What users pause, and for how long. */
import { randomOf } from '../world/random.ts';
import { type Action, minute, type Paused } from './action.ts';

const kinds: readonly Paused[] = ['keyword', 'keyword', 'list', 'project'];

/**
 * By the time of the request. Two of three keywords are resumed some minutes later. A project always is: the
 * rules about its keywords are those of others then. `resumedMs`: 0 if it stays paused.
 */
export const pauseOf = (at: number): { what: Paused; resumedMs: number } => {
  const what = kinds[at % kinds.length] ?? 'keyword';
  const stays = what !== 'project' && at % 3 === 0;
  const longest = (what === 'project' ? 20 : 8) * minute;
  return { what, resumedMs: stays ? 0 : minute + ((7 * at) % longest) };
};

/**
 * In one world of five, a user pauses a project minutes after it was made, and in two of five some keywords,
 * for so long that crawls become due meanwhile. Half of these keywords stay paused.
 */
export const longPausesOf = (seed: number, actions: readonly Action[], lastAt: number): Action[] => {
  const random = randomOf(seed, 'long pauses');
  const makers = actions.filter(({ kind }) => kind === 'track');
  if (makers.length === 0) return [];
  const pause = (what: Paused, earliest: number, resumedMs: number): Action => {
    const { at, user } = random.pick(makers);
    const pausedAt = at + earliest + random.int(8 * minute);
    return { at: Math.min(lastAt, pausedAt), user, kind: 'pause', what, resumedMs };
  };
  const longMs = (): number => (20 + random.int(40)) * minute;
  const projects = random.chance(0.2) ? [pause('project', minute, longMs())] : [];
  const words = randomOf(seed, 'long pauses of keywords');
  const count = words.chance(0.4) ? 1 + words.int(3) : 0;
  const keywords = Array.from({ length: count }, () =>
    pause(words.pick(['keyword', 'list']), 2 * minute, words.chance(0.5) ? 0 : longMs()),
  );
  return [...projects, ...keywords];
};

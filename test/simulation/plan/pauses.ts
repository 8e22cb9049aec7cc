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
 * In some worlds, a user pauses a project minutes after it was made, for so long that crawls of its keywords
 * become due meanwhile.
 */
export const longPausesOf = (seed: number, actions: readonly Action[], lastAt: number): Action[] => {
  const random = randomOf(seed, 'long pauses');
  const makers = actions.filter(({ kind }) => kind === 'track');
  if (makers.length === 0 || !random.chance(0.2)) return [];
  const { at, user } = random.pick(makers);
  return [
    {
      at: Math.min(lastAt, at + minute + random.int(8 * minute)),
      user,
      kind: 'pause',
      what: 'project',
      resumedMs: (20 + random.int(40)) * minute,
    },
  ];
};

/** What users pause, and for how long. */
import { minute, type Paused } from './action.ts';

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

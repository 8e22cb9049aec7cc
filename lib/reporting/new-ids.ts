/** The ids of projects and tracked keywords. */
import { clockOf } from '../runtime/calendar.ts';
import { reserveIds } from '../store/projects.ts';
import { taskId } from '../task/id.ts';

/**
 * Ids of projects and keywords, in order. Like those of tasks, they sort by time; unlike them, no two users
 * have the same.
 */
export const newIds = async (count: number, now: number): Promise<number[]> => {
  const first = await reserveIds(count);
  return Array.from({ length: count }, (_, n) => taskId(clockOf(now), first + n));
};

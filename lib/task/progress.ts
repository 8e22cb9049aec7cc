/**
 * The fields that say what a task waits for. They are computed, so that no write is needed when the wait
 * ends.
 */
import type { TaskLife } from '../store/task-row.ts';
import { isFinal } from './status.ts';

/**
 * The message and the end of the wait of a task at `now`. `waitsFor`: what its owner reads that a postponed
 * task waits for.
 */
export const progressOf = (
  { status, postponed_to, error_message }: Pick<TaskLife, 'status' | 'postponed_to' | 'error_message'>,
  waitsFor: 'engine' | 'source',
  now: number,
): { error_message: string | null; waiting_until: number | null } => {
  if (isFinal(status) || postponed_to === undefined || postponed_to <= now) {
    return { error_message, waiting_until: null };
  }
  const time = new Date(postponed_to * 1000).toISOString().replace('.000', '');
  return {
    error_message: `throttled: the task waits for the ${waitsFor} until ${time}`,
    waiting_until: postponed_to,
  };
};

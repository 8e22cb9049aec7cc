/**
 * Leases: the run that claims a task holds it until its lease ends, and no other run can claim it before
 * (Reading 1).
 */
import { randomBytes } from 'node:crypto';
import { unfinishedPartition } from '../store/partitions.ts';
import type { TaskRow } from '../store/task-row.ts';
import { deadlineOf } from './deadline.ts';
import { graceSeconds, runSeconds } from './timing.ts';

/** Whether a run holds the task at `now`. */
export const isLeased = ({ lease_until }: Pick<TaskRow, 'lease_until'>, now: number): boolean =>
  lease_until > now;

/**
 * The changes with which a run takes the lease of a task. Write them on the condition that no lease is valid
 * at `now`.
 */
export const leaseChanges = (
  { created_at, due_at }: Pick<TaskRow, 'created_at' | 'due_at'>,
  now: number,
) => ({
  lease_until: now + runSeconds,
  claim: randomBytes(6).toString('base64url'),
  // A due time that is late enough is kept, which saves a write of the index. A lost run is repeated by its
  // message first anyway.
  due_at: Math.min(Math.max(due_at ?? 0, now + runSeconds + graceSeconds), deadlineOf(created_at)),
});

/**
 * The changes with which a new run claims a task, on the same condition. `unstarted` claims of the task led
 * to no run, so they do not count as retries.
 */
export const claimChanges = (
  row: Pick<TaskRow, 'id' | 'attempt' | 'created_at' | 'due_at'>,
  now: number,
  unstarted = 0,
) => ({
  ...leaseChanges(row, now),
  attempt: row.attempt + 1,
  retries_count: Math.max(0, row.attempt - unstarted),
  unfinished: unfinishedPartition('task', row.id),
});

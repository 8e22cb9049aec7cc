/** The life of a new task, of any kind. */
import { isoDay } from '../model/day.ts';
import { scope } from '../runtime/scope.ts';
import { layouts } from '../store/layouts.ts';
import { unfinishedPartition } from '../store/partitions.ts';
import type { TaskLife } from '../store/task-row.ts';
import { deadlineOf } from './deadline.ts';
import { lifetimeSeconds, unclaimedSeconds } from './timing.ts';

type NewTask = {
  userId: number;
  id: number;
  baseUrl: string;
  /** Seconds after which the sweeper looks at the task if no run has claimed it. */
  unclaimed?: number;
};

/**
 * The fields of a task in the status `awaiting`, created at the Unix time `now`. The request has the address
 * of its webhook.
 */
export const newTask = ({ userId, id, baseUrl, unclaimed = unclaimedSeconds }: NewTask, now: number) =>
  ({
    version: layouts.task.rowVersion,
    user_id: userId,
    id,
    sharding: 0,
    status: 'awaiting',
    postback_retries_count: 0,
    retries_count: 0,
    created_on: isoDay(now),
    created_at: now,
    succeed_at: 0,
    ttl: now + lifetimeSeconds,
    error_message: null,
    crawled_at: 0,
    attempt: 0,
    lease_until: 0,
    trace: scope().trace,
    base_url: baseUrl,
    delivery: null,
    delivery_attempt: 0,
    unfinished: unfinishedPartition('task', id),
    due_at: Math.min(now + unclaimed, deadlineOf(now)),
  }) satisfies Omit<TaskLife, 'postback_url'> & { crawled_at: number };

/** The part of a row that its webhook needs, for tasks, batches and alerts. */
import type { V2Task } from '../model/v2-task.ts';

/**
 * An attempt at a delivery: Unix time of its begin and, once its outcome is recorded, the status of the
 * answer (0 if there was none), its milliseconds and why it failed. A list without names, because each task
 * pays for it.
 */
export type LoggedAttempt = [
  time: number,
  status?: number,
  milliseconds?: number,
  error?: string | undefined,
];

/** What a webhook reports on: a task or a batch. The fields that its delivery needs. */
export type Reported = Pick<
  V2Task,
  'user_id' | 'id' | 'postback_url' | 'postback_retries_count' | 'created_at' | 'ttl'
> & {
  /** The version of the row's layout (`version.ts`). */
  version: number;
  /** The trace that began when the row was created. */
  trace?: string;
  /** Base of the links in the webhook, as recorded at creation (Reading 30). */
  base_url: string;
  /** Id of the webhook delivery (`webhook-id`); null if there is none to make. */
  delivery: string | null;
  /** `sending`: an attempt has begun, and its outcome is not recorded yet. */
  delivery_state?: 'pending' | 'sending' | 'delivered' | 'parked';
  /**
   * A random name of the last lease of a task, or of the last attempt at the delivery, whichever came later.
   * Absent before the first, and in a row of an earlier release.
   */
  claim?: string;
  /** Number of the last delivery attempt that began. */
  delivery_attempt: number;
  /**
   * The attempt at which the run of the state machine began that made the last attempt. Absent if a consumer
   * of the queues made it.
   */
  delivery_run?: number;
  /** The attempts at the delivery, in all of its rounds. Absent before the first. */
  attempt_log?: LoggedAttempt[];
  /**
   * Unix time at which the sweeper queued the next attempt, or first left it because messages waited; absent
   * once an attempt has begun since.
   */
  queued_at?: number;
  /**
   * Unix time from which the delivery waits for its first attempt: the end of the task or batch, or the
   * moment at which the user had it sent again. Absent if `succeed_at` says it, in alerts that were never
   * sent again, and in rows of releases that did not record it. Readers may ignore it.
   */
  waits_since?: number;
  /** How often the user had the delivery sent again; absent if never. */
  resends?: number;
  /** Partition of the index of unfinished work; absent once the row needs nothing more. */
  unfinished?: string;
  /** Unix time at which the sweeper looks at the row. */
  due_at?: number;
};

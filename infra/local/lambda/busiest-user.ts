/**
 * Finds the user whose tasks keep the functions busy. While other users have tasks too, one thread is left to those: otherwise each step of
 * their tasks waits behind the steps of many others.
 */
import * as v from 'valibot';

const User = v.object({ user_id: v.number() });
const Records = v.object({ Records: v.array(v.object({ body: v.string() })) });

/** The users of the tasks in an event: the input of a state, or the messages of a queue. */
export const usersOf = (event: unknown): number[] => {
  if (v.is(User, event)) return [event.user_id];
  if (!v.is(Records, event)) return [];
  return event.Records.flatMap(({ body }) => {
    try {
      return usersOf(JSON.parse(body));
    } catch {
      return [];
    }
  });
};

/** A user counts as active for so long after the last call for a task. The steps of a task are less far apart. */
const activeMs = 2000;

export type BusiestUser = {
  /** Counts a call for tasks of these users as in progress. Call the returned function when it has ended. */
  enter: (users: readonly number[], nowMs: number) => () => void;
  /** The user with the most calls in progress, if other users are active too; null otherwise. */
  find: (nowMs: number) => number | null;
};

export const newBusiestUser = (): BusiestUser => {
  const active = new Map<number, { calls: number; seenMs: number }>();
  return {
    enter: (users, nowMs) => {
      for (const user of users) {
        active.set(user, { calls: (active.get(user)?.calls ?? 0) + 1, seenMs: nowMs });
      }
      return () => {
        for (const user of users) {
          const entry = active.get(user);
          if (entry) entry.calls -= 1;
        }
      };
    },
    find: (nowMs) => {
      for (const [user, { calls, seenMs }] of active) {
        if (calls === 0 && seenMs + activeMs < nowMs) active.delete(user);
      }
      if (active.size < 2) return null;
      const [[busiest]] = [...active].sort(([, a], [, b]) => b.calls - a.calls) as [[number, unknown]];
      return busiest;
    },
  };
};

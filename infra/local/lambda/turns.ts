/**
 * The order in which steps of tasks use the threads of the functions. Without it, a step of a user with one
 * task shares its thread with the steps of all tasks of other users that are in flight.
 */
import { FairMessages } from '../stores/fair-messages.ts';

/** After this time a step no longer counts: it waits for the network, and hardly uses the processor. */
const countedMs = 50;

/**
 * A user who had a step in this time keeps a share of the threads, so that the next step or task does not
 * wait for a thread.
 */
const activeMs = 1000;

type Step = { messageGroupId: string; begin: () => void };

type Turns = {
  /** Resolves when a step of the user may begin. Call the returned function when the step is done. */
  take: (user: string) => Promise<() => void>;
  /** The number of steps that wait for their turn. */
  waiting: () => number;
  /** How many steps may work at a time. */
  most: () => number;
};

/**
 * At most `mostAlone()` steps of the only active user work at a time; at most `most()` if there are several,
 * and of each active user an equal part of them. The next one is a step of the user with the fewest working
 * ones. `now` is a clock in milliseconds.
 */
export const newTurns = (most: () => number, mostAlone = most, now = () => performance.now()): Turns => {
  const working = new Map<string, number>();
  /** When each user last had a step. The user who has waited longest for one is the first. */
  const active = new Map<string, number>();
  const workingOf = (user: string): number => working.get(user) ?? 0;
  const waiting = new FairMessages<Step>(workingOf);
  let total = 0;

  const activate = (user: string) => {
    active.delete(user);
    active.set(user, now());
    for (const [other, at] of active) {
      if (at + activeMs > now()) break;
      active.delete(other);
    }
  };
  const mostNow = () => (active.size > 1 ? most() : mostAlone());
  const share = () => Math.max(1, Math.floor(mostNow() / active.size));
  const count = (user: string, change: 1 | -1) => {
    total += change;
    working.set(user, workingOf(user) + change);
    if (workingOf(user) === 0) working.delete(user);
  };
  const beginNext = () => {
    while (total < mostNow()) {
      const step = waiting.shift((user) => workingOf(user) < share());
      if (!step) return;
      count(step.messageGroupId, 1);
      step.begin();
    }
  };

  return {
    waiting: () => waiting.length,
    most: mostNow,
    take: async (user) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      activate(user);
      waiting.push({ messageGroupId: user, begin: resolve });
      beginNext();
      await promise;
      let isCounted = true;
      const leave = () => {
        clearTimeout(timer);
        if (!isCounted) return;
        isCounted = false;
        activate(user);
        count(user, -1);
        beginNext();
      };
      const timer = setTimeout(leave, countedMs);
      return leave;
    },
  };
};

/**
 * Virtual time: a heap of events, which run one after another in the order of their times and, at the same
 * time, of their entry. After each event, everything that it made possible runs before the next one.
 */

/** Taken before the guard forbids it to everybody else. */
const afterMicrotasks = globalThis.setImmediate;

type Entry = { at: number; order: number; run: (() => void) | undefined };

export type Timer = { cancel: () => void };

export type Scheduler = {
  /** Milliseconds of virtual Unix time. */
  now: () => number;
  /** Runs something at a time, or now if the time is over. */
  at: (time: number, run: () => void) => Timer;
  after: (milliseconds: number, run: () => void) => Timer;
  sleep: (milliseconds: number) => Promise<void>;
  /**
   * Runs all events until a time. `isOver` is asked after each event.
   * @throws if a minute has too many events.
   */
  runUntil: (time: number, isOver?: () => boolean) => Promise<void>;
  /** Events that have run. */
  events: () => number;
};

const isBefore = (a: Entry, b: Entry): boolean => a.at < b.at || (a.at === b.at && a.order < b.order);

const push = (heap: Entry[], entry: Entry): void => {
  let at = heap.length;
  heap.push(entry);
  while (at > 0) {
    const up = (at - 1) >> 1;
    const parent = heap[up] as Entry;
    if (!isBefore(entry, parent)) break;
    heap[at] = parent;
    at = up;
  }
  heap[at] = entry;
};

const pop = (heap: Entry[]): Entry | undefined => {
  const [first] = heap;
  const last = heap.pop();
  if (!first || !last || heap.length === 0) return first;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && isBefore(heap[child + 1] as Entry, heap[child] as Entry)) child++;
    if (!isBefore(heap[child] as Entry, last)) break;
    heap[at] = heap[child] as Entry;
    at = child;
  }
  heap[at] = last;
  return first;
};

/**
 * Runs all promises and ticks that are possible now. It does nothing while promises run. Node calls this
 * function after each of its own callbacks, but does not document it. No documented function does the same:
 * `microtaskMode: 'afterEvaluate'` of `node:vm` runs the promises of its own context only, and waiting for a
 * turn of the event loop takes far longer.
 */
const settle = (process as unknown as { _tickCallback: () => void })._tickCallback;

/** So many events follow each other within a virtual minute at most: more are a loop without a pause. */
const mostEventsOfMinute = 200_000;

const minute = 60_000;

export const newScheduler = (start: number): Scheduler => {
  const heap: Entry[] = [];
  let now = start;
  let order = 0;
  let events = 0;
  let counted = { minute: 0, events: 0 };
  /** @throws if the world runs in a circle. */
  const count = () => {
    events += 1;
    const present = Math.floor(now / minute);
    counted = { minute: present, events: counted.minute === present ? counted.events + 1 : 1 };
    if (counted.events > mostEventsOfMinute)
      throw new Error(`More than ${mostEventsOfMinute} events in a minute`);
  };
  const at = (time: number, run: () => void): Timer => {
    const entry: Entry = { at: Math.max(now, Number.isFinite(time) ? time : now), order: order++, run };
    push(heap, entry);
    return {
      cancel: () => {
        entry.run = undefined;
      },
    };
  };
  const after = (milliseconds: number, run: () => void) => at(now + Math.max(0, milliseconds), run);
  /** Runs outside of promises, so that those of each event can run to their end. */
  const runAll = (time: number, isOver: () => boolean) => {
    while (!isOver()) {
      const [next] = heap;
      if (!next || next.at > time) break;
      pop(heap);
      if (!next.run) continue;
      now = next.at;
      count();
      next.run();
      settle();
    }
  };
  return {
    now: () => now,
    at,
    after,
    sleep: (milliseconds) => new Promise((resolve) => void after(milliseconds, resolve)),
    runUntil: async (time, isOver = () => false) => {
      await new Promise<void>((resolve) => afterMicrotasks(resolve));
      await new Promise<void>((resolve, reject) =>
        afterMicrotasks(() => {
          try {
            runAll(time, isOver);
            resolve();
          } catch (error) {
            reject(error);
          }
        }),
      );
      now = Math.max(now, time);
    },
    events: () => events,
  };
};

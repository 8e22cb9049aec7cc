/**
 * Limits how many messages of a queue are in flight by the load of the stack and of the machine. Each message
 * in flight takes its part of the processor, so while the threads are busy, more messages in flight make all
 * of them slower, and none of them sooner done. A message of a user with few messages then waits behind all
 * messages in flight, although the queue is fair. While the threads wait for the network, more messages in
 * flight are more throughput.
 */

/**
 * For each step that a thread works on at a time: enough to keep the threads busy while some of the messages
 * wait for the stores.
 */
const leastInFlight = 4;

/** A request to the queue for each message would cost as much processor time as two steps of its task. */
const leastBatch = 2;

const atStart = 8;

/**
 * After this time a message no longer counts: it waits for the network, or for its turn, and hardly uses the
 * processor.
 */
const countedMs = 250;

/** Above this load the limit falls, below it the limit rises. */
const busyLoad = 0.9;

type Admission = {
  /**
   * Resolves with the number of messages to receive, at most `batchSize`, when so many more may be in flight.
   */
  room: (batchSize: number) => Promise<number>;
  /** Counts a batch as in flight. Call the returned function when the batch is done. */
  enter: (count: number) => () => void;
  /** Adapts the limit to the load since the last call, 0 to 1. Call it at regular intervals. */
  adapt: (load: number) => void;
  /** Ends all waits for room. */
  end: () => void;
};

/**
 * The limit starts low, and never exceeds `most`. A long wait of messages, for example for an origin that
 * hangs, does not use it up. `stepsAtOnce` gives the number of steps that a thread works on at a time.
 */
export const newAdmission = (most: number, stepsAtOnce = () => 1): Admission => {
  let limit = Math.min(atStart, most);
  let inFlight = 0;
  let hasEnded = false;
  let changed = Promise.withResolvers<void>();

  const change = () => {
    changed.resolve();
    changed = Promise.withResolvers();
  };

  return {
    room: async (batchSize) => {
      for (;;) {
        // A quarter of the limit: large batches cost less, small ones are sooner done.
        const count = Math.min(batchSize, Math.max(leastBatch, Math.floor(limit / 4)));
        if (hasEnded || inFlight + count <= Math.floor(limit)) return count;
        await changed.promise;
      }
    },
    enter: (count) => {
      inFlight += count;
      let isCounted = true;
      const leave = () => {
        clearTimeout(timer);
        if (!isCounted) return;
        isCounted = false;
        inFlight -= count;
        change();
      };
      const timer = setTimeout(leave, countedMs);
      return leave;
    },
    adapt: (load) => {
      if (load > busyLoad) limit = Math.min(most, Math.max(leastInFlight * stepsAtOnce(), limit * 0.9));
      // A limit that is not reached need not rise.
      else if (inFlight > limit * 0.7) limit = Math.min(most, limit * 1.1 + 0.2);
      change();
    },
    end: () => {
      hasEnded = true;
      change();
    },
  };
};

/**
 * How many steps of tasks a thread works on at a time. A step also waits for the stores, and another one can
 * use the thread meanwhile. But a step that computes for long delays all others of its thread each time that
 * one of them has its answer, and so a single task of another user.
 */

const mostSteps = 3;

/**
 * The steps of a thread together compute for at most so many milliseconds of processor time. In the mean, a
 * step that fetches a page and ends its search needs 8 to 12 ms with a page of 20 KB, and 20 ms with a page
 * of 500 KB.
 */
const togetherMs = 32;

/** The part of a step in the mean over the last ones. */
const weight = 0.1;

type StepsAtOnce = {
  /** Adds a step that needed so many milliseconds of processor time. */
  add: (cpuMs: number) => void;
  /** The number of steps for each thread, at least 1. */
  now: () => number;
};

/** Begins with one step for each thread, until the first steps have shown how long they compute. */
export const newStepsAtOnce = (): StepsAtOnce => {
  let mean = togetherMs;
  return {
    add: (cpuMs) => {
      mean += (cpuMs - mean) * weight;
    },
    now: () => Math.max(1, Math.min(mostSteps, Math.floor(togetherMs / mean))),
  };
};

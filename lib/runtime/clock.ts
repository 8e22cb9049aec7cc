/** The current time, used as a parameter's default so that a test can pass its own. */

/** Milliseconds of a clock that only moves forward, to measure how long something takes. */
export const stopwatch = (): number => Math.round(performance.now());

/** Unix time in whole seconds. */
export const clock = (): number => Math.floor(Date.now() / 1000);

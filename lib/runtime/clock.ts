/** The current time, used as a parameter's default so that a test can pass its own. */

/** Unix time in whole seconds. */
export const clock = (): number => Math.floor(Date.now() / 1000);

/** A bound in time for work on the wire that holds in every phase of it. */

/**
 * Settles as the work does, or rejects once the signal fires, whichever is first. undici hands a signal to a request only when
 * its connection stands: before that, nothing but this ends the wait.
 */
export const untilAborted = <Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> =>
  Promise.race([
    work,
    new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    }),
  ]);

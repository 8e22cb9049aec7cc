/** A time limit that holds in every phase of a network request. */

/**
 * Settles as the work does, or rejects when the signal aborts, whichever is first. undici passes a signal to
 * a request only when its connection is established; before that, only this function ends the wait.
 */
export const untilAborted = <Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> =>
  Promise.race([
    work,
    new Promise<never>((_, reject) => {
      if (signal.aborted) reject(signal.reason);
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    }),
  ]);

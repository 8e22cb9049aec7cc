/** A time limit that holds in every phase of a network request. */
import { heldMs } from '../runtime/processor-limit.ts';

/**
 * A signal that aborts after so many milliseconds. The time does not count in which the reading of a page has
 * held this thread: a request of another page can do nothing then, although its answer has arrived.
 */
export const abortAfter = (milliseconds: number): AbortSignal => {
  const controller = new AbortController();
  let counted = heldMs();
  const wait = (left: number): void => {
    const end = () => {
      const more = heldMs() - counted;
      counted += more;
      if (more > 0) wait(more);
      else controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
    };
    setTimeout(end, left).unref();
  };
  wait(milliseconds);
  return controller.signal;
};

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

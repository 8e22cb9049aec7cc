/** A time limit that holds in every phase of a network request. */
import { stopwatch } from '../runtime/clock.ts';
import { heldMs } from '../runtime/processor-limit.ts';

/**
 * Call `end` when the request has ended: until then, the timer keeps it in memory. It aborts the signal, and
 * so closes the connection of an answer whose body was not read to its end: the client library would keep
 * that connection for as long as the server does.
 */
type Deadline = { signal: AbortSignal; end: () => void };

/**
 * A signal that aborts after so many milliseconds. The time does not count in which the reading of a page has
 * held this thread: a request of another page can do nothing then, although its answer has arrived. The
 * signal aborts after twice the time at the latest: readings for other tasks may hold the same thread, too.
 */
export const abortAfter = (milliseconds: number, nowMs = stopwatch): Deadline => {
  const controller = new AbortController();
  const began = nowMs();
  const heldBefore = heldMs();
  let timer: NodeJS.Timeout | undefined;
  const wait = (left: number): void => {
    timer = setTimeout(() => {
      const passed = nowMs() - began;
      const held = Math.min(milliseconds, heldMs() - heldBefore);
      const more = milliseconds + held - passed;
      if (more > 0) wait(more);
      else controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
    }, left).unref();
  };
  wait(milliseconds);
  const end = (): void => {
    clearTimeout(timer);
    controller.abort(new DOMException('The request has ended', 'AbortError'));
  };
  return { signal: controller.signal, end };
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

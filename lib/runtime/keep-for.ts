/** Keeps a value for some seconds, so that many requests cost one read. */
import { clock } from './clock.ts';

/** Calls `read` at most once in `seconds`, also for concurrent calls. An error is not kept. */
export const keepFor = <Value>(
  seconds: number,
  read: (now: number) => Promise<Value>,
): ((now?: number) => Promise<Value>) => {
  let kept: { value: Promise<Value>; until: number } | undefined;
  return (now = clock()) => {
    if (kept && now < kept.until) return kept.value;
    const value = read(now).catch((error: unknown) => {
      kept = undefined;
      throw error;
    });
    kept = { value, until: now + seconds };
    return value;
  };
};

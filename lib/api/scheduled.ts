/** Wraps functions that run on a schedule. */
import { invocation } from './invocation.ts';
import { logFailure } from './log-failure.ts';

/** A Lambda handler for a scheduled rule. Logs the errors of `run` and rethrows them. */
export const scheduled = <Output>(run: (event: unknown) => Promise<Output>) =>
  invocation(async (event: unknown) => {
    try {
      return await run(event);
    } catch (error) {
      logFailure('A scheduled run failed', error);
      throw error;
    }
  });

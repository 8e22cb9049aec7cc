/** Wraps functions that run on a schedule. */
import { isBackPressure, logRefusal } from '../runtime/back-pressure.ts';
import { invocation } from './invocation.ts';
import { logFailure } from './log-failure.ts';

/**
 * A Lambda handler for a scheduled rule. Logs the errors of `run` and rethrows them, except for refusals of
 * AWS services that have too much to do: the next run, some minutes later, continues the work.
 */
export const scheduled = <Output>(run: (event: unknown) => Promise<Output>) =>
  invocation(async (event: unknown) => {
    try {
      return await run(event);
    } catch (error) {
      if (isBackPressure(error)) {
        logRefusal(error);
        return undefined;
      }
      logFailure('A scheduled run failed', error);
      throw error;
    }
  });

/** Wraps what runs by the clock. */

import { invocation } from './invocation.ts';
import { logFailure } from './log-failure.ts';

/** A Lambda handler for a rule; what `run` throws is logged and thrown on. */
export const scheduled = <Answer>(run: () => Promise<Answer>) =>
  invocation(async () => {
    try {
      return await run();
    } catch (error) {
      logFailure('A scheduled run failed', error);
      throw error;
    }
  });

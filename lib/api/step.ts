/** Wraps the function of a state: parses its input, and logs a failure before the state machine handles it. */
import middy from '@middy/core';
import * as v from 'valibot';
import type { TaskKey } from '../model/workflow.ts';
import { addToScope } from '../runtime/scope.ts';
import { invocation } from './invocation.ts';
import { logFailure } from './log-failure.ts';

/**
 * A Lambda handler for a state. `run` receives the parsed input, and its return value is the input of the next state.
 * Errors of `run` are rethrown, so that Retry and Catch of the state machine decide what happens.
 */
export const step = <const Schema extends v.GenericSchema<unknown, TaskKey>, Output>(
  Input: Schema,
  run: (input: v.InferOutput<Schema>) => Promise<Output> | Output,
) =>
  invocation(
    middy<unknown, Output>()
      .use([loggingFailures])
      .handler(async (event) => {
        const input = v.parse(Input, event);
        addToScope({ user_id: input.user_id, task_id: input.id });
        return run(input);
      }),
  );

const loggingFailures = {
  onError: ({ error }: { error?: Error | null }) => logFailure('A state failed', error),
};

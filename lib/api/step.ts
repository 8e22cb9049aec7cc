/**
 * Wraps the function of a state: parses its input, makes back-pressure an output, and logs a failure before
 * the machine handles it.
 */
import middy from '@middy/core';
import * as v from 'valibot';
import type { TaskKey } from '../model/workflow.ts';
import { isBackPressure, logRefusal } from '../runtime/back-pressure.ts';
import { RetriedError } from '../runtime/retried-error.ts';
import { addToScope } from '../runtime/scope.ts';
import { invocation } from './invocation.ts';
import { logFailure } from './log-failure.ts';

/**
 * A Lambda handler for a state. `run` receives the parsed input, and its return value is the input of the
 * next state. If an AWS service refuses a call of `run`, the return value is that of `refused`. Other errors
 * are rethrown, so that Retry and Catch of the state machine decide what happens. A RetriedError is not
 * logged, because it is an outcome.
 */
export const step = <const Schema extends v.GenericSchema<unknown, TaskKey>, Output, Refused>(
  Input: Schema,
  run: (input: v.InferOutput<Schema>) => Promise<Output> | Output,
  refused: (input: v.InferOutput<Schema>) => Promise<Refused> | Refused,
) =>
  invocation(
    middy<unknown, Output | Refused>()
      .use([loggingFailures])
      .handler(async (event) => {
        const input = v.parse(Input, event);
        addToScope({ user_id: input.user_id, task_id: input.id });
        try {
          return await run(input);
        } catch (error) {
          if (!isBackPressure(error)) throw error;
          logRefusal(error);
          return await refused(input);
        }
      }),
  );

const loggingFailures = {
  onError: ({ error }: { error?: Error | null }) => {
    if (!(error instanceof RetriedError)) logFailure('A state failed', error);
  },
};

/** Wraps the function of a state: what enters it is parsed, and a failure is logged before the machine takes it up. */
import middy from '@middy/core';
import * as v from 'valibot';
import type { TaskKey } from '../model/workflow.ts';
import { addToScope } from '../runtime/scope.ts';
import { invocation } from './invocation.ts';
import { logFailure } from './log-failure.ts';

/**
 * A Lambda handler for a state: `run` gets its parsed input, and its answer is what the next state reads.
 * Whatever `run` throws is thrown on, so that the machine's Retry and Catch decide.
 */
export const step = <const Schema extends v.GenericSchema<unknown, TaskKey>, Answer>(
  Input: Schema,
  run: (input: v.InferOutput<Schema>) => Promise<Answer> | Answer,
) =>
  invocation(
    middy<unknown, Answer>()
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

/** Wraps the function of a state: what enters it is parsed, and a failure is logged before the machine takes it up. */
import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import * as v from 'valibot';
import { logFailure } from './failure.ts';

/**
 * A Lambda handler for a state: `run` gets its parsed input, and its answer is what the next state reads.
 * Whatever `run` throws is thrown on, so that the machine's Retry and Catch decide.
 */
export const step = <const Schema extends v.GenericSchema, Answer>(
  Input: Schema,
  run: (input: v.InferOutput<Schema>) => Promise<Answer> | Answer,
) =>
  middy<unknown, Answer>()
    .use([loggingFailures])
    .handler(async (event) => run(v.parse(Input, event)));

const loggingFailures = {
  onError: ({ error, context }: { error?: Error | null; context: Context }) =>
    logFailure('A state failed', error, { function: context.functionName, request_id: context.awsRequestId }),
};

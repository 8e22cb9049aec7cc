/** Begins the scope of an invocation: every line that is logged within it says which function, which request and which trace. */
import type { Context } from 'aws-lambda';
import { traceHeader } from '../runtime/env.ts';
import { traceOf, withScope } from '../runtime/scope.ts';

/** A Lambda handler that runs `handle` in a scope of its own. */
export const invocation =
  <Event, Answer>(handle: (event: Event, context: Context) => Promise<Answer>) =>
  (event: Event, context: Context): Promise<Answer> =>
    withScope(
      {
        function: context.functionName,
        request_id: context.awsRequestId,
        // Read at once: where functions share a process, the next invocation has its own.
        trace: traceOf(traceHeader()),
      },
      () => handle(event, context),
    );

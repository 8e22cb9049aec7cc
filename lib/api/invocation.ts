/**
 * Begins the log scope of an invocation: each line logged in it names the function, the request and the
 * trace.
 */
import type { Context } from 'aws-lambda';
import { traceHeader } from '../runtime/env.ts';
import { traceOf, withScope } from '../runtime/scope.ts';

/** A Lambda handler that runs `handle` in a new log scope. */
export const invocation =
  <Event, Output>(handle: (event: Event, context: Context) => Promise<Output>) =>
  (event: Event, context: Context): Promise<Output> =>
    withScope(
      {
        function: context.functionName,
        request_id: context.awsRequestId,
        // Read before `handle` runs: if functions share a process, the next invocation overwrites the trace
        // header.
        trace: traceOf(traceHeader()),
      },
      () => handle(event, context),
    );

/**
 * Runs handlers as Lambda does: imports each once from its source file, and calls it with a context and a
 * deadline.
 */
import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import type { Context } from 'aws-lambda';
import { startCalendar } from '../../../lib/runtime/calendar.ts';
import { armCrash } from '../../../lib/runtime/crash.ts';
import type { Work } from '../../cost/meter.ts';
import type { LocalFunction } from '../local-function.ts';
import { stopSigning } from '../stores/unsigned-requests.ts';
import { nextSegment } from '../trace.ts';
import { callTablesDirectly } from './direct-tables.ts';
import { importedLate, importFunction } from './import-function.ts';
import { measureWork } from './work.ts';

/** The error of a handler as a caller of Lambda receives it: a name and a message. */
export class FunctionError extends Error {
  constructor(name: string, message: string) {
    super(message);
    this.name = name;
  }
}

/**
 * Calls the handler of an entry file, in the given trace if any. Rejects with a FunctionError if the handler
 * throws or times out.
 */
export type Call = (entry: string, event: unknown, trace?: string) => Promise<unknown>;

type Handler = (event: unknown, context: Context) => unknown;

const importHandler = async ({ entry }: LocalFunction): Promise<Handler> => {
  const { handler } = await importFunction(entry);
  if (typeof handler !== 'function') throw new Error(`${entry} exports no handler`);
  return (event, context) => handler(event, context);
};

/**
 * Loads once, and again at the next call after a failure. Node itself reads a file again if it could not read
 * or link it (a file was absent, or too many files were open); what a module throws, it keeps until the end
 * of the process.
 */
export const loadedOnce = <Loaded>(load: () => Promise<Loaded>): (() => Promise<Loaded>) => {
  let loading: Promise<Loaded> | undefined;
  return () => {
    loading ??= load().catch((error) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
};

/** Gives the handler of a function. It is imported at once, or at the first call of what this returns. */
const loadHandler = async (fn: LocalFunction): Promise<() => Promise<Handler>> => {
  const load = loadedOnce(() => importHandler(fn));
  if (!importedLate.includes(fn.entry)) await load();
  return load;
};

/** `deadline`: a time of `performance.now`, which does not change with the clock of the machine. */
const contextOf = (fn: LocalFunction, deadline: number): Context => {
  const awsRequestId = randomUUID();
  return {
    callbackWaitsForEmptyEventLoop: false,
    functionName: fn.name,
    functionVersion: '$LATEST',
    invokedFunctionArn: fn.arn,
    memoryLimitInMB: String(fn.memoryMb),
    awsRequestId,
    logGroupName: `/aws/lambda/${fn.name}`,
    logStreamName: 'local',
    getRemainingTimeInMillis: () => Math.max(0, deadline - performance.now()),
    done: () => undefined,
    fail: () => undefined,
    succeed: () => undefined,
  };
};

/** Writes the line that Lambda logs at the end of a failed call. Successful calls have no line. */
export const logFailedCall = (fn: LocalFunction, requestId: string, errorType: string) => {
  const status = errorType === 'Sandbox.Timedout' ? 'timeout' : 'error';
  const line = {
    time: new Date().toISOString(),
    type: 'platform.report',
    function: fn.name,
    record: { requestId, status, errorType },
  };
  process.stdout.write(`${JSON.stringify(line)}\n`);
};

/** The error of a call that exceeds the time limit of its function. */
export const timedOut = ({ timeoutMs }: LocalFunction): FunctionError =>
  new FunctionError('Sandbox.Timedout', `Task timed out after ${timeoutMs / 1000} seconds`);

const run = async (fn: LocalFunction, handler: Handler, event: unknown, trace?: string): Promise<unknown> => {
  const context = contextOf(fn, performance.now() + fn.timeoutMs);
  const expiry = Promise.withResolvers<never>();
  const timer = setTimeout(() => expiry.reject(timedOut(fn)), fn.timeoutMs);
  try {
    // Lambda's runtime sets this variable. Handlers must read it before their first await: the next call
    // overwrites it.
    process.env._X_AMZN_TRACE_ID = nextSegment(trace);
    const answer = handler(event, context);
    // Lambda's answers are JSON, which has no undefined.
    return (await Promise.race([answer, expiry.promise])) ?? null;
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    logFailedCall(fn, context.awsRequestId, name);
    throw new FunctionError(name, message);
  } finally {
    clearTimeout(timer);
  }
};

/** Receives the work of each call that has ended. */
export type ReportWork = (entry: string, work: Work) => void;

/**
 * Imports the handlers of these functions. Set the environment first. Rejects if a file exports no handler;
 * for a function of `importedLate`, its first call does.
 */
export const importHandlers = async (functions: LocalFunction[], report: ReportWork): Promise<Call> => {
  if (process.env.CRASH_AT) armCrash(process.env.CRASH_AT);
  if (process.env.CALENDAR) startCalendar(JSON.parse(process.env.CALENDAR));
  await stopSigning();
  const tables = process.env.AWS_ENDPOINT_URL_DYNAMODB;
  if (tables) {
    // A late import, because the clients read the environment when they are made.
    const { dynamo } = await import('../../../lib/runtime/aws.ts');
    // Calls that are made before the tables have answered take the other way.
    void callTablesDirectly(dynamo, tables);
  }
  const loaded = new Map(
    await Promise.all(functions.map(async (fn) => [fn.entry, { fn, load: await loadHandler(fn) }] as const)),
  );
  return async (entry, event, trace) => {
    const found = loaded.get(entry);
    if (!found) throw new FunctionError('ResourceNotFoundException', `Function not found: ${entry}`);
    const handler = await found.load();
    return measureWork(
      event,
      (work) => report(entry, work),
      () => run(found.fn, handler, event, trace),
    );
  };
};

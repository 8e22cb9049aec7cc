/**
 * Lambda in this process. Several processes of the service run at a time, and each invocation goes to one of
 * them. A crash ends a process with all its invocations, and another takes its place.
 */

import { AsyncLocalStorage } from 'node:async_hooks';
import type { LocalFunction } from '../../../infra/local/local-function.ts';
import type { Instance } from '../code/instance.ts';
import type { Faults } from '../world/faults.ts';
import type { History } from '../world/history.ts';
import type { Random } from '../world/random.ts';
import type { Scheduler } from '../world/scheduler.ts';

/** The error of an invocation as its caller sees it. */
export class FunctionError extends Error {
  constructor(name: string, message: string) {
    super(message);
    this.name = name;
  }
}

/** A call of a function: its source file, its event, and how many calls of each service it has made. */
export type Invocation = { entry: string; event: unknown; calls: Record<string, number> };

const invocations = new AsyncLocalStorage<Invocation>();

/** The invocation whose code runs. */
export const presentInvocation = (): Invocation | undefined => invocations.getStore();

type Process = { number: number; instance: Instance; inProgress: Set<(error: FunctionError) => void> };

export type Lambda = {
  invoke: (target: string, event: unknown, trace?: string) => Promise<unknown>;
  /** The function of a name or an ARN. */
  find: (target: string) => LocalFunction | undefined;
  /** Ends the process with this number. */
  crash: (number: number) => void;
  /** Ends the n-th process: the one that follows is started by `startProcess` of then. */
  replace: (n: number) => void;
  /** Ends all processes. */
  replaceAll: () => void;
  inProgress: () => number;
};

type Options = {
  functions: readonly LocalFunction[];
  processes: number;
  startProcess: (number: number) => { instance: Instance; environment: Record<string, string> };
  scheduler: Scheduler;
  random: Random;
  faults: Faults;
  history: History;
  onInvoke: (invocation: Invocation) => void;
};

const traceOf = (random: Random): string =>
  `Root=1-${random.bytes(4).toString('hex')}-${random.bytes(12).toString('hex')}`;

export const newLambda = (options: Options): Lambda => {
  const { functions, scheduler, random, faults, history } = options;
  const byTarget = new Map(
    functions.flatMap((fn) => [fn.arn, fn.name, fn.entry].map((name) => [name, fn] as const)),
  );
  let started = 0;
  const environments = new Map<number, Record<string, string>>();
  const startOne = (): Process => {
    started += 1;
    const { instance, environment } = options.startProcess(started);
    environments.set(started, environment);
    return { number: started, instance, inProgress: new Set() };
  };
  const processes = Array.from({ length: options.processes }, startOne);

  const end = (process: Process, name: string) => {
    process.instance.kill();
    processes[processes.indexOf(process)] = startOne();
    environments.delete(process.number);
    for (const reject of process.inProgress) reject(new FunctionError(name, 'the process ended'));
    process.inProgress.clear();
  };

  const contextOf = (fn: LocalFunction) => {
    const deadline = scheduler.now() + fn.timeoutMs;
    return {
      callbackWaitsForEmptyEventLoop: false,
      functionName: fn.name,
      functionVersion: '$LATEST',
      invokedFunctionArn: fn.arn,
      memoryLimitInMB: String(fn.memoryMb),
      awsRequestId: random.bytes(8).toString('hex'),
      logGroupName: `/aws/lambda/${fn.name}`,
      logStreamName: 'simulated',
      getRemainingTimeInMillis: () => Math.max(0, deadline - scheduler.now()),
    };
  };

  const run = (
    fn: LocalFunction,
    process: Process,
    event: unknown,
    trace = traceOf(random),
  ): Promise<unknown> => {
    const handler = process.instance.exports[fn.entry];
    if (!handler) throw new Error(`The script has no ${fn.entry}`);
    const environment = environments.get(process.number);
    if (environment) environment._X_AMZN_TRACE_ID = trace;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const timer = scheduler.after(fn.timeoutMs, () => {
      history.add('lambda', `${fn.entry} timed out`, true);
      end(process, 'Sandbox.Timedout');
    });
    process.inProgress.add(reject);
    const invocation: Invocation = { entry: fn.entry, event, calls: {} };
    options.onInvoke(invocation);
    const call = async () => (handler as (event: unknown, context: object) => unknown)(event, contextOf(fn));
    invocations.run(invocation, call).then(
      (value) => resolve(value === undefined ? null : JSON.parse(JSON.stringify(value))),
      (error: unknown) => {
        const { name, message } = error instanceof Error ? error : new Error(String(error));
        history.add('lambda', `${fn.entry} failed: ${name}: ${message.slice(0, 160)}`, true);
        reject(new FunctionError(name, message));
      },
    );
    return promise.finally(() => {
      timer.cancel();
      process.inProgress.delete(reject);
    });
  };

  const replace = (n: number): void => {
    const process = processes[n];
    if (process) end(process, 'Runtime.ExitError');
  };

  return {
    find: (target) => byTarget.get(target),
    invoke: async (target, event, trace) => {
      const fn = byTarget.get(target);
      if (!fn) throw new FunctionError('ResourceNotFoundException', `Function not found: ${target}`);
      await scheduler.sleep(1 + random.int(5));
      if (faults.strikes('throttled function', fn.entry))
        throw new FunctionError('Lambda.TooManyRequestsException', 'Rate Exceeded.');
      return run(fn, random.pick(processes), JSON.parse(JSON.stringify(event)), trace);
    },
    crash: (number) => {
      const process = processes.find((it) => it.number === number);
      if (process) end(process, 'Runtime.ExitError');
    },
    replace,
    replaceAll: () => {
      for (const n of processes.keys()) replace(n);
    },
    inProgress: () => processes.reduce((sum, { inProgress }) => sum + inProgress.size, 0),
  };
};

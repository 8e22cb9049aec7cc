/** The embedded Lambda: calls the functions of the template by name, in the main thread or in background threads. */
import { performance } from 'node:perf_hooks';
import * as v from 'valibot';
import { addUsage, addWork, type Meter } from '../../cost/meter.ts';
import { newLoad } from '../load.ts';
import type { LocalTemplate } from '../template.ts';
import { FunctionError, importHandlers, type ReportWork } from './handlers.ts';
import { startThreads } from './threads.ts';

const FunctionProperties = v.object({
  Timeout: v.optional(v.number(), 3),
  MemorySize: v.optional(v.number(), 128),
  Architectures: v.optional(v.array(v.picklist(['arm64', 'x86_64'])), ['x86_64']),
  LoggingConfig: v.optional(v.object({ SystemLogLevel: v.optional(v.string(), 'INFO') }), {}),
  Environment: v.optional(
    v.object({ Variables: v.optional(v.record(v.string(), v.union([v.string(), v.number()])), {}) }),
    {},
  ),
});

export type LocalFunction = {
  name: string;
  arn: string;
  /** Source file of the handler, relative to the project's folder. */
  entry: string;
  timeoutMs: number;
  memoryMb: number;
  architecture: 'arm64' | 'x86_64';
  /** Whether Lambda itself logs START, END and REPORT lines for each call. */
  isReported: boolean;
  environment: Record<string, string>;
};

export type Functions = {
  all: LocalFunction[];
  /**
   * Calls a function by ARN, name or entry file, in the caller's trace if any. Rejects with a FunctionError if the handler throws
   * or times out, or if there is no such function.
   */
  invoke: (target: string, event: unknown, trace?: string) => Promise<unknown>;
  /** Milliseconds of processor time of the threads that run JavaScript: the main thread, and those of the functions. */
  threadsMs: () => Promise<number>;
  /** Waits until no call is in progress, for at most `timeoutMs`. */
  drain: (timeoutMs: number) => Promise<void>;
  /** The part of the time since the last call in which the main thread worked, or the functions' threads if they worked longer: 0 to 1. */
  load: () => number;
  stop: () => Promise<void>;
};

/** The template's functions. Skips functions without an entry: they belong to CDK, and the embedded stack does not call them. */
export const readFunctions = (template: LocalTemplate): LocalFunction[] =>
  template.all('AWS::Lambda::Function').flatMap(({ name, arn, metadata, properties }) => {
    if (typeof metadata.Entry !== 'string') return [];
    const { Timeout, MemorySize, Architectures, LoggingConfig, Environment } = v.parse(
      FunctionProperties,
      properties,
    );
    const environment = Object.fromEntries(
      Object.entries(Environment.Variables ?? {}).map(([key, value]) => [key, String(value)]),
    );
    const architecture = Architectures[0] ?? 'x86_64';
    return [
      {
        name,
        arn,
        entry: metadata.Entry,
        timeoutMs: Timeout * 1000,
        memoryMb: MemorySize,
        architecture,
        isReported: LoggingConfig.SystemLogLevel !== 'WARN',
        environment,
      },
    ];
  });

/**
 * The union of the functions' environments, because all functions share the environment of this process.
 * Throws if two functions have different values for one name.
 */
export const unionOfEnvironments = (functions: LocalFunction[]): Record<string, string> => {
  const union = new Map<string, { value: string; entry: string }>();
  for (const { entry, environment } of functions) {
    for (const [name, value] of Object.entries(environment)) {
      const former = union.get(name);
      if (former && former.value !== value) {
        throw new Error(`${former.entry} and ${entry} have different values of ${name}`);
      }
      union.set(name, { value, entry });
    }
  }
  return Object.fromEntries([...union].map(([name, { value }]) => [name, value]));
};

/**
 * Loads all functions. Set the environment first. Functions for which `inThread` is true run in background threads, so that
 * background work does not delay the functions that clients wait for.
 */
export const loadFunctions = async (
  all: LocalFunction[],
  inThread: (fn: LocalFunction) => boolean,
  meter: Meter,
): Promise<Functions> => {
  const report: ReportWork = (entry, work) => addWork(meter.work, entry, work);
  const [here, threads] = await Promise.all([
    importHandlers(
      all.filter((fn) => !inThread(fn)),
      report,
    ),
    startThreads(all.filter(inThread), report),
  ]);
  const byTarget = new Map(
    all.flatMap((fn) => [fn.arn, fn.name, fn.entry].map((target) => [target, fn] as const)),
  );
  const mainLoad = newLoad(() => performance.eventLoopUtilization());
  let inProgress = 0;

  return {
    all,
    invoke: async (target, event, trace) => {
      const fn = byTarget.get(target);
      if (!fn) throw new FunctionError('ResourceNotFoundException', `Function not found: ${target}`);
      const started = performance.now();
      inProgress += 1;
      try {
        return await (inThread(fn) ? threads.call : here)(fn.entry, event, trace);
      } finally {
        inProgress -= 1;
        addUsage(meter.functions, fn.entry, performance.now() - started);
      }
    },
    threadsMs: async () => {
      const { user, system } = process.threadCpuUsage();
      return (user + system) / 1000 + (await threads.cpuMs());
    },
    drain: async (timeoutMs) => {
      const deadline = Date.now() + timeoutMs;
      while (inProgress > 0 && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20));
    },
    load: () => Math.max(mainLoad(), threads.load()),
    stop: threads.stop,
  };
};

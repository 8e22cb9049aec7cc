/** Plays Lambda: the functions of the template, called by name, here or in a thread of their own. */
import * as v from 'valibot';
import { addUsage, type Meter } from '../../cost/meter.ts';
import type { LocalTemplate } from '../template.ts';
import { FunctionError, importHandlers } from './handlers.ts';
import { startThread } from './thread.ts';

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
  /** Source file of the handler, from the project's folder. */
  entry: string;
  timeoutMs: number;
  memoryMb: number;
  architecture: 'arm64' | 'x86_64';
  /** Whether Lambda logs lines of its own about every call. */
  isReported: boolean;
  environment: Record<string, string>;
};

export type Functions = {
  all: LocalFunction[];
  /** Calls a function by ARN, name or entry file, in the caller's trace where it has one. Rejects with a FunctionError if the handler throws or takes too long. */
  invoke: (target: string, event: unknown, trace?: string) => Promise<unknown>;
  /** Waits until nothing is in hand, for at most so long. */
  drain: (timeoutMs: number) => Promise<void>;
  stop: () => Promise<void>;
};

/** The template's functions. Those without an entry are the CDK's own; nothing here calls them. */
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
 * All functions share this process, so they share its environment: the union of theirs.
 * Throws where two of them want different values for one name.
 */
export const unionOfEnvironments = (functions: LocalFunction[]): Record<string, string> => {
  const union = new Map<string, { value: string; entry: string }>();
  for (const { entry, environment } of functions) {
    for (const [name, value] of Object.entries(environment)) {
      const former = union.get(name);
      if (former && former.value !== value) {
        throw new Error(`${former.entry} and ${entry} want different values of ${name}`);
      }
      union.set(name, { value, entry });
    }
  }
  return Object.fromEntries([...union].map(([name, { value }]) => [name, value]));
};

/**
 * Loads all functions; the environment must be set before. Those that `inThread` names run in a thread of their own, so that
 * what works in the background leaves the main thread to those who wait for an answer.
 */
export const loadFunctions = async (
  all: LocalFunction[],
  inThread: (fn: LocalFunction) => boolean,
  meter: Meter,
): Promise<Functions> => {
  const [here, thread] = await Promise.all([
    importHandlers(all.filter((fn) => !inThread(fn))),
    startThread(all.filter(inThread)),
  ]);
  const byTarget = new Map(
    all.flatMap((fn) => [fn.arn, fn.name, fn.entry].map((target) => [target, fn] as const)),
  );
  let inHand = 0;

  return {
    all,
    invoke: async (target, event, trace) => {
      const fn = byTarget.get(target);
      if (!fn) throw new FunctionError('ResourceNotFoundException', `Function not found: ${target}`);
      const started = performance.now();
      inHand += 1;
      try {
        return await (inThread(fn) ? thread.call : here)(fn.entry, event, trace);
      } finally {
        inHand -= 1;
        addUsage(meter.functions, fn.entry, performance.now() - started);
      }
    },
    drain: async (timeoutMs) => {
      const deadline = Date.now() + timeoutMs;
      while (inHand > 0 && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20));
    },
    stop: thread.stop,
  };
};

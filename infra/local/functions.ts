/** Plays Lambda: the handlers of the template, imported once from their source files and called in this process. */
import { randomUUID } from 'node:crypto';
import type { Context } from 'aws-lambda';
import * as v from 'valibot';
import { addUsage, type Meter } from './meter.ts';
import type { LocalTemplate } from './template.ts';

const root = new URL('../../', import.meta.url);

const FunctionProperties = v.object({
  Timeout: v.optional(v.number(), 3),
  MemorySize: v.optional(v.number(), 128),
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
  environment: Record<string, string>;
};

/** What a caller of Lambda sees of a handler that threw: a name and a message. */
export class FunctionError extends Error {
  constructor(name: string, message: string) {
    super(message);
    this.name = name;
  }
}

export type Functions = {
  all: LocalFunction[];
  /** Calls a function by ARN, name or entry file. Rejects with a FunctionError if the handler throws or takes too long. */
  invoke: (target: string, event: unknown) => Promise<unknown>;
  /** Waits until nothing is in hand, for at most so long. */
  drain: (timeoutMs: number) => Promise<void>;
};

/** The template's functions. Those without an entry are the CDK's own; nothing here calls them. */
export const readFunctions = (template: LocalTemplate): LocalFunction[] =>
  template.all('AWS::Lambda::Function').flatMap(({ name, arn, metadata, properties }) => {
    if (typeof metadata.Entry !== 'string') return [];
    const { Timeout, MemorySize, Environment } = v.parse(FunctionProperties, properties);
    const environment = Object.fromEntries(
      Object.entries(Environment.Variables ?? {}).map(([key, value]) => [key, String(value)]),
    );
    return [
      { name, arn, entry: metadata.Entry, timeoutMs: Timeout * 1000, memoryMb: MemorySize, environment },
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

type Handler = (event: unknown, context: Context) => unknown;

const importHandler = async ({ entry }: LocalFunction): Promise<Handler> => {
  const module: { handler?: unknown } = await import(new URL(entry, root).href);
  const { handler } = module;
  if (typeof handler !== 'function') throw new Error(`${entry} exports no handler`);
  return (event, context) => handler(event, context);
};

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
    getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
    done: () => undefined,
    fail: () => undefined,
    succeed: () => undefined,
  };
};

/** Imports all handlers; the environment must be set before. */
export const loadFunctions = async (all: LocalFunction[], meter: Meter): Promise<Functions> => {
  const loaded = await Promise.all(all.map(async (fn) => ({ fn, handler: await importHandler(fn) })));
  const byTarget = new Map(
    loaded.flatMap((it) => [it.fn.arn, it.fn.name, it.fn.entry].map((target) => [target, it] as const)),
  );
  let inHand = 0;

  const run = async (fn: LocalFunction, handler: Handler, event: unknown): Promise<unknown> => {
    const started = performance.now();
    const expiry = Promise.withResolvers<never>();
    const timer = setTimeout(
      () =>
        expiry.reject(
          new FunctionError('Sandbox.Timedout', `Task timed out after ${fn.timeoutMs / 1000} seconds`),
        ),
      fn.timeoutMs,
    );
    inHand += 1;
    try {
      const answer = handler(event, contextOf(fn, Date.now() + fn.timeoutMs));
      // Lambda answers JSON, in which there is no undefined.
      return (await Promise.race([answer, expiry.promise])) ?? null;
    } catch (error) {
      if (error instanceof Error) throw new FunctionError(error.name, error.message);
      throw new FunctionError('Error', String(error));
    } finally {
      clearTimeout(timer);
      inHand -= 1;
      addUsage(meter.functions, fn.entry, {
        durationMs: performance.now() - started,
        memoryMb: fn.memoryMb,
        billedInMs: 1,
      });
    }
  };

  return {
    all,
    invoke: async (target, event) => {
      const found = byTarget.get(target);
      if (!found) throw new FunctionError('ResourceNotFoundException', `Function not found: ${target}`);
      return run(found.fn, found.handler, event);
    },
    drain: async (timeoutMs) => {
      const deadline = Date.now() + timeoutMs;
      while (inHand > 0 && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20));
    },
  };
};

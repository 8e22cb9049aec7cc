/**
 * What the code at work is about: the invocation, the user, the task, its trace. By AsyncLocalStorage, because a consumer handles
 * ten tasks side by side, and on the embedded stack all functions share a process.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

export type Scope = {
  function?: string;
  request_id?: string;
  user_id?: number;
  task_id?: number;
  /** The task's trace, as the header `X-Amzn-Trace-Id` has it. */
  trace?: string;
};

const scopes = new AsyncLocalStorage<Scope>();

export const scope = (): Scope => scopes.getStore() ?? {};

/** Runs something that is about more than what is around it. */
export const withScope = <T>(known: Scope, run: () => T): T => scopes.run({ ...scope(), ...known }, run);

/** Adds to the scope at hand what has come out meanwhile. */
export const addToScope = (known: Scope): void => {
  Object.assign(scope(), known);
};

const Root = /Root=(1-[\da-f]{8}-[\da-f]{24})/;

/** The id by which a trace is found; undefined where there is none. */
export const traceIdOf = (trace = ''): string | undefined => Root.exec(trace)?.[1];

/**
 * A trace as it travels with a task. `Lineage`, by which Lambda counts how often a chain of calls came back to a function, is the
 * invocation's and stays behind.
 */
export const traceOf = (header: string): string | undefined =>
  traceIdOf(header) && header.replace(/;?Lineage=[^;]*/, '');

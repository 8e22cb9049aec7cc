/**
 * The scope of the running code: the invocation, the user, the task and its trace. In an AsyncLocalStorage,
 * because a consumer handles ten tasks concurrently, and on the embedded stack all functions share a process.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

export type Scope = {
  function?: string;
  request_id?: string;
  user_id?: number;
  task_id?: number;
  /** The request waits for the end of a task, so its duration says nothing about the service. */
  waits?: boolean;
  /** Names of the items that the lists of the request have left out (`later-release.ts`). Not in the log. */
  leftOut?: string[];
  /** The task's trace, in the form of the header `X-Amzn-Trace-Id`. */
  trace?: string;
};

const scopes = new AsyncLocalStorage<Scope>();

export const scope = (): Scope => scopes.getStore() ?? {};

/** Runs a function in a new scope: the current scope plus the given fields. */
export const withScope = <T>(fields: Scope, run: () => T): T => scopes.run({ ...scope(), ...fields }, run);

/** Adds fields to the current scope. */
export const addToScope = (fields: Scope): void => {
  Object.assign(scope(), fields);
};

const Root = /Root=(1-[\da-f]{8}-[\da-f]{24})/;

/** The id of a trace; undefined if the header has none. */
export const traceIdOf = (trace = ''): string | undefined => Root.exec(trace)?.[1];

/**
 * The trace that is stored with a task. Without `Lineage`, which belongs to the invocation: Lambda uses it to
 * count how often a chain of calls came back to a function.
 */
export const traceOf = (header: string): string | undefined =>
  traceIdOf(header) && header.replace(/;?Lineage=[^;]*/, '');

/**
 * Structured log lines, one JSON object each: the message, the invocation, the task, the trace and the
 * metrics. They never contain a key, a token or a body. `level` and `timestamp` have the names and the values
 * of Lambda's JSON log format: Lambda filters by them, and one query finds our lines and those that its
 * runtime writes.
 */
import { clockMs } from './clock.ts';
import { setting } from './env.ts';
import { embed, type Measured } from './metrics.ts';
import { scope, traceIdOf } from './scope.ts';

export type Fields = Record<string, string | number | boolean | null | undefined>;

let stream: 'stdout' | 'stderr' = 'stdout';

/** From now on, lines go to standard error: the standard output of a command is its result. */
export const logToStandardError = (): void => {
  stream = 'stderr';
};

const write =
  (level: 'INFO' | 'WARN' | 'ERROR') =>
  (message: string, fields: Fields = {}, measured?: Measured) => {
    const now = new Date(clockMs());
    const service = setting('SERVICE');
    const { trace, leftOut, ...about } = scope();
    const line = {
      level,
      timestamp: now.toISOString(),
      message,
      service,
      ...about,
      trace_id: traceIdOf(trace),
      ...fields,
      ...(measured && embed(measured, service, now.getTime())),
    };
    process[stream].write(`${JSON.stringify(line)}\n`);
  };

export const log = { info: write('INFO'), warn: write('WARN'), error: write('ERROR') };

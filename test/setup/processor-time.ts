/**
 * Measures the processor time of the running test file: that of its worker, and that of the processes that
 * the worker has started and that have ended.
 */
import { afterAll } from 'vitest';
import { processMs, readProcess } from '../../infra/local/processor-time.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** Milliseconds. */
    processorMs?: number;
  }
}

/** A worker of the rungs without isolation runs several files. */
const measured: { processorMs?: number } & typeof globalThis = globalThis;

// The first hook after all others of a file.
// biome-ignore lint/correctness/noEmptyPattern: vitest requires a pattern for the context
afterAll(({}, file) => {
  const total = processMs() + (readProcess('self')?.ofEnded ?? 0);
  file.meta.processorMs = total - (measured.processorMs ?? 0);
  measured.processorMs = total;
});

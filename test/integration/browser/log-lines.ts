/** The log lines that the code under test writes. */
import { vi } from 'vitest';

/**
 * Keeps log lines from the output. Returns a function that gives the lines so far. Restore the mock after the
 * test.
 */
export const linesOf = (): (() => Record<string, unknown>[]) => {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  return () => write.mock.calls.map(([line]) => JSON.parse(String(line)));
};

/** A command whose output is lost: the work goes on, and what was lost is said. */
import { EventEmitter } from 'node:events';
import { afterEach, expect, test, vi } from 'vitest';
import { beginCommand } from '../../../infra/commands/begin-command.ts';

afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = undefined;
});

/** Begins a command, and lets its output fail twice. Gives what it says, and its exit code. */
const failing = (code: string, message: string) => {
  const output = new EventEmitter();
  vi.spyOn(process, 'stdout', 'get').mockReturnValue(output as typeof process.stdout);
  const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  beginCommand();
  for (const _ of [1, 2]) output.emit('error', Object.assign(new Error(message), { code }));
  return [said.mock.calls.flat(), process.exitCode];
};

test('a reader that leaves ends no command: its work goes on', () => {
  expect(failing('EPIPE', 'write EPIPE')).toEqual([[], undefined]);
});

test('a full disk is said once, and the command fails at its end: the key of a user may be lost', () => {
  expect(failing('ENOSPC', 'no space left on device')).toEqual([
    ['What was printed is lost: no space left on device'],
    1,
  ]);
});

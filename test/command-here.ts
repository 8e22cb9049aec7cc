/**
 * Runs a command of `infra/commands` in the process of the test. A separate process takes ten times the
 * processor time.
 */
import { Readable, Writable } from 'node:stream';
import { vi } from 'vitest';
import { bareEnvironment } from './bare-environment.ts';

const commands = {
  deliveries: () => import('../infra/commands/deliveries.ts'),
  doctor: () => import('../infra/commands/doctor.ts'),
  fetchers: () => import('../infra/commands/fetchers.ts'),
  project: () => import('../infra/commands/project.ts'),
  secret: () => import('../infra/commands/secret.ts'),
  tasks: () => import('../infra/commands/tasks.ts'),
  user: () => import('../infra/commands/user.ts'),
  verify: () => import('../infra/commands/verify.ts'),
};

export type Command = keyof typeof commands;

export type Printed = { code: number; stdout: string; stderr: string };

/**
 * Runs a command with these arguments, this input and this environment, to which only `bareEnvironment` is
 * added. No other command may run at the same time. A file that uses it also runs the command once as a
 * process: this one does not show what the end of a process needs.
 */
export const commandHere = async (
  command: Command,
  args: readonly string[],
  env: Record<string, string>,
  input = '',
): Promise<Printed> => {
  const { argv, env: environment } = process;
  const printed = { stdout: '', stderr: '' };
  const collect = (name: keyof typeof printed) =>
    new Writable({
      write: (chunk, _encoding, done) => {
        printed[name] += chunk;
        done();
      },
    });
  const stdout = collect('stdout') as typeof process.stdout;
  const stderr = collect('stderr') as typeof process.stderr;
  const stdin = Readable.from([input]) as typeof process.stdin;
  const spies = [
    vi.spyOn(process, 'stdin', 'get').mockReturnValue(stdin),
    vi.spyOn(process, 'stdout', 'get').mockReturnValue(stdout),
    vi.spyOn(process, 'stderr', 'get').mockReturnValue(stderr),
    // The console of Vitest does not write to the streams of the process.
    vi.spyOn(console, 'log').mockImplementation((line) => void process.stdout.write(`${line}\n`)),
    vi.spyOn(console, 'error').mockImplementation((line) => void process.stderr.write(`${line}\n`)),
  ];
  // A command is a module that runs when it is imported.
  vi.resetModules();
  process.argv = [process.execPath, `infra/commands/${command}.ts`, ...args];
  // The command names the resources of the stack there.
  process.env = { ...bareEnvironment, ...env };
  try {
    await commands[command]();
    return { code: Number(process.exitCode ?? 0), ...printed };
  } finally {
    process.argv = argv;
    process.env = environment;
    process.exitCode = undefined;
    for (const spy of spies) spy.mockRestore();
  }
};

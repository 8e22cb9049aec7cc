/**
 * Runs a command of `infra/commands` in the process of the test. A separate process takes ten times the
 * processor time.
 */
import { Readable } from 'node:stream';
import { vi } from 'vitest';

const commands = {
  deliveries: () => import('../../infra/commands/deliveries.ts'),
  doctor: () => import('../../infra/commands/doctor.ts'),
  fetchers: () => import('../../infra/commands/fetchers.ts'),
  project: () => import('../../infra/commands/project.ts'),
  secret: () => import('../../infra/commands/secret.ts'),
  tasks: () => import('../../infra/commands/tasks.ts'),
  user: () => import('../../infra/commands/user.ts'),
  verify: () => import('../../infra/commands/verify.ts'),
};

export type Command = keyof typeof commands;

export type Printed = { code: number; stdout: string; stderr: string };

/**
 * Runs a command with these arguments, this input and these variables of the environment beside those of this
 * process. No other command may run at the same time. A file that uses it also runs the command once as a
 * process: this one does not show what the end of a process needs.
 */
export const commandHere = async (
  command: Command,
  args: readonly string[],
  env: Record<string, string>,
  input = '',
): Promise<Printed> => {
  const [{ argv }, environment] = [process, { ...process.env }];
  const printed = { log: '', error: '' };
  const spies = (['log', 'error'] as const).map((name) =>
    vi.spyOn(console, name).mockImplementation((line) => {
      printed[name] += `${line}\n`;
    }),
  );
  const stdin = vi
    .spyOn(process, 'stdin', 'get')
    .mockReturnValue(Readable.from([input]) as typeof process.stdin);
  // A command is a module that runs when it is imported.
  vi.resetModules();
  process.argv = [process.execPath, `infra/commands/${command}.ts`, ...args];
  Object.assign(process.env, env);
  try {
    await commands[command]();
    return { code: Number(process.exitCode ?? 0), stdout: printed.log, stderr: printed.error };
  } finally {
    process.argv = argv;
    // The command names the resources of the stack there.
    process.env = environment;
    process.exitCode = undefined;
    for (const spy of [...spies, stdin]) spy.mockRestore();
  }
};

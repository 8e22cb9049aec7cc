/** The project's commands on the emulator, as an operator runs them: with the address and credentials in the environment. */
import { spawn } from 'node:child_process';

type Options = {
  env?: Record<string, string>;
  /** What it reads from standard input. */
  input?: string;
  show?: (text: string) => void;
};

/** Runs a file of `infra/commands` with what the environment says of the emulator. */
export const command = async (
  name: string,
  args: readonly string[],
  { env = {}, input = '', show = () => {} }: Options = {},
): Promise<{ code: number | null; printed: string }> => {
  const child = spawn(process.execPath, [`infra/commands/${name}.ts`, ...args], {
    env: {
      ...process.env,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      ...env,
    },
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
      show(text);
    });
  }
  // It may end without having read.
  child.stdin.on('error', () => {}).end(input);
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, printed })));
};

/** Deploys, and answers with the address that the command names. */
export const deploy = async (args: readonly string[] = [], options: Options = {}): Promise<string> => {
  const { code, printed } = await command('deploy-localstack', args, options);
  const [, url] = /^ *address +(\S+)$/m.exec(printed) ?? [];
  if (code !== 0 || !url) {
    throw new Error(`The deployment ended with ${code}:\n${options.show ? 'see above' : printed}`);
  }
  return url;
};

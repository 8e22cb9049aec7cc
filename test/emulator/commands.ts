/**
 * Runs the project's commands on the emulator like an operator, with the address and the credentials in the
 * environment.
 */
import { spawn } from 'node:child_process';
import { makeCdkHome } from '../cdk-home.ts';

type Options = {
  env?: Record<string, string>;
  /** The text on its standard input. */
  input?: string;
  show?: (text: string) => void;
};

/** Runs a file of `infra/commands`. `printed` is its output and its errors. */
export const command = async (
  name: string,
  args: readonly string[],
  { env = {}, input = '', show = () => {} }: Options = {},
): Promise<{ code: number | null; printed: string }> => {
  const { CDK_HOME, remove } = makeCdkHome();
  const child = spawn(process.execPath, [`infra/commands/${name}.ts`, ...args], {
    env: {
      ...process.env,
      CDK_HOME,
      // Each command of CDK would start a process that reports its use.
      CDK_DISABLE_CLI_TELEMETRY: 'true',
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
  // Ignore errors: the command may end before it reads its input.
  child.stdin.on('error', () => {}).end(input);
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  remove();
  return { code, printed };
};

/** Deploys the stack and returns the address that the command prints. */
export const deploy = async (args: readonly string[] = [], options: Options = {}): Promise<string> => {
  const { code, printed } = await command('deploy-localstack', args, options);
  const [, url] = /^ *address +(\S+)$/m.exec(printed) ?? [];
  if (code !== 0 || !url) {
    throw new Error(`The deployment failed with exit code ${code}:\n${options.show ? 'see above' : printed}`);
  }
  return url;
};

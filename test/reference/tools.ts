/** The generators and linters of the OpenAPI document, in folders that Git ignores. */
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makePythonEnvironment } from '../python-environment.ts';

/** The folder that has the programs' own files: requests of clients, versions, and what to ignore. */
export const sources = fileURLToPath(new URL('clients', import.meta.url));

const installed = fileURLToPath(new URL('../../.clients', import.meta.url));

/**
 * Runs a program, and returns its output. @throws with the output if the program fails. `path`: folders of
 * further programs. `env`: further variables.
 */
export const run = (
  cwd: string,
  command: string,
  args: readonly string[],
  path: readonly string[] = [],
  env: Record<string, string> = {},
): { stdout: string; stderr: string } => {
  const PATH = [...path, process.env.PATH].join(delimiter);
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, ...env, PATH },
    // A shell whose input is a socket reads the settings of its user, which can put other programs first.
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (error) throw error;
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}\n${stdout}${stderr}`);
  return { stdout, stderr };
};

/**
 * Installs the packages of the `package.json` in the folder `from` into a folder of this name, unless they
 * are there. Returns that folder.
 */
export const nodeTools = (from = sources, name = 'node'): string => {
  const folder = join(installed, name);
  const versions = join(folder, 'package.json');
  const wanted = join(from, 'package.json');
  const isInstalled =
    existsSync(join(folder, 'node_modules')) &&
    readFileSync(versions, 'utf8') === readFileSync(wanted, 'utf8');
  if (!isInstalled) {
    console.log(`Installing packages into ${folder}`);
    mkdirSync(folder, { recursive: true });
    copyFileSync(wanted, versions);
    run(folder, 'npm', [
      'install',
      '--no-audit',
      '--no-fund',
      '--no-package-lock',
      '--save-exact',
      '--ignore-scripts',
    ]);
  }
  return folder;
};

export const hasProgram = (name: string): boolean =>
  spawnSync('bash', ['-c', `command -v ${name}`], { stdio: 'ignore' }).status === 0;

/**
 * Runs a command of Maven or Go that gets a generator, unless it has been run before, and puts the archive
 * that it got into the folder. Returns the folders of the programs that it got. Other commands get packages
 * that this project installs in its own way.
 */
export const commandTools = (command: string, folder: string): string[] => {
  const [program = ''] = command.split(' ');
  if (program !== 'mvn' && program !== 'go') return [];
  const tools = join(installed, program);
  const done = join(tools, 'command.txt');
  if (!existsSync(done) || readFileSync(done, 'utf8') !== command) {
    console.log(`${command} (in ${tools})`);
    mkdirSync(tools, { recursive: true });
    run(tools, 'bash', ['-c', command], [], { GOBIN: tools });
    writeFileSync(done, command);
  }
  for (const file of readdirSync(tools).filter((name) => name.endsWith('.jar')))
    symlinkSync(join(tools, file), join(folder, file));
  return [tools];
};

/**
 * Installs the packages of the `requirements.txt` in the folder `from` into a folder of this name. Returns a
 * function that gives the path of a Python program.
 */
export const pythonTools = (from = sources, name = 'python'): ((program: string) => string) =>
  makePythonEnvironment(join(installed, name), join(from, 'requirements.txt'));

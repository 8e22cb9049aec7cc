/** Makes `.emulator`, where the programs of Python lie that the project is checked with: the emulator of AWS, and cfn-lint. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const requirements = fileURLToPath(new URL('requirements.txt', import.meta.url));
const folder = fileURLToPath(new URL('../../.emulator', import.meta.url));

const run = (command: string, ...args: string[]) => spawnSync(command, args, { encoding: 'utf8' });

const isNewEnough = (python: string): boolean =>
  run(python, '-c', 'import sys; sys.exit(sys.version_info < (3, 11))').status === 0;

const findPython = (): string => {
  const names = ['python3', 'python3.14', 'python3.13', 'python3.12', 'python3.11'];
  const found = names.find(isNewEnough);
  if (!found) throw new Error('This needs Python 3.11 or newer, as python3 on the PATH');
  return found;
};

/** Makes the folder, unless it holds what `requirements.txt` names. Answers where a program of it lies. */
export const makeFolder = (): ((program: 'ministack' | 'cfn-lint') => string) => {
  const installed = join(folder, 'installed.txt');
  const wanted = readFileSync(requirements, 'utf8');
  if (!existsSync(installed) || readFileSync(installed, 'utf8') !== wanted) {
    const python = findPython();
    console.log(`Installing ${wanted.trim().replaceAll('\n', ', ')} into ${folder}`);
    rmSync(folder, { recursive: true, force: true });
    const made = run(python, '-m', 'venv', folder);
    if (made.status !== 0) {
      throw new Error(
        `${python} makes no virtual environment (Debian and Ubuntu: apt-get install python3-venv)\n${made.stdout}${made.stderr}`,
      );
    }
    const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', requirements];
    const filled = run(join(folder, 'bin/python'), ...pip);
    if (filled.status !== 0) throw new Error(`pip installs nothing:\n${filled.stdout}${filled.stderr}`);
    writeFileSync(installed, wanted);
  }
  return (program) => join(folder, 'bin', program);
};

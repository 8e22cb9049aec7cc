/** Makes virtual environments with Python programs that checks need. Git ignores their folders. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const run = (command: string, ...args: string[]) => spawnSync(command, args, { encoding: 'utf8' });

const isNewEnough = (python: string, minor: number): boolean =>
  run(python, '-c', `import sys; sys.exit(sys.version_info < (3, ${minor}))`).status === 0;

/** The name of a Python 3 of this minor version or a later one. @throws if there is none. */
export const findPython = (minor = 11): string => {
  const names = ['python3', 'python3.14', 'python3.13', 'python3.12', 'python3.11'];
  const found = names.find((name) => isNewEnough(name, minor));
  if (!found)
    throw new Error(`This needs Python 3.${minor} or newer. Install it and put it on the PATH as python3.`);
  return found;
};

/**
 * Makes the folder, unless it has the versions of the requirements file. Needs Python 3 of this minor version
 * or a later one. Returns a function that gives the path of a program in it. Throws if there is no Python, or
 * if pip fails.
 */
export const makePythonEnvironment = (
  folder: string,
  requirements: string,
  minor = 11,
): ((program: string) => string) => {
  const installed = join(folder, 'installed.txt');
  const wanted = readFileSync(requirements, 'utf8');
  if (!existsSync(installed) || readFileSync(installed, 'utf8') !== wanted) {
    const python = findPython(minor);
    console.log(`Installing ${wanted.trim().replaceAll('\n', ', ')} into ${folder}`);
    rmSync(folder, { recursive: true, force: true });
    const made = run(python, '-m', 'venv', folder);
    if (made.status !== 0) {
      throw new Error(
        `${python} could not make a virtual environment (on Debian and Ubuntu: apt-get install python3-venv)\n${made.stdout}${made.stderr}`,
      );
    }
    // Python compiles what is imported. Most files of these packages never are.
    const options = ['--quiet', '--disable-pip-version-check', '--no-compile'];
    const pip = ['-m', 'pip', 'install', ...options, '-r', requirements];
    const filled = run(join(folder, 'bin/python'), ...pip);
    if (filled.status !== 0)
      throw new Error(`pip could not install the requirements:\n${filled.stdout}${filled.stderr}`);
    writeFileSync(installed, wanted);
  }
  return (program) => join(folder, 'bin', program);
};

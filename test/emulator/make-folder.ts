/**
 * Makes `.emulator`, a virtual environment with the Python programs of the checks: the emulator of AWS and
 * cfn-lint.
 */
import { fileURLToPath } from 'node:url';
import { makePythonEnvironment } from '../python-environment.ts';

const requirements = fileURLToPath(new URL('requirements.txt', import.meta.url));
const folder = fileURLToPath(new URL('../../.emulator', import.meta.url));

/**
 * Makes the folder, unless it has the versions of `requirements.txt`. Returns a function that gives the path
 * of a program in it.
 */
export const makeFolder = (): ((program: 'ministack' | 'cfn-lint') => string) =>
  makePythonEnvironment(folder, requirements);

/**
 * Unpacks Chromium from its package. The package unpacks into the temporary folder, and takes a file that is
 * there already: on a machine, that could be one of another user, of another version, or half of one. So
 * each user has a folder for each version, which appears when all of it is written.
 */
import { execFile } from 'node:child_process';
import { lstat, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import chromium, { inflate, setupLambdaEnvironment } from '@sparticuz/chromium';
import { isOnLambda, programEnvironment } from '../runtime/env.ts';

/** `--version` answers at once. */
const versionMs = 2000;

/** The package: installed, or beside the Lambda bundle. */
const packageFile = (): string => findPackageJSON('@sparticuz/chromium', import.meta.url) ?? '';

const packed = (): string => join(dirname(packageFile()), 'bin');

/** Runs work of the package with another temporary folder. The package reads its path at once. */
const withTemporary = <Result>(folder: string, work: () => Result): Result => {
  const { TMPDIR } = process.env;
  process.env.TMPDIR = folder;
  try {
    return work();
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  }
};

/** Absent on Windows, which has no Chromium. `userInfo` fails if the user has no name, as in containers. */
const userId = (): number | undefined => process.getuid?.();

/** @throws if the folder belongs to another user, who could have put any program there. */
const isThere = async (folder: string): Promise<boolean> => {
  const found = await lstat(folder).catch(() => undefined);
  if (found && !(found.isDirectory() && found.uid === userId()))
    throw new Error(`${folder} is not a folder of this user. Remove it, or set TMPDIR`);
  return found !== undefined;
};

/** The folder of Chromium, its libraries and its fonts on this machine. */
export const chromiumFolder = async (): Promise<string> => {
  const { version } = JSON.parse(await readFile(packageFile(), 'utf8'));
  return join(tmpdir(), `chromium-${version}-${userId()}`);
};

/** The path of Chromium, which is unpacked if it was not yet. Several processes may do so at once. */
export const unpackChromium = async (): Promise<string> => {
  // The fonts of the package are found at one path only. Nobody else uses this temporary folder.
  if (isOnLambda()) return chromium.executablePath(packed());
  const folder = await chromiumFolder();
  if (!(await isThere(folder))) {
    const made = await mkdtemp(`${folder}-`);
    try {
      await withTemporary(made, () =>
        Promise.all([chromium.executablePath(packed()), inflate(join(packed(), 'al2023.tar.br'))]),
      );
      const fonts = join(made, 'fonts', 'fonts.conf');
      const text = await readFile(fonts, 'utf8');
      await writeFile(fonts, text.replaceAll('/tmp/fonts', join(folder, 'fonts')));
      await rename(made, folder);
    } catch (error) {
      await rm(made, { recursive: true, force: true });
      // Another process was faster.
      if (!(await isThere(folder))) throw error;
    }
  }
  return join(folder, 'chromium');
};

/** Whether the loader of programs misses a library of the program on this machine. */
const lacksLibrary = async (program: string): Promise<boolean> => {
  const options = { env: programEnvironment(), timeout: versionMs };
  const { stderr } = await promisify(execFile)(program, ['--version'], options).catch((error) => error);
  return String(stderr).includes('error while loading shared libraries');
};

let unpacking: Promise<string> | undefined;

/**
 * Launches Chromium, and once more with the libraries that its package brings for Lambda if this machine
 * lacks one: an image of Node has no libraries of a desktop.
 */
export const launchWith = async <Browser>(
  launch: (executablePath: string) => Promise<Browser>,
): Promise<Browser> => {
  // Once in a process. A failure is not kept.
  unpacking ??= unpackChromium().catch((error) => {
    unpacking = undefined;
    throw error;
  });
  const program = await unpacking;
  try {
    return await launch(program);
  } catch (error) {
    // The error of Puppeteer does not say it.
    if (!(await lacksLibrary(program))) throw error;
    // Chromium gets these variables of this process: `programEnvironment`.
    const folder = dirname(program);
    withTemporary(folder, () => setupLambdaEnvironment(join(folder, 'al2023', 'lib')));
    return launch(program);
  }
};

/**
 * The program of the embedded stack: its modules, and the packages that they import, in some dozens of files.
 * It starts in half the processor time of the sources. `make-program.ts` makes it from the sources. It is
 * kept for later starts in a folder that is named after the key of the sources, so that an edit, or another
 * version of a package, makes another program.
 */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { bundlerFault } from '../bundler.ts';
import { cacheFolder } from './cache-folder.ts';
import { sourcesKey } from './sources-key.ts';

const prefix = 'program-';

/** A running stack says so often that its program is in use, because it imports some files late. */
const usedEveryMs = 600_000;

/** A program that was not in use for so long is removed when another one is made. */
const unusedMs = 2 * 3_600_000;

/** The compiled code of all programs is in one folder, which is emptied when it is larger. */
const mostCompiledBytes = 400_000_000;

const run = promisify(execFile);

/** Makes the program in a separate process, which frees the memory of the bundler. */
const makeInProcess = async (folder: string): Promise<void> => {
  await run(process.execPath, [fileURLToPath(new URL('make-program.ts', import.meta.url)), folder]);
};

/** Renames first, so that no start finds a program of which a part is removed. */
const removeUnused = (all: string, kept: string): void => {
  const before = Date.now() - unusedMs;
  for (const name of readdirSync(all)) {
    const folder = join(all, name);
    if (name === kept || (statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0) > before) continue;
    const removed = join(all, `removed-${randomUUID()}`);
    renameSync(folder, removed);
    rmSync(removed, { recursive: true, force: true });
  }
};

const limitCompiled = (folder: string, mostBytes: number): void => {
  if (!existsSync(folder)) return;
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((it) => it.isFile());
  const bytes = files.reduce(
    (sum, { parentPath, name }) =>
      sum + (statSync(join(parentPath, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
  if (bytes > mostBytes) rmSync(folder, { recursive: true, force: true });
};

const makeOnce = async (
  all: string,
  name: string,
  make: (folder: string) => Promise<void>,
): Promise<void> => {
  const unfinished = join(all, `unfinished-${randomUUID()}`);
  mkdirSync(unfinished, { recursive: true });
  try {
    await make(unfinished);
    // Fails if another start has made it meanwhile.
    renameSync(unfinished, join(all, name));
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    if (!existsSync(join(all, name))) throw error;
  }
};

/**
 * The folder of the program of this key, which is made if there is none. Rejects if it cannot be made, for
 * example because the folder `all` cannot be written.
 */
export const openProgram = async (
  key: string,
  make = makeInProcess,
  all = cacheFolder('programs'),
  compiled = cacheFolder('compiled'),
  mostBytes = mostCompiledBytes,
): Promise<string> => {
  const name = `${prefix}${key}`;
  const folder = join(all, name);
  if (existsSync(folder)) return folder;
  await makeOnce(all, name, make);
  try {
    removeUnused(all, name);
    limitCompiled(compiled, mostBytes);
  } catch {
    // Another start removes the same folders, or the next one does.
  }
  return folder;
};

/** Says from now on that the program is in use. */
const use = (folder: string): void => {
  const now = () => {
    try {
      utimesSync(folder, new Date(), new Date());
    } catch {
      // A folder that cannot be written is not removed either.
    }
  };
  now();
  setInterval(now, usedEveryMs).unref();
};

type Serve = typeof import('./serve.ts').serve;

/**
 * Imports what runs the service: of the program, or, if it cannot be made, of the sources, which it says.
 * Returns a function that runs it.
 */
export const importService = async (): Promise<() => Promise<void>> => {
  const key = sourcesKey();
  let serve: Serve;
  try {
    const folder = await openProgram(key);
    use(folder);
    ({ serve } = await import(pathToFileURL(join(folder, 'serve.mjs')).href));
  } catch (error) {
    const reason = (await bundlerFault()) ?? error;
    console.error(`Starting from the sources, because the program cannot be made or loaded: ${reason}`);
    ({ serve } = await import('./serve.ts'));
  }
  return () => serve(key);
};

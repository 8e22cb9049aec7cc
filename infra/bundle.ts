/**
 * The code of the functions, as it is deployed (`bundle-functions.ts`). All of them are bundled when the
 * first one is needed.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

const script = join(root, 'infra/bundle-functions.ts');

export type BesideBundle = {
  /** Files and folders of a package. */
  files?: { from: string; names: string[] };
  /** Files and folders of the project that the code reads. */
  data?: string[];
  /** Scripts of the project that write more files: each gets a folder as its argument. */
  built?: { script: string; folder: string }[];
};

/** The folders of the bundles of all functions, without and with the sandbox. */
const folders = new Map<boolean, string>();

/**
 * The variable that names a folder for the bundles, which keeps them for another process. Otherwise they are
 * removed when this process ends.
 */
export const bundlesVariable = 'SERVICE_BUNDLES';

/** The file whose presence says that a folder is complete. */
const completeFile = 'complete';

const buildAll = (withSandbox: boolean): string => {
  const given = process.env[bundlesVariable];
  const kept = given && join(given, withSandbox ? 'sandbox' : 'live');
  if (kept && existsSync(join(kept, completeFile))) return kept;
  const folder = kept || mkdtempSync(join(tmpdir(), 'functions-'));
  if (!kept) process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  execFileSync(process.execPath, [script, folder, withSandbox ? 'sandbox' : 'live'], { stdio: 'inherit' });
  writeFileSync(join(folder, completeFile), '');
  return folder;
};

/**
 * Bundles a function and puts files beside its code. Returns the folder, which exists until this process
 * ends.
 * @throws if esbuild finds an error in the code.
 */
export const bundle = (
  entry: string,
  withSandbox: boolean,
  { files, data = [], built = [] }: BesideBundle,
): string => {
  const all = folders.get(withSandbox) ?? buildAll(withSandbox);
  folders.set(withSandbox, all);
  const folder = join(all, entry.replace(/\.ts$/, ''));
  if (files) {
    const from = join('node_modules', files.from);
    mkdirSync(join(folder, from), { recursive: true });
    for (const name of files.names) {
      cpSync(join(root, from, name), join(folder, from, name), { recursive: true, dereference: true });
    }
  }
  for (const name of data) cpSync(join(root, name), join(folder, basename(name)), { recursive: true });
  for (const each of built) {
    execFileSync(process.execPath, [join(root, each.script), join(folder, each.folder)]);
  }
  return folder;
};

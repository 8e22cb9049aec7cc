/**
 * Patches of a library's internals. Each patch checks at start that the internals are as expected and that
 * the library calls the patched function, because a change of the library would otherwise disable the patch
 * without any sign.
 */
import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { pathToFileURL } from 'node:url';
import * as v from 'valibot';

const PackageJson = v.pipe(v.string(), v.parseJson(), v.object({ version: v.string() }));

/** The address of a file of a library, for a dynamic import, whether or not the library exports the file. */
export const libraryFile = (library: string, path: string): URL => {
  const packageFile = findPackageJSON(library, import.meta.url);
  if (!packageFile) throw new Error(`${library} is not installed`);
  return new URL(path, pathToFileURL(packageFile));
};

const versionOf = (library: string): string =>
  v.parse(PackageJson, readFileSync(libraryFile(library, 'package.json'), 'utf8')).version;

export type LibraryPatch = {
  /** The error to throw if the patch does not apply. */
  failure: (reason: string) => Error;
  /** Throws unless all of these members are functions. */
  requireFunctions: <Target extends object>(target: Target, names: (keyof Target & string)[]) => void;
};

/** A patch of a library, named in the errors that it throws. package.json must pin the library's version. */
export const libraryPatch = (library: string, name: string): LibraryPatch => {
  const failure = (reason: string) =>
    new Error(`${library} ${versionOf(library)}: the patch "${name}" does not apply: ${reason}`);
  return {
    failure,
    requireFunctions: (target, names) => {
      const missing = names.find((member) => typeof target[member] !== 'function');
      if (missing) throw failure(`${missing} is not a function`);
    },
  };
};

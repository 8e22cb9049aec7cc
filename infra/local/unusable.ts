/** Errors about files in DATA_DIR, for people: each names the file. */

import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** LevelDB's reason is the cause of a general error. */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
};

/** The error to throw if the service cannot work with a file or folder in DATA_DIR. */
export const unusable = (file: string, error: unknown): Error =>
  new Error(`${file} cannot be used: ${reasonOf(error)}. Restore it, or set DATA_DIR to another folder.`, {
    cause: error,
  });

/**
 * Checks that a folder contains only files, folders and links. A read of a named pipe waits forever.
 * @throws with a sentence that names the first other entry.
 */
export const checkEntries = (folder: string): void => {
  const other = readdirSync(folder, { recursive: true, withFileTypes: true }).find(
    (entry) => !entry.isFile() && !entry.isDirectory() && !entry.isSymbolicLink(),
  );
  if (other) throw unusable(join(other.parentPath, other.name), 'it is a pipe, a socket or a device');
};

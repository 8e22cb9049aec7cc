/** Errors about files in DATA_DIR, for people: each names the file. */

import { accessSync, constants, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** LevelDB's reason is the cause of a general error. */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
};

/** What to do about a reason. A file that is as it was need not be restored. */
const remedyOf = (reason: string): string => {
  if (/no space left|ENOSPC|disk is full/i.test(reason)) return 'Make room on the disk';
  if (/EROFS|read-only/i.test(reason)) return 'Make its disk writable';
  if (/EACCES|EPERM|permission denied/i.test(reason)) return 'Become its owner';
  return 'Restore it';
};

/** The error to throw if the service cannot work with a file or folder in DATA_DIR. */
export const unusable = (file: string, error: unknown): Error => {
  const reason = reasonOf(error);
  return new Error(
    `${file} cannot be used: ${reason}. ${remedyOf(reason)}, or set DATA_DIR to another folder.`,
    { cause: error },
  );
};

/** @throws with a sentence if the folder cannot be written: the stores would name another cause. */
export const checkWritable = (folder: string): void => {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw unusable(folder, error);
  }
};

/**
 * Checks that a folder contains only files, folders and links to them. A read of a named pipe waits forever,
 * and a write to a link without a target would replace the link.
 * @throws with a sentence that names the first other entry.
 */
export const checkEntries = (folder: string): void => {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile() || entry.isDirectory()) continue;
    const path = join(entry.parentPath, entry.name);
    const target = statSync(path, { throwIfNoEntry: false });
    if (!target) throw unusable(path, 'it is a link without a target');
    if (!target.isFile() && !target.isDirectory()) throw unusable(path, 'it is a pipe, a socket or a device');
  }
};

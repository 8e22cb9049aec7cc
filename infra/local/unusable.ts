/** Errors about files in DATA_DIR, for people: each names the file. */

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

/**
 * Where the embedded stack keeps what it computes from the source code. The files can be removed at any time.
 */
import { fileURLToPath } from 'node:url';

/** The path of a folder for files of this kind. It need not exist. */
export const cacheFolder = (kind: string): string =>
  fileURLToPath(new URL(`../../node_modules/.cache/${kind}`, import.meta.url));

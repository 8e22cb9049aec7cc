/** Files that a deployment has beside the code. From source, the first request builds them all. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

/**
 * Returns a function that reads a built file.
 * @throws if the build has no such file.
 */
export const builtFiles = (folder: URL, build: () => Promise<Map<string, Uint8Array>>) => {
  let built: ReturnType<typeof build> | undefined;
  return async (name: string): Promise<Uint8Array> => {
    if (existsSync(folder)) return readFile(new URL(name, folder));
    built ??= build().catch((error) => {
      built = undefined;
      throw error;
    });
    const contents = (await built).get(name);
    if (!contents) throw new Error(`The build of ${folder.pathname} has no ${name}`);
    return contents;
  };
};

/**
 * Finds files of the stores that were cut off, removed or replaced while the service did not run. LevelDB and
 * SQLite open many such files without an error, as if the lost data had never been written.
 */
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { unusable } from '../unusable.ts';

const Sizes = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.number()));

const listFile = (dataDir: string) => join(dataDir, 'stopped.json');

/**
 * LOG, LOG.old and LOCK contain no data, and a command that reads the database may leave `-shm` and `-wal`
 * files behind.
 */
const hasData = (name: string) => /(\.log|\.ldb|\.db|^CURRENT|^MANIFEST-\d+)$/.test(name);

/**
 * Writes the sizes of the files of the stopped stores. A service that is killed writes no list, and neither
 * does one whose disk is full: half of a list would keep the next start from its data.
 */
export const listFiles = (dataDir: string): void => {
  const sizes = ['tables', 'queues'].flatMap((folder) =>
    readdirSync(join(dataDir, folder))
      .filter(hasData)
      .map((name): [string, number] => [`${folder}/${name}`, statSync(join(dataDir, folder, name)).size]),
  );
  const unfinished = `${listFile(dataDir)}.new`;
  try {
    writeFileSync(unfinished, JSON.stringify(Object.fromEntries(sizes)));
    renameSync(unfinished, listFile(dataDir));
  } catch (error) {
    rmSync(unfinished, { force: true });
    console.error(
      `The sizes of the files were not written: ${error instanceof Error ? error.message : error}`,
    );
  }
};

const readList = (file: string) => {
  try {
    return v.parse(Sizes, readFileSync(file, 'utf8'));
  } catch (error) {
    throw unusable(file, error);
  }
};

/**
 * Compares the files with the list of the last stop, if there is one, and removes the list. Call it before
 * the stores open.
 * @throws with a sentence that names the first file that has another size.
 */
export const checkFiles = (dataDir: string): void => {
  const list = listFile(dataDir);
  if (!existsSync(list)) return;
  for (const [name, size] of Object.entries(readList(list))) {
    const file = join(dataDir, name);
    const found = statSync(file, { throwIfNoEntry: false })?.size;
    if (found === undefined) throw unusable(file, 'it is missing');
    if (found !== size)
      throw unusable(file, `it had ${size} bytes when the service stopped, and has ${found} now`);
  }
  rmSync(list);
};

/**
 * Checks whether LevelDB had to drop rows of a damaged file when it opened, which it reports only in its own
 * log.
 * @throws with a sentence that names the file.
 */
export const checkDropped = (folder: string): void => {
  const log = join(folder, 'LOG');
  const [, name, reason] =
    /^.*?(\S+\.log|MANIFEST-\d+): dropping (.*)$/m.exec(existsSync(log) ? readFileSync(log, 'utf8') : '') ??
    [];
  if (name) throw unusable(join(folder, name), `LevelDB dropped ${reason}`);
};

/**
 * The template of the stage `local`. CDK takes most of a second to make it, so it is kept for later starts in
 * a file that is named after the key of the sources. After any edit the name is another one, so an old
 * template is never used.
 */
import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from './cache-folder.ts';
import { sourcesKey } from './sources-key.ts';

const prefix = 'template-';

/** The kept template. Undefined if there is none, or if its file is damaged. */
const read = (file: string): unknown => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
};

/**
 * Keeps the template, and removes those of other hashes. The rename is atomic, so that another start reads a
 * whole file or none.
 */
const keep = (folder: string, name: string, template: unknown): void => {
  mkdirSync(folder, { recursive: true });
  const unfinished = join(folder, `${randomUUID()}.new`);
  writeFileSync(unfinished, JSON.stringify(template));
  renameSync(unfinished, join(folder, name));
  for (const other of readdirSync(folder)) {
    if (other.startsWith(prefix) && other !== name) rmSync(join(folder, other), { force: true });
  }
};

/**
 * The kept template, or else the one that `synthesize` makes, which is then kept. Without a writable folder,
 * none is kept.
 */
export const cachedTemplate = async (
  synthesize: () => Promise<unknown>,
  key = sourcesKey(),
  folder = cacheFolder('embedded-stack'),
): Promise<unknown> => {
  const name = `${prefix}${key}.json`;
  const kept = read(join(folder, name));
  if (kept !== undefined) return kept;
  const template = await synthesize();
  try {
    keep(folder, name, template);
  } catch {
    // The next start makes the template again.
  }
  return template;
};

/** The template of the stage `local`, without the code of the functions. */
export const localTemplate = (key?: string): Promise<unknown> =>
  cachedTemplate(async () => (await import('../synthesize.ts')).synthesize('local', { bundle: false }), key);

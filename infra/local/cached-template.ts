/**
 * The template of the stage `local`. CDK takes most of a second to make it, so it is kept for later starts in
 * a file whose name is a hash of everything that it depends on. After any edit the name is another one, so an
 * old template is never used.
 */
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cacheFolder } from './cache-folder.ts';

const project = fileURLToPath(new URL('../../', import.meta.url));

const folders = ['infra', 'lib', 'functions'];

/** The last one has the installed version of CDK, which may differ from that of the lockfile. */
const files = ['package.json', 'package-lock.json', 'node_modules/aws-cdk-lib/package.json'];

const filesIn = (root: string, folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();

/**
 * The hash of the sources, the installed packages, the version of Node, the variables that CDK reads, and the
 * project's path, which the template contains.
 */
export const templateKey = (
  root = project,
  environment: Record<string, string | undefined> = process.env,
): string => {
  const hash = createHash('sha256');
  const cdkVariables = Object.entries(environment).filter(([name]) => name.startsWith('CDK_'));
  hash.update(JSON.stringify([root, process.version, cdkVariables.sort()]));
  for (const file of [
    ...folders.flatMap((folder) => filesIn(root, folder)),
    ...files.map((name) => join(root, name)),
  ]) {
    const content = readFileSync(file);
    hash.update(`\0${file}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
};

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
  key = templateKey(),
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
export const localTemplate = (): Promise<unknown> =>
  cachedTemplate(async () => (await import('../synthesize.ts')).synthesize('local', { bundle: false }));

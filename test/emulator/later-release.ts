/**
 * The sources of a later release in a folder of their own: the version of every stored thing is the next one,
 * so the present release cannot read what it writes.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

const parts = ['docs', 'events', 'functions', 'infra', 'lib', 'test/emulator/changed-app.ts'];

const files = ['package.json', 'package-lock.json', 'tsconfig.json', 'cdk.json'];

/** Writes the sources. Returns the command of their app, and what removes them. */
export const makeLaterRelease = () => {
  const folder = mkdtempSync(join(tmpdir(), 'later-release-'));
  for (const name of [...parts, ...files]) {
    cpSync(join(root, name), join(folder, name), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const layouts = join(folder, 'lib/store/layouts.ts');
  const source = readFileSync(layouts, 'utf8');
  const next = source.replaceAll(/(?<=Version: )\d+/g, (version) => String(Number(version) + 1));
  if (next === source) throw new Error('The table of layouts has another form');
  writeFileSync(layouts, next);
  return {
    app: `node ${join(folder, 'test/emulator/changed-app.ts')}`,
    remove: () => rmSync(folder, { recursive: true }),
  };
};

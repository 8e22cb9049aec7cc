/** The key of what is kept of the sources: another one after each edit. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sourcesKey } from '../../../infra/local/sources-key.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sources-key-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the key', () => {
  const write = (name: string, content: string) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  };
  const sources = {
    'infra/stack.ts': 'one',
    'infra/stages/prod.json': '{}',
    'lib/model/engine.ts': 'two',
    'functions/api/site.ts': 'three',
    'package.json': '{}',
    'package-lock.json': '{}',
    'node_modules/.package-lock.json': '{"packages": {}}',
  };
  beforeEach(() => {
    for (const [name, content] of Object.entries(sources)) write(name, content);
  });

  test('is the same for the same sources', () => {
    const before = sourcesKey(folder, {});
    write('infra/stack.ts', 'one');
    write('docs/settings.md', 'not a source');

    expect(sourcesKey(folder, { PORT: '1' })).toBe(before);
  });

  test.each(Object.keys(sources))('changes with %s', (name) => {
    const before = sourcesKey(folder, {});
    write(name, 'changed');

    expect(sourcesKey(folder, {})).not.toBe(before);
  });

  test('changes with a new file, a removed one, and one that moves', () => {
    const keys = [sourcesKey(folder, {})];
    write('lib/model/new.ts', '');
    keys.push(sourcesKey(folder, {}));
    rmSync(join(folder, 'lib/model/new.ts'));
    write('lib/new.ts', '');
    keys.push(sourcesKey(folder, {}));
    rmSync(join(folder, 'lib/model/engine.ts'));
    keys.push(sourcesKey(folder, {}));

    expect(new Set(keys).size).toBe(4);
  });

  test('changes with the list of installed packages, which need not exist', () => {
    const before = sourcesKey(folder, {});
    rmSync(join(folder, 'node_modules/.package-lock.json'));

    expect(sourcesKey(folder, {})).not.toBe(before);
  });

  test('changes with the variables that CDK reads', () => {
    expect(sourcesKey(folder, { CDK_CONTEXT_JSON: '{}' })).not.toBe(sourcesKey(folder, {}));
  });
});

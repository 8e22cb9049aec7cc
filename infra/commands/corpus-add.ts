/**
 * `npm run corpus:add <engine>/<desktop|mobile>/<case>`: reads the page of a corpus case and writes the items
 * as its golden file. Read the file before you commit it.
 */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { EngineName, engineNames } from '../../lib/model/engine.ts';
import { readers } from '../../lib/serp/reader.ts';
import { beginCommand } from './begin-command.ts';

beginCommand();

const [engine, device, name] = (process.argv[2] ?? '').split('/');
const folder = join(import.meta.dirname, '../../test/corpus', process.argv[2] ?? '');

if (!v.is(EngineName, engine) || (device !== 'desktop' && device !== 'mobile') || !name) {
  console.error(`Usage: npm run corpus:add <${engineNames.join('|')}>/<desktop|mobile>/<case>`);
  process.exit(2);
}
for (const file of ['page.html', 'note.md']) {
  if (existsSync(join(folder, file))) continue;
  console.error(`${join(folder, file)} does not exist. Write it first.`);
  process.exit(2);
}
const golden = readers[engine].open(readFileSync(join(folder, 'page.html'), 'utf8')).read(device);
const text = `${JSON.stringify(golden, null, 2)}\n`;
writeFileSync(join(folder, 'golden.json'), text);
process.stdout.write(text);

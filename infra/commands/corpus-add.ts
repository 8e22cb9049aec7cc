/** `npm run corpus:add google/desktop/<case>`: parses the page of a case and writes `golden.json`. Review it before you commit it. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readGooglePage } from '../../lib/serp/google/reader.ts';
import { openPage } from '../../lib/serp/page.ts';

const [engine, device, name] = (process.argv[2] ?? '').split('/');
const folder = join(import.meta.dirname, '../../test/corpus', process.argv[2] ?? '');

if (engine !== 'google' || (device !== 'desktop' && device !== 'mobile') || !name) {
  console.error('Usage: npm run corpus:add google/<desktop|mobile>/<case>');
  process.exit(2);
}
for (const file of ['page.html', 'note.md']) {
  if (existsSync(join(folder, file))) continue;
  console.error(`${join(folder, file)} does not exist. Write it first.`);
  process.exit(2);
}
const golden = readGooglePage(openPage(readFileSync(join(folder, 'page.html'), 'utf8')), device);
const text = `${JSON.stringify(golden, null, 2)}\n`;
writeFileSync(join(folder, 'golden.json'), text);
process.stdout.write(text);

/**
 * `npm run lint:template`: checks every template of every stage with cfn-lint, which knows CloudFormation's
 * schemas. It fails on errors and warnings. The metadata of a resource lists the checks to ignore for it.
 */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { offerHelp } from '../../infra/help.ts';
import { makeFolder } from '../emulator/make-folder.ts';
import { everyTemplate } from './template.ts';

offerHelp();

const program = makeFolder()('cfn-lint');
const folder = mkdtempSync(join(tmpdir(), 'templates-'));
try {
  const files = everyTemplate().map(({ stack, template }) => {
    const file = join(folder, `${stack.replaceAll(/\W+/g, '-')}.template.json`);
    writeFileSync(file, JSON.stringify(template, null, 1));
    return file;
  });
  const { status, error } = spawnSync(program, ['--', ...files], { stdio: 'inherit' });
  if (error) throw error;
  if (status === 0) console.log(`${files.length} templates, no findings`);
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true });
}

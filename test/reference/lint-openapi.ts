/**
 * `npm run lint:openapi`: checks the OpenAPI document with the recommended rules of Spectral and Redocly.
 * Fails on warnings too.
 */
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { offerHelp } from '../../infra/help.ts';
import { openapi } from '../../lib/reference/openapi.ts';
import { nodeTools, run, sources } from './tools.ts';

/** Throws with the findings if there are any. */
const lintOpenapi = (): void => {
  const programs = join(nodeTools(), 'node_modules/.bin');
  const folder = mkdtempSync(join(tmpdir(), 'openapi-'));
  try {
    writeFileSync(join(folder, 'openapi.json'), JSON.stringify(openapi('https://search.test'), null, 1));
    writeFileSync(join(folder, '.spectral.yaml'), 'extends: ["spectral:oas"]\n');
    copyFileSync(join(sources, '.redocly.lint-ignore.yaml'), join(folder, '.redocly.lint-ignore.yaml'));
    run(folder, join(programs, 'spectral'), ['lint', 'openapi.json', '--fail-severity', 'hint']);
    const lint = ['lint', 'openapi.json', '--extends', 'recommended', '--format', 'json'];
    const { totals, problems } = JSON.parse(run(folder, join(programs, 'redocly'), lint).stdout);
    // Redocly ends with 0 if it has only warnings.
    if (totals.errors + totals.warnings > 0) throw new Error(JSON.stringify(problems, null, 1));
  } finally {
    rmSync(folder, { recursive: true });
  }
};

offerHelp();

lintOpenapi();
console.log('Spectral and Redocly have no findings');

/** Writes the interface's description to `test/contract/openapi.json`, so that a change of it is seen in review. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openapi } from '../../lib/api/openapi.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const file = `${root}test/contract/openapi.json`;

writeFileSync(file, JSON.stringify(openapi()));
execFileSync(`${root}node_modules/.bin/biome`, ['format', '--write', file], { cwd: root });

/**
 * `npm run openapi`: writes the OpenAPI document to `test/contract/openapi.json`, so that a review shows each
 * change of the interface, and the tables of `docs/api`, which are made from it.
 */

import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openapi } from '../../lib/reference/openapi.ts';
import { offerHelp } from '../help.ts';
import { writeTables } from './docs.ts';

offerHelp();

const root = fileURLToPath(new URL('../../', import.meta.url));
const file = `${root}test/contract/openapi.json`;

writeFileSync(file, JSON.stringify(openapi()));
execFileSync(`${root}node_modules/.bin/biome`, ['format', '--write', file], { cwd: root });
writeTables();

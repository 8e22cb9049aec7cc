/**
 * `npm run openapi`: writes the OpenAPI document to `test/contract/openapi.json`, so that a review shows each
 * change of the interface, the sample webhooks to `events/webhooks.json`, and the tables of `docs/api`, which
 * are made from it.
 */

import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openapi } from '../../lib/reference/openapi.ts';
import { Components } from '../../lib/reference/schemas.ts';
import { webhookSamples } from '../../lib/reference/webhooks.ts';
import { beginCommand } from './begin-command.ts';
import { writeTables } from './docs.ts';

beginCommand();

const root = fileURLToPath(new URL('../../', import.meta.url));

const write = (name: string, value: unknown): void => {
  const file = `${root}${name}`;
  writeFileSync(file, JSON.stringify(value));
  execFileSync(`${root}node_modules/.bin/biome`, ['format', '--write', file], { cwd: root });
};

write('test/contract/openapi.json', openapi());
write('events/webhooks.json', webhookSamples(new Components()));
writeTables();

/** Writes the interface's description to `test/contract/openapi.json`, so that a change of it is seen in review. */
import { writeFile } from 'node:fs/promises';
import { openapi } from '../../lib/api/openapi.ts';

const file = new URL('../../test/contract/openapi.json', import.meta.url);
await writeFile(file, `${JSON.stringify(openapi(), null, 2)}\n`);

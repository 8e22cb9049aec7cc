/**
 * `npm test`: runs the rungs of the ladder that need nothing but this folder: unit, contract, corpus,
 * workflow, simulation, infra, integration, e2e. `-- --times` prints the time and the processor time of each
 * rung and of the twenty slowest files as well. Other options are those of vitest.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { bundlerFault } from '../infra/bundler.ts';
import { offerHelp } from '../infra/help.ts';
import { vitestArguments } from './vitest-arguments.ts';

offerHelp();
const fault = await bundlerFault();
if (fault) {
  console.error(fault);
  process.exit(1);
}
const vitest = fileURLToPath(new URL('vitest.mjs', import.meta.resolve('vitest/package.json')));
const { status } = spawnSync(process.execPath, [vitest, ...vitestArguments(process.argv.slice(2))], {
  stdio: 'inherit',
});
process.exit(status ?? 1);

/**
 * `npm test`: runs the rungs of the ladder that need nothing but this folder: unit, contract, corpus,
 * workflow, simulation, infra, integration, e2e. Those that compute run beside those that wait, and their
 * output follows at the end. `-- --times` prints the time and the processor time of each
 * rung and of the slowest files as well. Other options are those of vitest.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { bundlerFault } from '../infra/bundler.ts';
import { offerHelp } from '../infra/help.ts';
import { vitestRuns } from './vitest-arguments.ts';

offerHelp();
const fault = await bundlerFault();
if (fault) {
  console.error(fault);
  process.exit(1);
}
const vitest = fileURLToPath(new URL('vitest.mjs', import.meta.resolve('vitest/package.json')));
const [first = [], second] = vitestRuns(process.argv.slice(2));

/**
 * Of the run beside the other one, which has more to do: both then end at about the same time. Both also end
 * on a machine with eight busy processes.
 */
const priority = 3;

/** Runs vitest with its output held back. Returns it with the exit code. */
const runBeside = async (argv: readonly string[]) => {
  const child = spawn(process.execPath, [vitest, ...argv], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...(process.stdout.isTTY && { FORCE_COLOR: '1' }) },
  });
  setPriority(child.pid ?? 0, priority);
  const ended = once(child, 'close');
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await ended;
  return { code: Number(code ?? 1), output, errors };
};

const beside = second && runBeside(second);
const child = spawn(process.execPath, [vitest, ...first], { stdio: 'inherit' });
const [code] = await once(child, 'close');
const other = await beside;
if (other) {
  process.stdout.write(other.output);
  process.stderr.write(other.errors);
}
process.exit(Number(code ?? 1) || (other?.code ?? 0));

/**
 * `npm test`: runs the rungs of the ladder that need nothing but this folder: unit, contract, corpus,
 * workflow, simulation, infra, integration, e2e. Those that compute run beside those that wait, and their
 * output follows at the end. `-- --times` prints the time and the processor time of each rung and of the
 * slowest files of each run as well. Other options are those of vitest.
 */
import { type StdioOptions, spawn } from 'node:child_process';
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

/** Of the run beside the other one, which has more to do: both then end at about the same time. */
const priority = 1;

const start = (argv: readonly string[], stdio: StdioOptions, env = process.env) => {
  const child = spawn(process.execPath, [vitest, ...argv], { stdio, env });
  // A terminal sends SIGINT to the runs, too. They end, and print what they have.
  process.on('SIGINT', () => undefined).on('SIGTERM', () => child.kill());
  return { child, ended: once(child, 'close').then(([code]) => Number(code ?? 1)) };
};

/** Starts a run whose output is held back. Returns a function that waits for its end, and prints it. */
const startBeside = (argv: readonly string[]) => {
  const colors = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {};
  const { child, ended } = start(argv, ['ignore', 'pipe', 'pipe'], { ...process.env, ...colors });
  setPriority(child.pid ?? 0, priority);
  const outputs = Promise.all([child.stdout, child.stderr].map((stream) => stream && text(stream)));
  return async (): Promise<number> => {
    if (child.exitCode === null) console.log('The rungs that compute go on. Their output follows.');
    const [output, errors] = await outputs;
    process.stdout.write(output ?? '');
    process.stderr.write(errors ?? '');
    return ended;
  };
};

const print = second && startBeside(second);
const code = await start(first, 'inherit').ended;
const otherCode = print ? await print() : 0;
process.exitCode = code || otherCode;

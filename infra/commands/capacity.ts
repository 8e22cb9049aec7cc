/**
 * `npm run capacity -- --searches 1e9`: which quota or setting limits a load first, and what its month costs.
 * Computes from the figures that `npm run cost -- --save` has measured, and runs nothing.
 */

import { type AssumedValues, assumed, assumptionNames } from '../cost/assumptions.ts';
import { readFigures } from '../cost/figures.ts';
import { checkLoad, loadNames, loadOptions } from '../cost/load-options.ts';
import { modelLines } from '../cost/scale.ts';
import { beginCommand } from './begin-command.ts';
import { numberOptions, readNumbers } from './number-options.ts';
import { readArguments } from './read-arguments.ts';

const usage = 'npm run capacity -- [--<assumption or load> <number>]…';
beginCommand(usage);

try {
  const { values } = readArguments(
    {
      options: { ...numberOptions(loadNames, loadOptions), ...numberOptions(assumptionNames, assumed) },
    },
    usage,
  );
  const load = checkLoad(readNumbers(loadNames, values));
  const assumptions: AssumedValues = readNumbers(assumptionNames, values);

  console.log(`\n${modelLines(readFigures(), load, assumptions).join('\n')}`);
  console.log(`Assumptions: ${assumptionNames.map((name) => `--${name} ${assumptions[name]}`).join(' ')}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

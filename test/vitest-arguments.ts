/** The command lines of vitest for `npm test`. */

/** Rungs that wait for processes for some of their time, and those that compute. */
const waiting = ['contract', 'integration', 'e2e'];
const computing = ['unit', 'corpus', 'workflow', 'simulation', 'infra'];

const timesReporter = 'test/times-reporter.ts';

/**
 * The command line for some rungs. `--times` becomes a reporter beside the others, and all other options stay
 * as they are.
 */
const vitestArguments = (options: readonly string[], names: readonly string[]): string[] => {
  const others = options.filter((option) => option !== '--times');
  const isTimed = others.length < options.length;
  const hasReporter = others.some((option) => option.startsWith('--reporter'));
  return [
    'run',
    ...names.flatMap((rung) => ['--project', rung]),
    // vitest uses its default reporter only if no other one is named.
    ...(isTimed && !hasReporter ? ['--reporter=default'] : []),
    ...(isTimed ? [`--reporter=${timesReporter}`] : []),
    ...others,
  ];
};

/** A report is a file of each run: `test.json` and `test-computing.json`. */
const toOwnFile = (option: string): string =>
  option.replace(/^(--outputFile(?:\.\w+)?=.*?)(\.\w+)?$/, '$1-computing$2');

/** Whether an option fits two runs: it chooses no tests, and prints no report that is one document. */
const isForBoth = (option: string, options: readonly string[]): boolean => {
  const reporter = /^--reporter=(.*)$/.exec(option)?.[1];
  if (reporter === undefined) return option === '--times' || option.startsWith('--outputFile');
  return reporter === 'default' || options.some((each) => each.startsWith(`--outputFile.${reporter}=`));
};

/**
 * `options`: those of `npm test`. All tests are two runs, one of the rungs that wait, and one of those that
 * compute, which takes what the first leaves of the processor. Tests that an option chooses are one run.
 */
export const vitestRuns = (options: readonly string[]): string[][] =>
  options.every((option) => isForBoth(option, options))
    ? [
        vitestArguments(options, waiting),
        [...vitestArguments(options.map(toOwnFile), computing), '--maxWorkers', '1'],
      ]
    : [vitestArguments(options, [...waiting, ...computing])];

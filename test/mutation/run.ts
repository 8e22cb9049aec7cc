/**
 * Mutation testing: `npm run test:mutation [-- <group> …] [--file <path>] [--incremental]
 * [--concurrency <n>]`. Stryker changes the code in one place at a time and runs the tests that reach the
 * place; a mutant that no test notices survives. Ends with an error if a group is below 90 %. Reports are in
 * `.mutation/`. With `--file`, which may be repeated, only these files of a group have mutants. With
 * `--incremental`, results of the last run are kept for code and tests that did not change.
 */

import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import { offerHelp } from '../../infra/help.ts';
import { groups } from './groups.ts';

offerHelp();

/** Of each group, so that no group hides behind another one. */
const leastScore = 90;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    file: { type: 'string', multiple: true },
    incremental: { type: 'boolean', default: false },
    concurrency: { type: 'string', default: '1' },
  },
});

if (values.file && positionals.length !== 1) throw new Error('--file needs the one group of the files');

type Mutants = Awaited<ReturnType<Stryker['runMutationTest']>>;

const mutantsOf = async (group: string): Promise<Mutants> => {
  const { mutate } = groups[group] ?? {};
  if (!mutate) throw new Error(`There is no group ${group}: ${Object.keys(groups).join(', ')}`);
  // `vitest.config.ts` reads it in Stryker's processes.
  process.env.MUTATION_GROUP = group;
  const stryker = new Stryker({
    testRunner: 'vitest',
    plugins: [
      '@stryker-mutator/vitest-runner',
      './test/mutation/ignore-texts.ts',
      './test/mutation/report-survivors.ts',
    ],
    ignorers: ['texts'],
    vitest: { configFile: 'test/mutation/vitest.config.ts' },
    mutate: values.file ?? mutate,
    coverageAnalysis: 'perTest',
    concurrency: Number(values.concurrency),
    // Only an endless loop takes five times as long as the tests without mutants, and ten seconds more.
    timeoutMS: 10_000,
    timeoutFactor: 5,
    // Stryker rewrites paths in tsconfig.json through an API that TypeScript 7 does not have. Ours needs no
    // rewriting, so name no file.
    tsconfigFile: 'none',
    disableTypeChecks: false,
    ignorePatterns: [
      '**',
      '!/package.json',
      '!/events/**',
      '!/functions/**',
      '!/infra/**',
      '!/lib/**',
      '!/test/**',
      '/test/corpus',
    ],
    tempDirName: '.mutation/sandbox',
    incremental: values.incremental,
    incrementalFile: `.mutation/${group}-incremental.json`,
    reporters: ['clear-text', 'progress-append-only', 'survivors', 'html', 'json'],
    htmlReporter: { fileName: `.mutation/${group}.html` },
    jsonReporter: { fileName: `.mutation/${group}.json` },
    clearTextReporter: { reportTests: false, allowEmojis: false },
  });
  return stryker.runMutationTest();
};

const count = (mutants: Mutants, since: number) => {
  const those = (...states: string[]) => mutants.filter(({ status }) => states.includes(status)).length;
  const [noticed, survived] = [those('Killed', 'Timeout'), those('Survived', 'NoCoverage')];
  return {
    noticed,
    survived,
    // Mutants with which a module does not load, and mutants that are ignored.
    'not counted': those('RuntimeError', 'CompileError', 'Ignored'),
    score: Number(((100 * noticed) / (noticed + survived)).toFixed(1)),
    seconds: Math.round((performance.now() - since) / 1000),
  };
};

const all: Mutants = [];
const rows: Record<string, ReturnType<typeof count>> = {};
const started = performance.now();
for (const group of positionals.length > 0 ? positionals : Object.keys(groups)) {
  const since = performance.now();
  const mutants = await mutantsOf(group);
  all.push(...mutants);
  rows[group] = count(mutants, since);
}
const total = count(all, started);
console.table({ ...rows, total });
const low = Object.keys(rows).filter((group) => (rows[group]?.score ?? 0) < leastScore);
if (low.length > 0) {
  console.error(`The score is below ${leastScore} %: ${low.join(', ')}`);
  process.exitCode = 1;
}

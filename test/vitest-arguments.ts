/** The command line of vitest for `npm test`. */

export const rungs = ['unit', 'contract', 'corpus', 'workflow', 'simulation', 'infra', 'integration', 'e2e'];

const timesReporter = 'test/times-reporter.ts';

/**
 * `options`: those of `npm test`. `--times` becomes a reporter beside the others, and all other options stay
 * as they are.
 */
export const vitestArguments = (options: readonly string[]): string[] => {
  const others = options.filter((option) => option !== '--times');
  const isTimed = others.length < options.length;
  const hasReporter = others.some((option) => option.startsWith('--reporter'));
  return [
    'run',
    ...rungs.flatMap((rung) => ['--project', rung]),
    // vitest uses its default reporter only if no other one is named.
    ...(isTimed && !hasReporter ? ['--reporter=default'] : []),
    ...(isTimed ? [`--reporter=${timesReporter}`] : []),
    ...others,
  ];
};

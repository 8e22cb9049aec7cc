/** How long the files of a test run took, as the lines that `npm test -- --times` prints. */

/**
 * `ms`: from the first import of the file to the end of its last test. `processorMs`: the processor time of
 * the worker and of the processes that it has started, which depends less on what else the machine does.
 */
export type FileTime = { rung: string; file: string; ms: number; processorMs: number };

const slowest = 20;

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1).padStart(8)} s`;

const sumOf = (files: readonly FileTime[]): number => files.reduce((sum, { ms }) => sum + ms, 0);

const both = (files: readonly FileTime[]): string =>
  seconds(sumOf(files)) + seconds(files.reduce((sum, { processorMs }) => sum + processorMs, 0));

/**
 * The time of each rung, the longest first, and the slowest files. Files of a run are tested side by side, so
 * the sums are longer than the run.
 */
export const timesOf = (files: readonly FileTime[]): string[] => {
  const rungs = [...Map.groupBy(files, ({ rung }) => rung)].toSorted(([, a], [, b]) => sumOf(b) - sumOf(a));
  const longest = files.toSorted((a, b) => b.ms - a.ms).slice(0, slowest);
  return [
    'Time of the workers in each rung, and processor time:',
    ...rungs.map(([rung, own]) => `${both(own)}  ${rung}, ${own.length} files`),
    `${both(files)}  together`,
    '',
    `The ${longest.length} slowest files, and their processor time:`,
    ...longest.map((each) => `${both([each])}  ${each.file}`),
  ];
};

/** How long the files of a test run took, as the lines that `npm test -- --times` prints. */

/** `ms`: from the start of the file's worker to the end of its last test. */
export type FileTime = { rung: string; file: string; ms: number };

const slowest = 20;

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1).padStart(8)} s`;

const sumOf = (files: readonly FileTime[]): number => files.reduce((sum, { ms }) => sum + ms, 0);

/**
 * The time of each rung, the longest first, and the slowest files. Files of a run are tested side by side, so
 * the sums are longer than the run.
 */
export const timesOf = (files: readonly FileTime[]): string[] => {
  const rungs = [...Map.groupBy(files, ({ rung }) => rung)].toSorted(([, a], [, b]) => sumOf(b) - sumOf(a));
  const longest = files.toSorted((a, b) => b.ms - a.ms).slice(0, slowest);
  return [
    'Time of the workers in each rung:',
    ...rungs.map(([rung, own]) => `${seconds(sumOf(own))}  ${rung}, ${own.length} files`),
    `${seconds(sumOf(files))}  together`,
    '',
    `The ${longest.length} slowest files:`,
    ...longest.map(({ ms, file }) => `${seconds(ms)}  ${file}`),
  ];
};

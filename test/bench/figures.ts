/** Shared by the benchmarks: the searches, the description of the machine, and the format of figures. */
import { cpus, totalmem } from 'node:os';

const words = [
  'coffee',
  'garden chairs',
  'walking shoes',
  'lake cabins',
  'green tea',
  'bread',
  'piano lessons',
  'maps',
];

/** The n-th keyword of a run. All keywords differ, so that each search is crawled. */
export const keyword = (run: string, n: number): string => `${words[n % words.length]} ${run} ${n}`;

export const machine = (): string =>
  `${cpus()[0]?.model.trim()}, ${cpus().length} cores, ${(totalmem() / 2 ** 30).toFixed(0)} GiB, Node ${process.version}`;

export const quantile = (times: number[], q: number): number => {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? 0;
};

export const mean = (values: number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

export const spread = (times: number[]): string =>
  `p50 ${quantile(times, 0.5).toFixed(1)} ms, p95 ${quantile(times, 0.95).toFixed(1)} ms (n ${times.length})`;

/** Prints a table. The first column is aligned to the left, the others to the right. */
export const printTable = (head: string[], rows: (string | number)[][]): void => {
  const cells = [head, ...rows.map((row) => row.map(String))];
  const widths = head.map((_, n) => Math.max(...cells.map((row) => (row[n] ?? '').length)));
  for (const row of cells) {
    console.log(
      `  ${row.map((cell, n) => (n === 0 ? cell.padEnd(widths[n] ?? 0) : cell.padStart(widths[n] ?? 0))).join('  ')}`,
    );
  }
};

/**
 * `npm run cost`: dollars per 1,000 searches, by service, from the counts of a run on the embedded stack and AWS's list prices.
 * `-- --detail` prints every count with its price. The exit code says whether the goals held.
 */
import { parseArgs } from 'node:util';
import { type Assumptions, bill, type CostLine, dollarsOf, services } from '../local/cost.ts';
import type { Counts } from '../local/counts.ts';
import { type Kind, type Path, startMeasuring } from '../local/measured-searches.ts';
import { pricesOf } from '../local/prices.ts';

const { values } = parseArgs({
  options: {
    detail: { type: 'boolean', default: false },
    searches: { type: 'string', default: '7' },
    'page-seconds': { type: 'string', default: '0.4' },
    'link-seconds': { type: 'string', default: '0.4' },
    'browser-seconds': { type: 'string', default: '2' },
    'receiver-seconds': { type: 'string', default: '0.1' },
    'page-kilobytes': { type: 'string', default: '187' },
    sampled: { type: 'string', default: '0.05' },
  },
});
const number = (name: Exclude<keyof typeof values, 'detail'>): number => {
  const value = Number(values[name]);
  if (!(value >= 0)) throw new Error(`--${name} must be a number`);
  return value;
};

const pageSeconds = number('page-seconds');
const linkSeconds = number('link-seconds');

const assumptionsFor = (path: Path): Assumptions => ({
  waits: {
    // Over HTTP a page is asked for twice before the browser is.
    'functions/crawl/fetch-page.ts': pageSeconds * (path === 'browser' ? 2 : 1),
    'functions/crawl/resolve-links.ts': linkSeconds,
    'functions/crawl/render-page.ts': pageSeconds + number('browser-seconds') + linkSeconds,
    'functions/postback/deliver.ts': number('receiver-seconds'),
  },
  stepSeconds: 0.02,
  pageKilobytes: number('page-kilobytes'),
  sampled: number('sampled'),
});

const kinds: Kind[] = (['HTTP', 'browser'] as const).flatMap((path) =>
  [10, 100].flatMap((depth) => [false, true].map((webhook) => ({ path, depth, webhook }))),
);
const nameOf = ({ path, depth, webhook }: Kind) => `${path}, depth ${depth}${webhook ? ', webhook' : ''}`;

const thousand = (dollars: number) => (dollars * 1000).toFixed(4);

const printTable = (rows: string[][]): void => {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  for (const row of rows) {
    console.log(
      `  ${row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  ')}`,
    );
  }
};

const printDetail = (kind: Kind, lines: CostLine[]): void => {
  console.log(`\n${nameOf(kind)}: of one search`);
  printTable([
    ['', 'count', 'price', 'per 1,000'],
    ...lines.map((line) => [
      `${line.service}: ${line.what}`,
      line.count.toPrecision(4),
      line.price.toExponential(4),
      thousand(line.count * line.price),
    ]),
  ]);
};

/** Milliseconds of a call, as measured with nothing beside it. */
const callTimes = (counts: Counts): Record<string, number> =>
  Object.fromEntries(
    ['fetch-page', 'render-page', 'resolve-links'].flatMap((name) => {
      const entry = `functions/crawl/${name}.ts`;
      const calls = counts[`calls ${entry}`];
      return calls ? [[entry, (counts[`ms ${entry}`] ?? 0) / calls] as const] : [];
    }),
  );

const measured = await startMeasuring();
try {
  const functions = measured.stack.functions.all;
  const bills = new Map<string, CostLine[]>();
  let alone: Record<string, number> = {};
  for (const kind of kinds) {
    const counts = await measured.measure(kind, kind.depth > 10 ? 3 : number('searches'));
    if (kind.depth === 10) alone = callTimes(counts);
    const lines = bill(functions, { counts, measuredMs: alone }, assumptionsFor(kind.path));
    bills.set(nameOf(kind), lines);
    if (values.detail) printDetail(kind, lines);
  }
  console.log(`\nDollars per 1,000 searches (AWS list prices of ${pricesOf})`);
  printTable([
    ['', ...services, 'together'],
    ...kinds.map((kind) => {
      const lines = bills.get(nameOf(kind)) ?? [];
      return [
        nameOf(kind),
        ...services.map((service) => thousand(dollarsOf(lines, service))),
        thousand(dollarsOf(lines)),
      ];
    }),
  ]);
} finally {
  await measured.stop();
}

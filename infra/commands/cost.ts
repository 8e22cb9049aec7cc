/**
 * `npm run cost`: dollars per 1,000 searches, by AWS service. Multiplies the counts of a run on the embedded stack by AWS's list prices,
 * and estimates what real pages would add. `-- --detail` prints every count with its price. Exits with 1 if a goal is missed.
 */
import { parseArgs } from 'node:util';
import {
  type Assumptions,
  bill,
  type CostLine,
  dollarsOf,
  nothingAssumed,
  ownOfStarter,
  services,
  starter,
} from '../cost/bill.ts';
import type { Counts } from '../cost/counts.ts';
import { monthlyLines, templatesOf } from '../cost/monthly.ts';
import { pricesOf } from '../cost/prices.ts';
import { type Kind, type Path, startMeasuring } from '../local/measured-searches.ts';

/** Values that a run on the embedded stack cannot measure: the default and a description. */
const assumed = {
  'page-seconds': [
    '0.4',
    'seconds that one fetch over HTTP waits for the engine; a search by browser makes two such fetches first',
  ],
  'link-seconds': ['0.4', 'seconds to look up the hidden links of a page, five at a time'],
  'browser-seconds': [
    '2',
    'seconds that a real page keeps the browser busy, in addition to the time of a sandbox page',
  ],
  'receiver-seconds': ['0.1', 'seconds that a webhook waits for its receiver'],
  'step-seconds': ['0.02', 'seconds between two steps of the crawl machine'],
  'page-kilobytes': ['187', 'KB of a stored page, compressed: the median of real pages'],
  sampled: ['0.05', 'share of the traces that X-Ray records: the default rule under load'],
} as const;

const option = (text: string) => ({ type: 'string', default: text }) as const;
const { values } = parseArgs({
  options: {
    detail: { type: 'boolean', default: false },
    searches: option('7'),
    ...Object.fromEntries(Object.entries(assumed).map(([name, [text]]) => [name, option(text)])),
  },
});
const number = (name: keyof typeof assumed | 'searches'): number => {
  const value = Number(Object.entries(values).find(([key]) => key === name)?.[1]);
  if (!(value >= 0)) throw new Error(`--${name} must be a number of 0 or more`);
  return value;
};

const assumptionsFor = (path: Path): Assumptions => ({
  waits: {
    'functions/crawl/fetch-page.ts': number('page-seconds') * (path === 'browser' ? 2 : 1),
    'functions/crawl/resolve-links.ts': number('link-seconds'),
    'functions/crawl/render-page.ts': number('page-seconds') + number('browser-seconds'),
    'functions/postback/deliver.ts': number('receiver-seconds'),
  },
  stepSeconds: number('step-seconds'),
  pageKilobytes: number('page-kilobytes'),
  sampled: number('sampled'),
  sharesOfCore: true,
  transferPaid: true,
});

/** Searches in one request: 100, or fewer where 100 would take minutes on a laptop. */
const batchOf = ({ path, depth }: Kind): number => {
  if (path === 'HTTP') return depth === 10 ? 100 : 10;
  return depth === 10 ? 10 : 2;
};
const kinds: Kind[] = (['HTTP', 'browser'] as const).flatMap((path) =>
  [10, 100].flatMap((depth) => [false, true].map((webhook) => ({ path, depth, webhook }))),
);
const nameOf = ({ path, depth, webhook }: Kind) => `${path}, depth ${depth}${webhook ? ', webhook' : ''}`;
const inBatch = (kind: Kind) => `${nameOf(kind)} (in batches of ${batchOf(kind)})`;
const alone = (kind: Kind) => `${nameOf(kind)} (posted by itself)`;

const thousand = (dollars: number) => (dollars * 1000).toFixed(4);

const printTable = (rows: string[][]): void => {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  const pad = (cell: string, at: number) => cell[at === 0 ? 'padEnd' : 'padStart'](widths[at] ?? 0);
  for (const row of rows) console.log(`  ${row.map(pad).join('  ')}`);
};

const printDetail = (name: string, lines: CostLine[]): void => {
  console.log(`\n${name}: for one search`);
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

/** Mean milliseconds of a call of each crawl function, measured while nothing else ran. */
const callTimes = (counts: Counts): Record<string, number> => ({
  ...Object.fromEntries(
    Object.entries(counts).flatMap(([name, calls]) => {
      const entry = /^calls (functions\/crawl\/.+)$/.exec(name)?.[1];
      return entry ? [[entry, (counts[`ms ${entry}`] ?? 0) / calls] as const] : [];
    }),
  ),
  [starter]: ownOfStarter(counts),
});

/**
 * The times of the functions that wait for a page or a receiver, from a search of depth 10. A deeper search runs more of them in parallel
 * than a laptop has cores, so it would measure too long times.
 */
const pageTimes = (times: Record<string, number>): Record<string, number> =>
  Object.fromEntries(
    Object.entries(times).filter(([entry]) => entry === starter || entry in assumptionsFor('HTTP').waits),
  );

/** The cost of one search: from the counts alone, and with the assumptions added. */
type Bill = { counted: CostLine[]; assumed: CostLine[] };

const measureAll = async (): Promise<Map<string, Bill>> => {
  const { stack, measure, measureBatch, stop } = await startMeasuring();
  try {
    const bills = new Map<string, Bill>();
    const price = (name: string, path: Path, counts: Counts, measuredMs: Record<string, number> = {}) => {
      const billed = (assumptions: Assumptions) =>
        bill(stack.functions.all, { counts, measuredMs }, assumptions);
      bills.set(name, { counted: billed(nothingAssumed), assumed: billed(assumptionsFor(path)) });
    };
    const first = new Map<Path, Record<string, number>>();
    for (const kind of kinds) {
      const counts = await measure(kind, kind.depth > 10 ? 3 : number('searches'));
      if (kind.depth === 10) first.set(kind.path, { ...callTimes(counts), ...first.get(kind.path) });
      const times = { ...callTimes(counts), ...pageTimes(first.get(kind.path) ?? {}) };
      price(inBatch(kind), kind.path, await measureBatch(kind, batchOf(kind)), times);
      if (kind.path === 'HTTP' && kind.depth === 10) price(alone(kind), kind.path, counts, times);
    }
    return bills;
  } finally {
    await stop();
  }
};

const bills = await measureAll();
if (values.detail) {
  for (const [name, { counted, assumed }] of bills) {
    printDetail(`${name}, as counted`, counted);
    printDetail(`${name}, with assumptions`, assumed);
  }
}

console.log(
  `\nDollars per 1,000 searches, each read once or delivered by webhook (list prices of ${pricesOf})`,
);
const shown = services.filter((service) =>
  [...bills.values()].some(({ counted }) => dollarsOf(counted, service) > 0),
);
printTable([
  ['', ...shown, 'counted', 'with assumptions'],
  ...[...bills].map(([name, { counted, assumed }]) => [
    name,
    ...shown.map((service) => thousand(dollarsOf(counted, service))),
    thousand(dollarsOf(counted)),
    thousand(dollarsOf(assumed)),
  ]),
]);

console.log('\nAssumptions, which a laptop cannot measure (to change one: npm run cost -- --page-seconds 1)');
printTable(
  Object.entries(assumed).map(([name, [, what]]) => [
    `--${name} ${values[name as keyof typeof values]}`,
    what,
  ]),
);

const month = monthlyLines(templatesOf('prod'));
console.log('\nFixed cost per month of the stage prod, in dollars');
printTable([
  ...month.map(({ what, count, price }) => [what, count.toFixed(0), (count * price).toFixed(2)]),
  ['total', '', month.reduce((sum, { count, price }) => sum + count * price, 0).toFixed(2)],
]);

const counted = (name: string) => dollarsOf(bills.get(name)?.counted ?? []) * 1000;
const shallow = (path: Path, webhook = false): Kind => ({ path, depth: 10, webhook });
const goals = [alone, inBatch].flatMap((named) => {
  const http = counted(named(shallow('HTTP')));
  const withWebhook = counted(named(shallow('HTTP', true)));
  return [
    { goal: named(shallow('HTTP')), dollars: http, most: 0.03 },
    { goal: `${named(shallow('HTTP', true))}, additional cost`, dollars: withWebhook - http, most: 0.005 },
  ];
});
goals.push({
  goal: inBatch(shallow('browser')),
  dollars: counted(inBatch(shallow('browser'))),
  most: 0.25,
});
console.log('\nGoals');
printTable(
  goals.map(({ goal, dollars, most }) => [
    goal,
    `${dollars.toFixed(4)} of ${most}`,
    dollars <= most ? 'met' : 'MISSED',
  ]),
);
process.exit(goals.every(({ dollars, most }) => dollars <= most) ? 0 : 1);

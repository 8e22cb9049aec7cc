/**
 * `npm run cost`: dollars per 1,000 searches, by AWS service. Multiplies the counts of a run on the embedded
 * stack by AWS's list prices, and estimates what real pages would add. `-- --detail` prints every count with
 * its price, `-- --save` writes the figures and the pages that follow from them, `-- --saved` uses the saved
 * figures and runs nothing. Exits with 1 if a goal is missed.
 */

import { writeFileSync } from 'node:fs';
import { type AssumedValues, assumed, assumptionNames } from '../cost/assumptions.ts';
import { type CostLine, dollarsOf, services } from '../cost/bill.ts';
import { monthTotals } from '../cost/cost-table.ts';
import { type Figures, figuresFile, kept, readFigures } from '../cost/figures.ts';
import { batchOf, kinds, nameOf } from '../cost/kinds.ts';
import { defaultLoad } from '../cost/load-options.ts';
import { monthlyLines, templatesOf } from '../cost/monthly.ts';
import { pricesOf } from '../cost/prices.ts';
import { monthLines } from '../cost/scale.ts';
import { allBills, eventCosts, goalsOf, isMet } from '../cost/searches.ts';
import { aligned } from '../cost/table.ts';
import { startMeasuring } from '../local/measured-searches.ts';
import { beginCommand } from './begin-command.ts';
import { writePages } from './cost-pages.ts';
import { numberOptions, readNumbers } from './number-options.ts';
import { orExit, readArguments } from './read-arguments.ts';

const usage =
  'npm run cost -- [--detail] [--save | --saved] [--searches <number>] [--<assumption> <number>]…';
beginCommand(usage);

const read = () => {
  const { values: given } = readArguments(
    {
      options: {
        detail: { type: 'boolean', default: false },
        save: { type: 'boolean', default: false },
        saved: { type: 'boolean', default: false },
        searches: { type: 'string', default: '7' },
        ...numberOptions(assumptionNames, assumed),
      },
    },
    usage,
  );
  const values: AssumedValues = readNumbers(assumptionNames, given);
  return { given, values, repeats: readNumbers(['searches'], given).searches };
};

const { given, values, repeats } = orExit(read);

const thousand = (dollars: number) => (dollars * 1000).toFixed(4);

const printTable = (rows: string[][], textColumns?: number[]): void => {
  for (const line of aligned(rows, textColumns)) console.log(`  ${line}`);
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

/** Measures searches of all kinds, and what may happen to them. */
const measureAll = async (): Promise<Figures> => {
  const measured = await startMeasuring();
  const { stack, measure, measureBatch, measureWaiting, measureRead, measurePage } = measured;
  try {
    // Lets the compiler optimise the code, as in an environment of Lambda that has served some calls.
    await measureBatch({ path: 'HTTP', depth: 10, webhook: true }, 100);
    const searches: Figures['searches'] = {};
    for (const kind of kinds) {
      const alone = await measure(kind, kind.depth > 10 ? 3 : repeats);
      const batch = await measureBatch(kind, batchOf(kind));
      searches[nameOf(kind)] = { batchOf: batchOf(kind), alone: kept(alone), batch: kept(batch) };
    }
    const tracking = await measured.measureTracking();
    const events = {
      added: kept(tracking.added),
      tracked: kept(tracking.tracked),
      waiting: kept(await measureWaiting(3)),
      read: kept(await measureRead(repeats)),
      page: kept(await measurePage(repeats)),
      volumes: kept(await measured.measureVolumes(repeats, 100)),
    };
    const functions = stack.functions.all.map(({ entry, memoryMb, architecture, isReported }) => ({
      entry,
      memoryMb,
      architecture,
      isReported,
    }));
    return { functions, month: monthlyLines(templatesOf('prod')), searches, events };
  } finally {
    await measured.stop();
  }
};

const figures = given.saved ? readFigures() : await measureAll();
if (given.save) {
  // It is not measured, but read from the templates.
  figures.month = monthlyLines(templatesOf('prod'));
  writeFileSync(figuresFile, `${JSON.stringify(figures, null, 2)}\n`);
  writePages(figures);
}

const bills = allBills(figures, values);
if (given.detail) {
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

console.log('\nIn addition, dollars for 1,000 searches of which each …');
printTable([
  ['', 'counted', 'with assumptions'],
  ...eventCosts(figures, values).map(({ what, counted, assumed }) => [
    what,
    thousand(counted),
    thousand(assumed),
  ]),
]);

console.log('\nA month');
for (const line of monthLines(figures, defaultLoad, values)) console.log(`  ${line}`);

console.log('\nAssumptions, which a laptop cannot measure (to change one: npm run cost -- --page-seconds 1)');
printTable(
  assumptionNames.map((name) => [`--${name} ${values[name]}`, assumed[name][1]]),
  [0, 1],
);

console.log('\nFixed cost per month of the stage prod, in dollars');
printTable([
  ...figures.month.map(({ what, count, price }) => [what, count.toFixed(0), (count * price).toFixed(2)]),
  ...monthTotals(figures).map(({ what, dollars }) => [what, '', dollars]),
]);

const goals = goalsOf(figures, values);
console.log('\nGoals of what is counted, in dollars per 1,000 searches');
printTable(
  goals.map((goal) => [
    goal.goal,
    `${goal.dollars.toFixed(4)} of ${goal.most}`,
    isMet(goal) ? 'met' : 'MISSED',
  ]),
);
process.exit(goals.every(isMet) ? 0 : 1);

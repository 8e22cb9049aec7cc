/**
 * `npm run bench:hostile`: opens, reads and judges pages that are made to keep the reader busy
 * (`test/hostile`), with 100 KB and with 1 MB, and prints the worst. Times are processor time of the thread.
 * Fails if a page of 1 MB takes longer than the limit, or if ten times the size takes more than twelve times
 * as long. `-- bing` uses the pages of Bing only, `-- --seed 7` other texts in the same places.
 */
import * as v from 'valibot';
import { offerHelp } from '../../infra/help.ts';
import { EngineName, engineNames } from '../../lib/model/engine.ts';
import { readers } from '../../lib/serp/reader.ts';
import type { HostilePage } from '../hostile/hostile-page.ts';
import { hostilePages } from '../hostile/pages.ts';
import { fetchOf, sandboxPages } from '../hostile/sandbox-page.ts';
import { machine, printTable } from './figures.ts';

offerHelp();

const { values, positionals } = (await import('node:util')).parseArgs({
  options: { seed: { type: 'string', default: '1' }, worst: { type: 'string', default: '15' } },
  allowPositionals: true,
});
const chosen = positionals.length === 0 ? engineNames : positionals.map((name) => v.parse(EngineName, name));

const sizes = { small: 100_000, large: 1_000_000 };

const limits = { milliseconds: 250, growth: 12 };

/** Below this time, a page of the small size says nothing about growth. */
const leastMs = 2;

/** The clock of the processor has steps of up to 4 ms, so a page of the small size is read so many times. */
const smallReadings = 5;

/**
 * A page that seems to miss a goal is measured again, for so many milliseconds in turn with its other size:
 * one step of the clock is then a fiftieth. Other work on the machine only adds to a time, so the least of
 * the measurements counts.
 */
const exact = { milliseconds: 200, measurements: 5 };

/** A page is read again as often as this before its time counts as too long. */
const maxTries = 4;

const milliseconds = (run: () => void): number => {
  const before = process.threadCpuUsage();
  run();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
};

/** All that is done with the text of a page between its fetch and its result. */
const work = (engine: EngineName, html: string): void => {
  const reader = readers[engine];
  const fetch = fetchOf(engine);
  const page = reader.open(html);
  const parsed = page.read(fetch.device);
  page.judge(parsed, fetch);
  page.next?.();
  page.deferred?.(parsed, fetch.device);
  reader.hiddenLinks.of(parsed);
};

/** The mean of so many readings. */
const timeOf = (engine: EngineName, html: string, readings: number): number =>
  milliseconds(() => {
    for (let n = 0; n < readings; n++) work(engine, html);
  }) / readings;

/** The time without what disturbs a single try. `enough`: a time that needs no second try. */
const leastTime = (engine: EngineName, html: string, readings: number, enough: number): number => {
  let least = timeOf(engine, html, readings);
  for (let tries = 1; tries < maxTries && least > enough; tries++)
    least = Math.min(least, timeOf(engine, html, readings));
  return least;
};

/** The times of the small and of the large page. */
type Times = { small: number; large: number };

const exactTimes = (engine: EngineName, pages: Record<keyof Times, string>, rough: Times): Times => {
  const best = { small: Number.POSITIVE_INFINITY, large: Number.POSITIVE_INFINITY };
  for (let measurement = 0; measurement < exact.measurements; measurement++) {
    for (const size of ['small', 'large'] as const) {
      const readings = Math.max(1, Math.ceil(exact.milliseconds / Math.max(1, rough[size])));
      best[size] = Math.min(best[size], timeOf(engine, pages[size], readings));
    }
  }
  return best;
};

type Row = Times & { page: HostilePage };

const growthOf = ({ small, large }: Times): number => large / Math.max(leastMs, small);

/** In less time than this, the garbage collector decides how a page grows. */
const leastGrownMs = 50;

const isSlow = ({ large }: Times): boolean => large > limits.milliseconds;

const growsFast = (times: Times): boolean => times.large >= leastGrownMs && growthOf(times) > limits.growth;

const rows: Row[] = [];
for (const engine of chosen) {
  const [plain = ''] = sandboxPages(engine);
  for (let round = 0; round < 20; round++) work(engine, plain);
  for (const page of hostilePages(engine, Number(values.seed))) {
    const html = { small: page.of(sizes.small), large: page.of(sizes.large) };
    const rough = {
      small: leastTime(engine, html.small, smallReadings, leastMs),
      large: leastTime(engine, html.large, 1, Math.min(limits.milliseconds, limits.growth * leastMs)),
    };
    const times = isSlow(rough) || growsFast(rough) ? exactTimes(engine, html, rough) : rough;
    rows.push({ page, ...times });
    if (rough.large > 4 * limits.milliseconds)
      console.log(`${engine}: ${page.name}: ${rough.large.toFixed(0)} ms`);
  }
}

const print = (title: string, found: Row[]): void => {
  console.log(`\n${title}\n`);
  printTable(
    ['', '100 KB, ms', '1 MB, ms', 'growth'],
    found.map(({ page, small, large }) => [
      `${page.engine}: ${page.name.slice(0, 90)}`,
      small.toFixed(1),
      large.toFixed(0),
      growthOf({ small, large }).toFixed(1),
    ]),
  );
};

const worst = Number(values.worst);
console.log(machine());
console.log(
  `${rows.length} pages: ${chosen.map((engine) => `${engine} ${rows.filter(({ page }) => page.engine === engine).length}`).join(', ')}`,
);
print('the slowest', rows.toSorted((a, b) => b.large - a.large).slice(0, worst));
print('the fastest growth', rows.toSorted((a, b) => growthOf(b) - growthOf(a)).slice(0, worst));

const [slow, fast] = [rows.filter(isSlow).length, rows.filter(growsFast).length];
console.log(
  `\ngoal: at most ${limits.milliseconds} ms for 1 MB: ${slow === 0 ? 'held' : `MISSED by ${slow} pages`}; ` +
    `growth of at most ${limits.growth}: ${fast === 0 ? 'held' : `MISSED by ${fast} pages`}`,
);
if (slow + fast > 0) process.exitCode = 1;

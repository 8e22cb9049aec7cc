/**
 * `npm run bench:parse`: compares the reading of a page with the bare tree of htmlparser2, which is what any
 * parser of the page would need at least. Both run in turn for each page, so that a busy machine slows both.
 * Uses the saved real pages if they are next to the project, or our own corpus. Times are processor time of
 * the thread. `-- bing` reads the pages of Bing, and `-- youtube` compares with `JSON.parse` of the data in
 * the page. `-- --websearcher` also reads the pages of Google with WebSearcher, which needs Python 3.12 or
 * newer and, at the first time, the network.
 */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DomHandler } from 'domhandler';
import { Parser } from 'htmlparser2';
import * as v from 'valibot';
import { offerHelp } from '../../infra/help.ts';
import type { Device } from '../../lib/model/crawl-request.ts';
import { EngineName } from '../../lib/model/engine.ts';
import { parseHtml } from '../../lib/serp/page.ts';
import { readers } from '../../lib/serp/reader.ts';
import { readData } from '../../lib/serp/youtube/data.ts';
import { htmlOf, root, savedPages } from '../pages/saved-pages.ts';
import { machine, printTable, quantile } from './figures.ts';
import { startWebSearcher } from './websearcher.ts';

offerHelp();

const withWebSearcher = process.argv.includes('--websearcher');
const [given] = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const engine = v.parse(EngineName, given ?? 'google');
if (withWebSearcher && engine !== 'google') throw new Error('WebSearcher reads only pages of Google');

const rounds = { warmUp: 3, measured: 5 };

/**
 * The clock of processor time advances in steps of some milliseconds. So each measurement repeats its run for
 * about this time.
 */
const millisecondsPerMeasurement = 64;

/**
 * The pages of YouTube are data in a script. So their reading is compared with the parsing of this data, and
 * not with a tree.
 */
const isData = engine === 'youtube';
const baseline = isData ? 'JSON.parse of the data' : 'bare tree';

/** The reading of a real page takes at most this many times as long as the baseline, in the median. */
const goal = isData ? 2 : 1.25;

/** And at most this part of the time that WebSearcher takes. */
const goalOfWebSearcher = 0.55;

type SavedPage = { path: string; html: string; device: Device };

const corpus = join(import.meta.dirname, '../corpus', engine);

const corpusPages = (): SavedPage[] =>
  (['desktop', 'mobile'] as const).flatMap((device) =>
    readdirSync(join(corpus, device)).map((name) => {
      const path = join(corpus, device, name, 'page.html');
      return { path, html: readFileSync(path, 'utf8'), device };
    }),
  );

const hasRealPages = existsSync(join(root, 'MANIFEST.tsv'));
const allPages: SavedPage[] = hasRealPages
  ? savedPages(engine).map((row) => ({ path: join(root, row.path), html: htmlOf(row), device: row.device }))
  : corpusPages();
const pages = isData ? allPages.filter(({ html }) => readData(html) !== null) : allPages;

/** The data of the pages, if they are pages of YouTube. */
const dataOf = new Map(isData ? pages.map(({ html }) => [html, JSON.stringify(readData(html))]) : []);

const milliseconds = (run: () => void): number => {
  const before = process.threadCpuUsage();
  run();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
};

const bareTree = (html: string): void => new Parser(new DomHandler()).end(html);

const read = ({ html, device }: SavedPage): void => {
  readers[engine].open(html).read(device);
};

const readAndJudge = ({ html, device }: SavedPage): void => {
  const page = readers[engine].open(html);
  page.judge(page.read(device), { query: 'a', device, fetchedAt: 0, status: 200, url: '' });
};

const reading = isData ? 'reading (data and items)' : 'reading (tree and items)';

const trees: Record<string, (page: SavedPage) => void> = {
  [baseline]: ({ html }) => bareTree(html),
  'tree without comments and scripts': ({ html }) => void parseHtml(html),
};

const runs: Record<string, (page: SavedPage) => void> = {
  ...(isData ? { [baseline]: ({ html }: SavedPage) => void JSON.parse(dataOf.get(html) ?? '{}') } : trees),
  [reading]: read,
  'reading and verdict': readAndJudge,
};

const webSearcher = withWebSearcher ? startWebSearcher() : undefined;
const webSearcherName = 'WebSearcher';

/** The times of each run for each page. */
const times = new Map(
  [...Object.keys(runs), webSearcherName].map((name) => [name, pages.map((): number[] => [])]),
);
for (let round = 0; round < rounds.warmUp; round += 1) {
  for (const page of pages) for (const run of Object.values(runs)) run(page);
}
for (let round = 0; round < rounds.measured; round += 1) {
  for (const [index, page] of pages.entries()) {
    const start = performance.now();
    runs[baseline]?.(page);
    const repeats = Math.max(1, Math.ceil(millisecondsPerMeasurement / (performance.now() - start)));
    for (const [name, run] of Object.entries(runs)) {
      const spent = milliseconds(() => {
        for (let count = 0; count < repeats; count += 1) run(page);
      });
      times.get(name)?.[index]?.push(spent / repeats);
    }
    const spent = await webSearcher?.time(page.path, repeats);
    if (spent) times.get(webSearcherName)?.[index]?.push(spent);
  }
}

webSearcher?.stop();

const median = (values: number[]): number => quantile(values, 0.5);
const mediansOf = (name: string): number[] => (times.get(name) ?? []).map(median);
const bare = mediansOf(baseline);
const megabytes = pages.reduce((sum, { html }) => sum + Buffer.byteLength(html), 0) / 2 ** 20;

const ratiosOf = (name: string): number[] => mediansOf(name).map((time, index) => time / (bare[index] || 1));

console.log(machine());
console.log(
  `${pages.length} pages of ${hasRealPages ? engine : 'our corpus'}, ${megabytes.toFixed(1)} MB, ${rounds.measured} rounds, milliseconds of processor time for a page:\n`,
);
printTable(
  ['', 'median', 'p95', 'MB/s', `× ${baseline}, median`, 'p95'],
  [...Object.keys(runs), ...(webSearcher ? [webSearcherName] : [])].map((name) => {
    const medians = mediansOf(name);
    const seconds = medians.reduce((sum, time) => sum + time, 0) / 1000;
    return [
      name,
      median(medians).toFixed(2),
      quantile(medians, 0.95).toFixed(2),
      (megabytes / seconds).toFixed(0),
      median(ratiosOf(name)).toFixed(2),
      quantile(ratiosOf(name), 0.95).toFixed(2),
    ];
  }),
);

if (hasRealPages) {
  const ratio = median(ratiosOf(reading));
  console.log(
    `\ngoal: reading takes at most ${goal} × the ${baseline}: ${ratio <= goal ? 'held' : 'MISSED'}`,
  );
  if (ratio > goal) process.exitCode = 1;
}
if (webSearcher) {
  const ours = mediansOf(reading);
  const ratios = mediansOf(webSearcherName).flatMap((time, index) =>
    time > 0 ? [(ours[index] ?? 0) / time] : [],
  );
  const ratio = median(ratios);
  console.log(
    `\ngoal: reading takes at most ${goalOfWebSearcher} × the time of WebSearcher (${ratios.length} pages that it reads): ${ratio.toFixed(2)}, ${ratio <= goalOfWebSearcher ? 'held' : 'MISSED'}`,
  );
  if (ratio > goalOfWebSearcher) process.exitCode = 1;
}

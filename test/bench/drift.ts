/**
 * `npm run bench:drift`: reads pages again after changes that the next release of an engine may bring, and
 * prints how many of the results are still found, how many of those found are right, and whether the page
 * still gets the same verdict. Uses the saved real pages if they are next to the project, or our own corpus.
 * `-- 7` uses the seed 7; `-- 7 --detail` also prints the pages with other results.
 */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { offerHelp } from '../../infra/help.ts';
import type { Device } from '../../lib/model/crawl-request.ts';
import { type EngineName, engineNames } from '../../lib/model/engine.ts';
import type { Verdict } from '../../lib/model/parsed-page.ts';
import type { PageFetch } from '../../lib/serp/engine-reader.ts';
import { readers } from '../../lib/serp/reader.ts';
import { webSites } from '../../lib/serp/tracking.ts';
import { htmlOf, type Row, root, savedPages } from '../pages/saved-pages.ts';
import { type Drift, dataDrifts, drifts } from '../tampering/drifts.ts';
import { machine, mean, printTable } from './figures.ts';

offerHelp();

/** The mean recall of each engine after each change. */
const goal = 0.97;

const seed = Number(process.argv[2] ?? 1);

type Result = { title: string; url: string };
type SavedPage = { path: string; html: string; fetch: PageFetch; labels?: Result[] };
type Reading = { results: Result[]; verdict: Verdict };

/** The items that the engine ranks, and the verdict. */
const read = (engine: EngineName, html: string, fetch: PageFetch): Reading => {
  const { open, sites = webSites } = readers[engine];
  const page = open(html);
  const parsed = page.read(fetch.device);
  const results = parsed.left.filter(({ type }) => type === sites.ranked);
  return { results, verdict: page.judge(parsed, fetch) };
};

const corpus = join(import.meta.dirname, '../corpus');

const hasRealPages = existsSync(join(root, 'MANIFEST.tsv'));

const labelsOf = ({ path }: Row): Result[] | undefined => {
  const file = join(root, path.replace(/\.html$/, '.labels.json'));
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).organic : undefined;
};

const fetchOf = (device: Device, query: string, fetchedAt: number): PageFetch => ({
  query,
  device,
  fetchedAt,
  status: 200,
  url: '',
});

const realPages = (engine: EngineName): SavedPage[] =>
  savedPages(engine)
    .filter(({ verdict }) => verdict === 'results')
    .map((row) => {
      const fetch = fetchOf(row.device, row.query, Date.parse(`${row.captured}T12:00:00Z`) / 1000);
      return { path: row.path, html: htmlOf(row), fetch, labels: labelsOf(row) };
    });

const corpusPages = (engine: EngineName): SavedPage[] =>
  (['desktop', 'mobile'] as const).flatMap((device) =>
    readdirSync(join(corpus, engine, device)).map((name) => {
      const path = join(engine, device, name, 'page.html');
      const html = readFileSync(join(corpus, path), 'utf8');
      const { query } = readers[engine].open(html).read(device);
      return { path, html, fetch: fetchOf(device, query, 0) };
    }),
  );

const decoded = (url: string): string => {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
};

const sameUrl = ({ url }: Result): string =>
  decoded(url)
    .replace(/#:~:text=.*$/, '')
    .replace(/^https?:\/\/(?:www\.)?/i, '')
    .replace(/\/$/, '');

const sameTitle = ({ title }: Result): string =>
  title
    .replace(/[\s….]/g, '')
    .slice(0, 40)
    .toLowerCase();

/**
 * How many results are found. All results of a few saved pages have the same address, so titles are compared
 * there.
 */
const countHits = (wanted: Result[], found: Result[]): number => {
  const isMasked = wanted.length > 1 && new Set(wanted.map(({ url }) => url)).size === 1;
  const identity = isMasked ? sameTitle : sameUrl;
  const rest = found.map(identity);
  const hits = wanted.filter((result) => {
    const at = rest.indexOf(identity(result));
    if (at >= 0) rest.splice(at, 1);
    return at >= 0;
  });
  return hits.length;
};

const untouched: Drift = { name: 'untouched', change: (html) => html };

const driftsOf = (engine: EngineName): Drift[] => [
  untouched,
  ...drifts,
  ...(engine === 'youtube' ? dataDrifts : []),
];

/** Whether to print the pages with other results. */
const isDetailed = process.argv.includes('--detail');

let isHeld = true;

/** One row of the table of an engine, and the pages with other results. */
const measure = (engine: EngineName, { name, change }: Drift, pages: SavedPage[], before: Reading[]) => {
  const others: string[] = [];
  const measured = pages.map(({ path, html, fetch, labels }, index) => {
    const wanted = labels ?? before[index]?.results ?? [];
    const { results, verdict } = read(engine, change(html, seed), fetch);
    const hits = countHits(wanted, results);
    const [recall, precision] = [hits / wanted.length, hits / Math.max(1, results.length)];
    const isSame = verdict === before[index]?.verdict;
    if (recall < 1 || precision < 1 || !isSame)
      others.push(
        `  ${name}: recall ${recall.toFixed(2)}, precision ${precision.toFixed(2)}, ${verdict}: ${path}`,
      );
    return { recall, precision, isSame };
  });
  const recall = mean(measured.map((one) => one.recall));
  isHeld &&= recall >= goal;
  const precision = mean(measured.map((one) => one.precision));
  const worst = Math.min(...measured.map((one) => one.recall));
  const same = measured.filter(({ isSame }) => isSame).length;
  return { row: [name, recall.toFixed(3), worst.toFixed(2), precision.toFixed(3), same], others };
};

console.log(machine());
console.log(`seed ${seed}, pages of ${hasRealPages ? 'the engines' : 'our corpus'}`);
for (const engine of engineNames) {
  const all = (hasRealPages ? realPages : corpusPages)(engine).map((page) => ({
    page,
    before: read(engine, page.html, page.fetch),
  }));
  const withResults = all.filter(({ page, before }) => (page.labels ?? before.results).length > 0);
  const pages = withResults.map(({ page }) => page);
  const before = withResults.map((one) => one.before);
  const labelled = pages.filter(({ labels }) => labels !== undefined).length;
  console.log(`\n${engine}: ${pages.length} pages with results, ${labelled} of them labelled\n`);
  const measured = driftsOf(engine).map((drift) => measure(engine, drift, pages, before));
  printTable(
    ['', 'recall', 'worst page', 'precision', 'same verdict'],
    measured.map(({ row }) => row),
  );
  if (isDetailed) console.log(measured.flatMap(({ others }) => others).join('\n'));
}

console.log(`\ngoal: recall of at least ${goal} for each engine and change: ${isHeld ? 'held' : 'MISSED'}`);
if (!isHeld) process.exitCode = 1;

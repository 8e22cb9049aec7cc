/** Measures the processor time of each step of one page, without requests and stores. */
import { gzipSync } from 'node:zlib';
import type { Device } from '../../lib/model/crawl-request.ts';
import { answerRequest } from '../../lib/sandbox/google/engine.ts';
import { readPage } from '../../lib/serp/google/reader.ts';
import { judgePage } from '../../lib/serp/google/verdict.ts';
import { parseHtml } from '../../lib/serp/page.ts';
import { keyword, printTable } from './figures.ts';

const pages = 200;
const device: Device = 'desktop';

/**
 * Measures the steps over 200 pages and prints their means. Returns the processor time of all steps of a
 * page, in milliseconds.
 */
export const measurePage = (): number => {
  const times = new Map<string, number>();
  const timed = <T>(step: string, run: () => T): T => {
    const before = process.threadCpuUsage();
    const value = run();
    const { user, system } = process.threadCpuUsage(before);
    times.set(step, (times.get(step) ?? 0) + (user + system) / 1000 / pages);
    return value;
  };
  const now = Math.floor(Date.now() / 1000);
  const crawl = (n: number) => {
    const query = keyword('page', n);
    const url = `https://www.google.com/search?q=${encodeURIComponent(query)}`;
    const { body } = timed('sandbox makes the page', () => answerRequest({ url, device, now }));
    const fetched = timed('tree of the page', () => parseHtml(body));
    const read = timed('parse', () => readPage(fetched, device));
    timed('verdict', () => judgePage(fetched, read, { query, device, fetchedAt: now, status: 200, url }));
    timed('gzip of the page', () => gzipSync(body));
    const again = timed('tree and parse again, with the targets of hidden links', () =>
      readPage(parseHtml(body), device),
    );
    timed('gzip of the result', () => gzipSync(JSON.stringify(again)));
  };
  for (let n = 0; n < 2 * pages; n += 1) crawl(n);
  times.clear();
  for (let n = 0; n < pages; n += 1) crawl(n);

  console.log(`\nProcessor time of one page by itself (${device}, ${pages} pages):`);
  printTable(
    ['step', 'ms'],
    [...times].map(([step, ms]) => [step, ms.toFixed(2)]),
  );
  return [...times.values()].reduce((sum, ms) => sum + ms, 0);
};

/**
 * `npm run bench:fair`: measures how long a single task of one user takes while many of another user wait,
 * with pages of 500 KB, as real ones are. The goal: at most twice as long as on an idle service. The first
 * argument is the number of waiting tasks, by default 1,000. Exits with 1 if the goal is missed.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { offerHelp } from '../../infra/help.ts';
import { type Client, clientOf } from '../e2e/client.ts';
import { pageFor } from '../e2e/embedded/engine.ts';
import { makeSecondUser } from '../e2e/second-user.ts';
import { startService } from '../e2e/service.ts';
import { keyword, machine, printTable, quantile } from './figures.ts';

offerHelp();

const waiting = Number(process.argv[2] ?? 1000);
const batch = 1000;
const singles = 20;
/** Pages per second. Empty means no limit. */
const rates = ['', '10'];
const allowedRatio = 2;
const longestMs = 120_000;

const pageBytes = 500 * 1024;

/**
 * Most bytes of a real page are scripts and styles. These have many short statements, so that they compress
 * as real ones do.
 */
const filler = (bytes: number): string => {
  const statements: string[] = [];
  for (let length = 0, n = 0; length < bytes; n += 1) {
    const statement = `_.m${n}=function(a){return a.q${(n * 7919) % 10_007}||_.r(${n},"${(n * 104_729).toString(36)}")};`;
    statements.push(statement);
    length += statement.length;
  }
  return `<script>${statements.join('').slice(0, bytes)}</script>`;
};

/** An engine on loopback: the pages of the sandbox, as large as real ones. */
const engine = createServer((request, response) => {
  const page = pageFor(request, new URL(request.url ?? '/', 'https://www.google.com'));
  const body = page.body.replace('</body>', `${filler(pageBytes - page.body.length)}</body>`);
  response.writeHead(page.status, { 'content-type': 'text/html; charset=UTF-8' }).end(body);
});
await new Promise<void>((resolve) => engine.listen(0, '127.0.0.1', resolve));
const origin = `http://127.0.0.1:${(engine.address() as AddressInfo).port}`;

const search = (run: string, n: number) => ({
  keyword: keyword(run, n),
  location_name: 'United States',
  iso_code: 'US',
  // Crawl each search: do not reuse pages.
  frequency: 0,
});

/** Posts single tasks, one after another. Returns the times from POST to success, as the client sees them. */
const timesOf = async (client: Client, run: string, count: number): Promise<number[]> => {
  const times: number[] = [];
  for (let n = 0; n < count; n += 1) {
    const start = performance.now();
    const { id } = await client.search(search(run, n));
    while ((await client.read(id)).status !== 'success') {
      if (performance.now() - start > longestMs) return [...times, Number.POSITIVE_INFINITY];
      await sleep(10);
    }
    times.push(performance.now() - start);
  }
  return times;
};

const postBatches = async (client: Client, count: number): Promise<void> => {
  for (let first = 0; first < count; first += batch) {
    const searches = Array.from({ length: Math.min(batch, count - first) }, (_, n) =>
      search('waiting', first + n),
    );
    await client.json('/api/v2/serp/crawl/google/batch', { method: 'POST', body: JSON.stringify(searches) });
  }
};

const measure = async (rate: string) => {
  const service = await startService({ GOOGLE_ORIGIN: origin, GOOGLE_RATE: rate || '0' });
  try {
    const busy = clientOf(service);
    const light = clientOf(await makeSecondUser(service));
    await timesOf(light, 'warm', 60);
    const idle = await timesOf(light, 'idle', singles);
    await postBatches(busy, waiting);
    return { rate, idle, behind: await timesOf(light, 'behind', singles) };
  } finally {
    await service.stop();
  }
};

console.log(machine());
const results: Awaited<ReturnType<typeof measure>>[] = [];
for (const rate of rates) results.push(await measure(rate));
engine.closeAllConnections();
engine.close();

const ratioOf = ({ idle, behind }: (typeof results)[number]): number =>
  quantile(behind, 0.5) / quantile(idle, 0.5);
console.log(
  `\nA single task, POST to success, while ${waiting} tasks of another user wait (median of ${singles}):`,
);
printTable(
  ['pages per second', 'idle', 'with waiting tasks', 'p95', 'ratio'],
  results.map((result) => [
    result.rate || 'no limit',
    `${quantile(result.idle, 0.5).toFixed(0)} ms`,
    `${quantile(result.behind, 0.5).toFixed(0)} ms`,
    `${quantile(result.behind, 0.95).toFixed(0)} ms`,
    ratioOf(result).toFixed(1),
  ]),
);
const isMet = results.every((result) => ratioOf(result) <= allowedRatio);
console.log(`\nThe goal, at most ${allowedRatio} times as long, is ${isMet ? 'met' : 'MISSED'}.`);
process.exitCode = isMet ? 0 : 1;

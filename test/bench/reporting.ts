/**
 * `npm run bench:reporting`: measures the lists of a project of 10,000 keywords with 31 days of positions
 * each, on the embedded stack, one request at a time over HTTP. Before some of the requests a chunk of the
 * keywords changes, as results do. The goal: p95 of each list of at most 50 ms. The first argument is the
 * number of keywords. Exits with 1 if the goal is missed.
 */
import { performance } from 'node:perf_hooks';
import { offerHelp } from '../../infra/help.ts';
import type { TrackedKeyword } from '../../lib/model/tracking.ts';
import { clientOf } from '../e2e/client.ts';
import { machine, printTable, quantile } from './figures.ts';
import { startMeteredStack } from './metered-stack.ts';

offerHelp();

const count = Number(process.argv[2] ?? 10_000);
const goalMs = 50;
const rounds = 100;

/** One in so many requests finds a chunk that has changed since the one before. */
const changedEvery = 5;

const stack = await startMeteredStack();
try {
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_DYNAMODB: stack.dynamodb,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    TRACKING_TABLE: stack.trackingTable,
  });
  // The store reads the environment when it is imported.
  const tracked = await import('../tracked-project.ts');
  const { changeChunk } = await import('../../lib/store/chunks.ts');

  const today = Math.floor(Date.now() / 1000 / tracked.day);
  const positionAt = (n: number, day: number): number => ((n * 7919 + day * 31) % 130) + 1;
  const observationAt = (n: number, day: number) => {
    const position = positionAt(n, day);
    return tracked.observationOf(day * tracked.day, position > 100 ? 1000 : position, {
      rivals: { 'rival.com': positionAt(n + 1, day), 'other.com': positionAt(n + 2, day) },
    });
  };
  const keywordAt = (n: number): TrackedKeyword =>
    tracked.after(
      tracked.keywordOf({
        keyword: `coffee grinder ${(n * 7919) % count}`,
        device: n % 2 ? 'mobile' : 'desktop',
        volumes: { local_sv: n % 5000, global_sv: n, cpc: 1, at: 0 },
      }),
      Array.from({ length: 31 }, (_, day) => observationAt(n, today - 31 + day)),
    );
  const keywords = Array.from({ length: count }, (_, n) => keywordAt(n));
  const { project_id, chunks } = await tracked.storeProject(1, keywords, {
    competitors: ['rival.com', 'other.com'],
  });
  const [first] = keywords;
  await tracked.storeHistory(
    first?.keyword_id ?? 0,
    Array.from({ length: 31 }, (_, day) => observationAt(0, today - 31 + day)),
  );
  const client = clientOf(stack);
  const report = `/api/reporting/projects/${project_id}`;
  const managed = `/api/v1/projects/${project_id}`;
  const { meta } = await client.json<{ meta: { next_cursor: string } }>(`${report}/keywords?sort=name`);

  const lists: [string, string][] = [
    ['projects', '/api/reporting/projects'],
    ['a project with its figures', `${report}?include=keywords`],
    ['keywords', `${report}/keywords`],
    ['keywords by name, a later page', `${report}/keywords?sort=name&cursor=${meta.next_cursor}`],
    ['keywords by position, searched', `${report}/keywords?sort=current_position&search=grinder%201`],
    ['keywords by state', `${report}/keywords?sort=status&device=mobile&per_page=100`],
    ['a keyword', `/api/reporting/keywords/${first?.keyword_id}`],
    ['history', `/api/reporting/keywords/${first?.keyword_id}/history`],
    ['keywords with 31 days, 100', `${managed}/keywords?sort=movement&order=desc`],
    ['visibility', `${managed}/visibility`],
  ];
  let changes = 0;
  const change = () =>
    changeChunk(project_id, changes++ % chunks, (all) =>
      all.map((each, n) => tracked.after(each, [observationAt(n + changes, today)])),
    );

  console.log(`${machine()}; ${count} keywords`);
  const rows: (string | number)[][] = [];
  for (const [name, path] of lists) {
    const times: number[] = [];
    for (let n = 0; n < rounds; n++) {
      if (n % changedEvery === 0) await change();
      const start = performance.now();
      await client.json(path);
      times.push(performance.now() - start);
    }
    rows.push([name, quantile(times, 0.5).toFixed(1), quantile(times, 0.95).toFixed(1)]);
    if (quantile(times, 0.95) > goalMs) process.exitCode = 1;
  }
  printTable(['list', 'p50, ms', 'p95, ms'], rows);
} finally {
  await stack.stop();
}

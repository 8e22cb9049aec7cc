/**
 * `npm run bench:plan`: how much processor time the planner of tracked searches needs to begin a crawl, with
 * the tables in a process of their own and a queue that accepts every message. From this time follows how
 * long the four planners on AWS need for 100,000 searches that are due at once: each has a whole processor
 * core. The goal: one minute. The first argument is the number of searches to measure. Exits with 1 if the
 * goal is missed.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { performance } from 'node:perf_hooks';
import '../setup/env.ts';
import { offerHelp } from '../../infra/help.ts';
import { machine, printTable } from './figures.ts';

offerHelp();

const count = Number(process.argv[2] ?? 8000);
const goal = { searches: 100_000, seconds: 60 };

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address ? address.port : 0;
};

/** Starts the tables in another process, so that their work is not counted. */
const startTables = async () => {
  const port = await freePort();
  const cli = new URL('../../node_modules/dynalite/cli.js', import.meta.url).pathname;
  const child = spawn(
    process.execPath,
    [cli, '--host', '127.0.0.1', '--port', String(port), '--createTableMs', '0'],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  await once(child.stdout, 'data');
  process.env.AWS_ENDPOINT_URL_DYNAMODB = `http://127.0.0.1:${port}`;
  return child;
};

const tables = await startTables();
try {
  const { createTables, mockServices } = await import('../tables.ts');
  await createTables();
  mockServices();
  const { planSearches } = await import('../../lib/reporting/run/plan-searches.ts');
  const { trackedSearchHash } = await import('../../lib/reporting/search-hash.ts');
  const { subscribe } = await import('../../lib/store/searches.ts');
  const { putAccount } = await import('../../lib/store/users.ts');
  const tracked = await import('../tracked-project.ts');
  const { scheduleGroups } = await import('../../infra/function-limits.ts');

  await putAccount({
    id: 1,
    name: '',
    email: '',
    ttl: 0,
    enabled: true,
    key_hash: '1',
    key_until: 0,
    other_key_until: 0,
    permissions: [],
    rate_limit: 0,
    webhook_secrets: [],
    former_secret_until: 0,
    signing_key: Buffer.alloc(32, 7).toString('base64'),
    created_at: 0,
    revision: 1,
  });
  const { project_id } = await tracked.storeProject(1);
  const now = Math.floor(Date.now() / 1000);
  await subscribe(
    Array.from({ length: count }, (_, n) => {
      const search = {
        engine: 'google' as const,
        engine_domain: 'google.com',
        keyword: `coffee grinder ${n}`,
        location_name: 'Berlin,Germany',
        iso_code: 'DE',
        language_code: 'de',
        device: 'desktop' as const,
      };
      return {
        search,
        search_hash: trackedSearchHash(search),
        keyword_id: tracked.nextId(),
        user_id: 1,
        project_id,
        chunk: 0,
        update_frequency: 24,
        first_at: now - 1,
      };
    }),
    now - 60,
  );

  const write = process.stdout.write;
  process.stdout.write = () => true;
  const start = performance.now();
  const before = process.cpuUsage();
  let planned = 0;
  for (const shards of scheduleGroups) planned += await planSearches(shards, now, () => false);
  const { user, system } = process.cpuUsage(before);
  const seconds = (performance.now() - start) / 1000;
  process.stdout.write = write;
  if (planned !== count) throw new Error(`${planned} of ${count} searches were planned`);

  const processorMs = (user + system) / 1000 / count;
  const onAws = (goal.searches * processorMs) / 1000 / scheduleGroups.length;
  console.log(`${machine()}; ${count} searches`);
  printTable(
    ['', ''],
    [
      ['processor time for a search, ms', processorMs.toFixed(2)],
      ['searches a second here, with one planner after another', (count / seconds).toFixed(0)],
      [`seconds of ${scheduleGroups.length} planners on AWS for ${goal.searches} searches`, onAws.toFixed(0)],
    ],
  );
  const isMet = onAws <= goal.seconds;
  console.log(`\nThe goal, at most ${goal.seconds} s, is ${isMet ? 'met' : 'MISSED'}.`);
  if (!isMet) process.exitCode = 1;
} finally {
  tables.kill();
}

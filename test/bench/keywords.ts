/**
 * `npm run bench:keywords`: measures how long 10,000 keywords take from the first POST to the last result,
 * with the sandbox as the source and one call a second, and how long one keyword of another user takes
 * meanwhile. The goal: all results in less than 30 s. The first argument is the number of keywords. Exits
 * with 1 if the goal is missed.
 */
import { performance } from 'node:perf_hooks';
import { offerHelp } from '../../infra/help.ts';
import { clientOf } from '../e2e/client.ts';
import { keywordsOf } from '../e2e/keyword-client.ts';
import { makeSecondUser } from '../e2e/second-user.ts';
import { startService } from '../e2e/service.ts';
import { machine, printTable } from './figures.ts';

offerHelp();

const count = Number(process.argv[2] ?? 10_000);
const goalSeconds = 30;
const longestMs = 300_000;

const secondsSince = (start: number): number => Number(((performance.now() - start) / 1000).toFixed(1));

const service = await startService({ ADS_RATE: '1' });
try {
  const many = keywordsOf(clientOf(service));
  const single = keywordsOf(clientOf(await makeSecondUser(service)));
  const start = performance.now();
  await many.post(Array.from({ length: count }, (_, n) => ({ key: `keyword ${n}`, loc_id: 2840 })));
  const accepted = secondsSince(start);
  const singleStart = performance.now();
  const [other] = await single.post([{ key: 'single', loc_id: 2276 }]);
  if (other) await single.finalOf(other.id, longestMs);
  const alone = secondsSince(singleStart);
  await many.allFinal(longestMs);
  const all = secondsSince(start);

  console.log(machine());
  printTable(
    ['keywords', 'accepted, s', 'all results, s', 'one keyword of another user, s'],
    [[String(count), String(accepted), String(all), String(alone)]],
  );
  if (all >= goalSeconds) process.exitCode = 1;
} finally {
  await service.stop();
}

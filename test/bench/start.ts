/**
 * `npm run bench:start`: measures how long the embedded stack takes from its command to its line `ready`, and
 * the processor time of its processes: cold (nothing is kept of earlier starts), warm on a new DATA_DIR, and
 * warm on the DATA_DIR of an earlier start. `npm start` of npm itself takes some 0.2 s more. A number as
 * argument changes how many starts of each kind. Exits with 1 if the goal is missed.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { offerHelp } from '../../infra/help.ts';
import { cacheFolder } from '../../infra/local/cache-folder.ts';
import { machine, printTable, quantile } from './figures.ts';

offerHelp();
if (process.platform !== 'linux') throw new Error('This benchmark reads /proc: run it on Linux');

const runs = Number(process.argv[2] ?? 9);
const allowedMs = 1200;

type Start = { readyMs: number; cpuMs: number };

/** The processor time of a process, which the kernel counts in hundredths of a second. */
const cpuMs = (pid: string): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
};

/** The process, and the processes that it has started. */
const processesOf = (pid: number): string[] => [
  String(pid),
  ...readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean),
  ),
];

const { NODE_COMPILE_CACHE: _, ...environment } = process.env;

const start = async (dataDir: string): Promise<Start> => {
  const began = performance.now();
  const child = spawn(process.execPath, ['infra/local/start.ts', '--no-demonstration'], {
    env: { ...environment, PORT: '0', DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.startsWith('ready ')) continue;
    const readyMs = performance.now() - began;
    const total = processesOf(child.pid ?? 0).reduce((sum, pid) => sum + cpuMs(pid), 0);
    child.kill('SIGTERM');
    await ended;
    return { readyMs, cpuMs: total };
  }
  throw new Error('The stack ended before it was ready');
};

const startOnce = async (): Promise<Start> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-start-'));
  try {
    return await start(dataDir);
  } finally {
    rmSync(dataDir, { recursive: true });
  }
};

const repeat = async (times: number, once: () => Promise<Start>): Promise<Start[]> => {
  const starts: Start[] = [];
  while (starts.length < times) starts.push(await once());
  return starts;
};

const row = (name: string, starts: Start[]) => {
  const ready = starts.map(({ readyMs }) => readyMs);
  const cpu = starts.map((each) => each.cpuMs);
  return [
    name,
    ...[quantile(ready, 0.5), Math.min(...ready), Math.max(...ready), quantile(cpu, 0.5)].map((ms) =>
      ms.toFixed(0),
    ),
  ];
};

const cold = await repeat(Math.max(1, Math.ceil(runs / 3)), () => {
  for (const kind of ['compiled', 'embedded-stack', 'programs'])
    rmSync(cacheFolder(kind), { recursive: true, force: true });
  return startOnce();
});
const warm = await repeat(runs, startOnce);
const folder = mkdtempSync(join(tmpdir(), 'bench-start-'));
await start(folder);
const kept = await repeat(runs, () => start(folder));
rmSync(folder, { recursive: true });

console.log(`\nA start of the embedded stack, ms, on ${machine()}, load ${loadavg()[0]?.toFixed(1)}\n`);
printTable(
  ['', 'median', 'fastest', 'slowest', 'processor time'],
  [row('cold', cold), row('warm, new DATA_DIR', warm), row('warm, kept DATA_DIR', kept)],
);
const missed = [warm, kept].some(
  (starts) =>
    quantile(
      starts.map(({ readyMs }) => readyMs),
      0.5,
    ) > allowedMs,
);
console.log(`\nGoal: a warm start takes at most ${allowedMs} ms (median): ${missed ? 'missed' : 'held'}`);
process.exit(missed ? 1 : 0);

/** The same seed gives the same history, in every process; and a world reads nothing of the machine. */
import { execFile, execFileSync } from 'node:child_process';
import cryptoModule, { generateKeyPairSync, randomBytes, randomFillSync, randomUUID } from 'node:crypto';
import dns from 'node:dns';
import { connect } from 'node:net';
import os from 'node:os';
import timers from 'node:timers';
import timersPromises from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { bundle, patched } from './code/bundle.ts';
import { compile } from './code/instance.ts';
import { templateForWorlds } from './code/template.ts';
import { planOf } from './plan/plan.ts';
import { changedTemplate, planted } from './planted.ts';
import { play } from './play.ts';
import { GuardError, guarded } from './world/guard.ts';

const run = promisify(execFile);
const main = fileURLToPath(new URL('main.ts', import.meta.url));

const hashesOf = async (...options: string[]): Promise<string[]> => {
  const { stdout } = await run(process.execPath, [main, ...options]);
  return [...stdout.matchAll(/^seed (\d+) {2}([\da-f]{16}).* holds$/gm)].map(
    ([, seed, hash]) => `${seed} ${hash}`,
  );
};

test('the same seeds give the same histories in two processes, in any order, and other seeds others', async () => {
  const [several, alone] = await Promise.all([
    hashesOf('--from', '68', '--seeds', '2'),
    hashesOf('--seed', '69'),
  ]);

  expect(several).toHaveLength(2);
  expect(new Set(several).size).toBe(2);
  expect(alone).toEqual([several[1]]);
});

test.each<[string, () => unknown]>([
  ['the time', () => Date.now()],
  ['the date', () => new Date()],
  ['a clock that only moves forward', () => performance.now()],
  ['a random number', () => Math.random()],
  ['random bytes', () => randomBytes(4)],
  ['a random id', () => randomUUID()],
  ['a random id of the web', () => crypto.randomUUID()],
  ['a timer', () => setTimeout(() => undefined, 1)],
  ['the environment', () => process.env.PATH],
  ['the network', () => connect(1)],
  ['the network of the web', () => fetch('http://127.0.0.1:1')],
  ['the date as text', () => Date()],
  ['the present in a format', () => new Intl.DateTimeFormat().format()],
  ['the parts of the present in a format', () => new Intl.DateTimeFormat().formatToParts()],
  ['a timer of the module', () => timers.setTimeout(() => undefined, 1)],
  ['an interval of the module', () => timers.setInterval(() => undefined, 1)],
  ['a promise of a timer', () => timersPromises.setImmediate()],
  ['the end of a pause', () => timersPromises.scheduler.wait(1)],
  ['a signal after a time', () => AbortSignal.timeout(1)],
  ['the time since its start', () => process.uptime()],
  ['a clock of nanoseconds', () => process.hrtime.bigint()],
  ['the memory', () => process.memoryUsage()],
  ['the start of its clock', () => performance.timeOrigin],
  ['a mark in time', () => performance.mark('here')],
  ['bytes that are filled in', () => randomFillSync(Buffer.alloc(4))],
  ['random values of the module', () => cryptoModule.getRandomValues(new Uint8Array(4))],
  ['random values of the web', () => crypto.getRandomValues(new Uint8Array(4))],
  ['a random key', () => generateKeyPairSync('ed25519')],
  ['the name', () => os.hostname()],
  ['the load', () => os.loadavg()],
  ['a name server', () => dns.promises.resolve4('example.com')],
  ['a program', () => execFileSync('true')],
])('a world that reads %s of the machine fails', async (_what, read) => {
  await expect(guarded(async () => read())).rejects.toThrow(GuardError);
});

test('a world that hides that it has read the clock fails all the same', async () => {
  const hiding = guarded(async () => {
    try {
      Date.now();
    } catch {
      // Hidden.
    }
  });

  await expect(hiding).rejects.toThrow('Date.now');
});

test('a service that reads the clock of the machine fails', async () => {
  const file = 'lib/runtime/clock.ts';
  const reading = { file, from: '=> Date.now();', to: "=> (0, eval)('Date.now()');" };
  const script = compile(await bundle([reading]));

  await expect(play(planOf(21), { script, template: await templateForWorlds() })).rejects.toThrow('Date.now');
});

test('a plan is the same for the same seed', () => {
  expect(planOf(11)).toEqual(planOf(11));
  expect(planOf(11)).not.toEqual(planOf(12));
});

test('each planted fault fits the code', async () => {
  const { readFileSync } = await import('node:fs');
  const template = await templateForWorlds();
  for (const fault of planted) {
    const { name, patches } = fault;
    expect(() => changedTemplate(template, fault), name).not.toThrow();
    for (const file of new Set(patches.map((it) => it.file))) {
      const text = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
      const ofFile = patches.filter((it) => it.file === file);
      expect(() => patched(text, ofFile), name).not.toThrow();
    }
  }
});

test('the document has a row for each planted fault', async () => {
  const { readFileSync } = await import('node:fs');
  const text = readFileSync(new URL('../../docs/simulation.md', import.meta.url), 'utf8');
  const [table = ''] = (text.split('| planted fault | seed | rule |')[1] ?? '').split('\n\n');
  const rows = [...table.matchAll(/^\| (.+?) \| \d+ \| .+ \|$/gm)].map(([, name]) => name);
  expect(rows.toSorted()).toEqual(planted.map(({ name }) => name).toSorted());
});

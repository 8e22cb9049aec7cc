/** The kept program: made once for the same sources, and never a part of one. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openProgram } from '../../../infra/local/program.ts';

let all: string;
beforeEach(() => {
  all = mkdtempSync(join(tmpdir(), 'programs-'));
});
afterEach(() => rmSync(all, { recursive: true, force: true }));

/** A maker whose program is one file with this text. */
const writing = (text: string) =>
  vi.fn(async (folder: string) => writeFileSync(join(folder, 'serve.mjs'), text));

const open = (key: string, make: (folder: string) => Promise<void>) =>
  openProgram(key, make, all, join(all, 'none'));

const textOf = (folder: string) => readFileSync(join(folder, 'serve.mjs'), 'utf8');

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);

test('is made by the first start, and found by the second', async () => {
  const [first, second] = [writing('first'), writing('second')];
  await open('k', first);

  expect(textOf(await open('k', second))).toBe('first');
  expect([first, second].map(({ mock }) => mock.calls.length)).toEqual([1, 0]);
});

test('is another one for another key', async () => {
  await open('k1', writing('first'));

  expect(textOf(await open('k2', writing('second')))).toBe('second');
});

test('is one and whole for starts that make it at the same time', async () => {
  const slowly = (text: string) => async (folder: string) => {
    writeFileSync(join(folder, 'serve.mjs'), text);
    await new Promise((resolve) => setTimeout(resolve, 10));
    writeFileSync(join(folder, 'late.mjs'), text);
  };
  const folders = await Promise.all(['a', 'b', 'c', 'd'].map((text) => open('k', slowly(text))));

  expect(new Set(folders).size).toBe(1);
  expect(readdirSync(all)).toEqual(['program-k']);
  const [folder = ''] = folders;
  expect(readFileSync(join(folder, 'late.mjs'), 'utf8')).toBe(textOf(folder));
});

test('is not kept if it cannot be made', async () => {
  const fail = async (folder: string) => {
    writeFileSync(join(folder, 'serve.mjs'), 'a part');
    throw new Error('a fault in a source file');
  };

  await expect(open('k', fail)).rejects.toThrow('a fault in a source file');
  expect(readdirSync(all)).toEqual([]);
});

test('cannot be made in a folder that cannot be made', async () => {
  writeFileSync(join(all, 'file'), '');

  await expect(openProgram('k', writing(''), join(all, 'file'))).rejects.toThrow('ENOTDIR');
});

test('when another one is made, those are removed that were not in use for two hours', async () => {
  for (const [key, hours] of [
    ['old', 3],
    ['in-use', 1],
  ] as const) {
    const folder = await open(key, writing(key));
    utimesSync(folder, hoursAgo(hours), hoursAgo(hours));
  }
  const unfinished = join(all, 'unfinished-1');
  mkdirSync(unfinished);
  utimesSync(unfinished, hoursAgo(3), hoursAgo(3));

  await open('new', writing('new'));

  expect(readdirSync(all).sort()).toEqual(['program-in-use', 'program-new']);
});

test('when another one is made, the compiled code is removed if it is large, and else kept', async () => {
  const compiled = join(all, 'compiled');
  mkdirSync(join(compiled, 'v24'), { recursive: true });
  writeFileSync(join(compiled, 'v24', 'a'), 'x'.repeat(1000));

  await openProgram('k1', writing(''), all, compiled, 1000);
  expect(existsSync(compiled)).toBe(true);
  await openProgram('k2', writing(''), all, compiled, 999);
  expect(existsSync(compiled)).toBe(false);
});

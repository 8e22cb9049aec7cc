import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { builtFiles } from '../../../lib/reference/built.ts';

const makeFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'built-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
};

const files = new Map([['a.js', new Uint8Array([1, 2])]]);

test('from source, requests at the same time and later ones share one build', async () => {
  const build = vi.fn(async () => files);
  const read = builtFiles(pathToFileURL(join(await makeFolder(), 'nothing/')), build);

  expect(await Promise.all([read('a.js'), read('a.js')])).toEqual([files.get('a.js'), files.get('a.js')]);
  expect(await read('a.js')).toEqual(files.get('a.js'));
  expect(build).toHaveBeenCalledOnce();
});

test('a build that failed is made again for the next request', async () => {
  const build = vi.fn(async () => files).mockRejectedValueOnce(new Error('no memory'));
  const read = builtFiles(pathToFileURL(join(await makeFolder(), 'nothing/')), build);

  await expect(read('a.js')).rejects.toThrow('no memory');
  expect(await read('a.js')).toEqual(files.get('a.js'));
});

test('a file that the build does not have is named', async () => {
  const read = builtFiles(pathToFileURL(join(await makeFolder(), 'nothing/')), async () => files);

  await expect(read('b.js')).rejects.toThrow(/has no b\.js$/);
});

test('a deployment reads its folder, and builds nothing', async () => {
  const folder = await makeFolder();
  await writeFile(join(folder, 'a.js'), 'deployed');
  const build = vi.fn(async () => files);
  const read = builtFiles(pathToFileURL(`${folder}/`), build);

  expect(Buffer.from(await read('a.js')).toString()).toBe('deployed');
  expect(build).not.toHaveBeenCalled();
});

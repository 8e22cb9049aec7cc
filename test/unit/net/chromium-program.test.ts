/** Where Chromium is unpacked, with a package that writes small files as the real one writes large ones. */
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { chromiumFolder, unpackChromium } from '../../../lib/net/chromium-program.ts';

/** `fails`: whether the disk is full in the middle of the program. */
const { unpacked, broken } = vi.hoisted(() => ({ unpacked: vi.fn(), broken: { fails: false } }));

vi.mock(import('@sparticuz/chromium'), async (original) => {
  const { existsSync, mkdirSync, writeFileSync } = await import('node:fs');
  const { setTimeout } = await import('node:timers/promises');
  const real = await original();
  const executablePath = async () => {
    const folder = tmpdir();
    const program = join(folder, 'chromium');
    if (existsSync(program)) return program;
    unpacked(folder);
    writeFileSync(program, 'half');
    await setTimeout(5);
    if (broken.fails) throw new Error('ENOSPC');
    mkdirSync(join(folder, 'fonts'));
    writeFileSync(join(folder, 'fonts/fonts.conf'), '<dir>/tmp/fonts</dir>');
    writeFileSync(program, 'whole', { mode: 0o700 });
    return program;
  };
  return { ...real, default: { executablePath } as never, inflate: async () => '' };
});

let temporary: string;
beforeEach(async () => {
  temporary = await mkdtemp(join(tmpdir(), 'program-'));
  vi.stubEnv('TMPDIR', temporary);
  broken.fails = false;
});
afterEach(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  unpacked.mockClear();
  await rm(temporary, { recursive: true });
});

test('is in a folder of this user and version, which nobody else can write to, with its fonts', async () => {
  const program = await unpackChromium();

  const folder = dirname(program);
  expect(basename(folder)).toMatch(new RegExp(`^chromium-\\d+\\.\\d+\\.\\d+-${process.getuid?.()}$`));
  expect(dirname(folder)).toBe(temporary);
  expect((await stat(folder)).mode & 0o077).toBe(0);
  expect(await readFile(program, 'utf8')).toBe('whole');
  expect(await readFile(join(folder, 'fonts/fonts.conf'), 'utf8')).toBe(`<dir>${folder}/fonts</dir>`);
  expect(tmpdir()).toBe(temporary);
});

test('is not what somebody else has put at the place where the package would look for it', async () => {
  await writeFile(join(temporary, 'chromium'), 'hostile', { mode: 0o755 });

  expect(await readFile(await unpackChromium(), 'utf8')).toBe('whole');
});

test('is unpacked once, also by several processes at once, none of which sees half of it', async () => {
  const programs = await Promise.all([1, 2, 3].map(() => unpackChromium()));
  expect(new Set(programs).size).toBe(1);
  expect(unpacked).toHaveBeenCalledTimes(3);

  await unpackChromium();

  expect(unpacked).toHaveBeenCalledTimes(3);
  expect(await readdir(temporary)).toEqual([basename(dirname(programs[0] ?? ''))]);
  for (const program of programs) expect(await readFile(program, 'utf8')).toBe('whole');
});

test('leaves nothing behind if the disk is full, and is unpacked the next time', async () => {
  broken.fails = true;
  await expect(unpackChromium()).rejects.toThrow('ENOSPC');
  expect(await readdir(temporary)).toEqual([]);

  broken.fails = false;
  expect(await readFile(await unpackChromium(), 'utf8')).toBe('whole');
});

test('is not taken from a folder of another user, or from where a link leads', async () => {
  const { uid } = await stat(temporary);
  vi.spyOn(process, 'getuid').mockReturnValue(uid + 1);
  const folder = await chromiumFolder();
  await mkdir(folder);
  await writeFile(join(folder, 'chromium'), 'hostile', { mode: 0o755 });

  await expect(unpackChromium()).rejects.toThrow(`${folder} is not a folder of this user. Remove it, or`);

  vi.mocked(process.getuid)?.mockReturnValue(uid);
  await symlink(folder, await chromiumFolder());
  await expect(unpackChromium()).rejects.toThrow('is not a folder of this user');
  expect(unpacked).not.toHaveBeenCalled();
});

/** The list of the files of the stopped stores, by which the next start finds files that were cut off. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { checkFiles, listFiles } from '../../../infra/local/stores/known-files.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'known-files-'));
  for (const name of ['tables', 'queues']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'queues', 'fauxqs.db'), 'rows');
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a start finds a file that was cut off, and removes the list if none was', () => {
  listFiles(folder);
  checkFiles(folder);
  expect(readdirSync(folder).sort()).toEqual(['queues', 'tables']);

  listFiles(folder);
  writeFileSync(join(folder, 'queues', 'fauxqs.db'), 'ro');
  expect(() => checkFiles(folder)).toThrow('it had 4 bytes when the service stopped, and has 2 now');
});

// Linux only. Each write to the device fails, as on a full disk.
test.skipIf(!existsSync('/dev/full'))('a stop without room leaves no half of a list', () => {
  symlinkSync('/dev/full', join(folder, 'stopped.json'));
  symlinkSync('/dev/full', join(folder, 'stopped.json.new'));
  const printed = vi.spyOn(console, 'error').mockImplementation(() => undefined);

  listFiles(folder);
  rmSync(join(folder, 'stopped.json'));

  expect(printed.mock.calls.flat()).toEqual([expect.stringContaining('ENOSPC')]);
  expect(readdirSync(folder).sort()).toEqual(['queues', 'tables']);
  expect(() => checkFiles(folder)).not.toThrow();
  printed.mockRestore();
});

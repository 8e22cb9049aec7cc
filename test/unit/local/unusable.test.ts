/** An error about a file in DATA_DIR names the file, the cause and what to do. */
import { expect, test } from 'vitest';
import { checkWritable, unusable } from '../../../infra/local/unusable.ts';

test.each([
  ['it is missing', 'Restore it'],
  ['EACCES: permission denied, scandir', 'Become its owner'],
  ['EROFS: read-only file system, open', 'Make its disk writable'],
  ['IO error: 000005.ldb: No space left on device', 'Make room on the disk'],
  ['database or disk is full', 'Make room on the disk'],
])('%s: %s', (reason, remedy) => {
  expect(unusable('/data/lock.db', new Error(reason)).message).toBe(
    `/data/lock.db cannot be used: ${reason}. ${remedy}, or set DATA_DIR to another folder.`,
  );
});

test('a folder that cannot be written is named', () => {
  // No user may write there.
  expect(() => checkWritable('/proc/1/task/none')).toThrow(/^\/proc\/1\/task\/none cannot be used: /);
  expect(() => checkWritable(process.cwd())).not.toThrow();
});

import { expect, onTestFinished, test } from 'vitest';
import { type Layout, layouts } from '../../../lib/store/layouts.ts';
import { upgrading } from '../../../lib/store/version.ts';

const upgrade = upgrading('snapshot', [
  ({ colour, ...thing }) => ({ ...thing, color: colour }),
  (thing) => ({ ...thing, size: 1 }),
]);

test.each([
  ['without a version number', { colour: 'red' }],
  ['of version 1', { version: 1, colour: 'red' }],
  ['of version 2', { version: 2, color: 'red' }],
  ['of the present version', { version: 3, color: 'red', size: 1 }],
])('an item %s is read in the present version', (_, item) => {
  expect(upgrade(item)).toEqual({ version: 3, color: 'red', size: 1 });
});

test('an item of a later release is an error', () => {
  expect(() => upgrade({ version: 4 })).toThrow('A snapshot of version 4 was written by a later release');
});

test('an item of the next version is turned into one of this version, if the reader knows how', () => {
  const snapshot: Layout = layouts.snapshot;
  snapshot.readableVersion = 5;
  onTestFinished(() => {
    snapshot.readableVersion = 3;
  });
  const present = upgrading(
    'snapshot',
    [(thing) => thing, (thing) => thing],
    [
      ({ colours, ...thing }) => ({ ...thing, color: String(colours) }),
      ({ hues, ...thing }) => ({ ...thing, colours: hues }),
    ],
  );

  expect(present({ version: 3, color: 'red' })).toEqual({ version: 3, color: 'red' });
  expect(present({ version: 4, colours: ['red'] })).toEqual({ version: 3, color: 'red' });
  expect(present({ version: 5, hues: ['red'] })).toEqual({ version: 3, color: 'red' });
  expect(() => present({ version: 6 })).toThrow('written by a later release');
});

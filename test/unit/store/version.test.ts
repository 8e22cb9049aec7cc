import { expect, test } from 'vitest';
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

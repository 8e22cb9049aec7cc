import { expect, test } from 'vitest';
import { itemSize, readUnits, writeUnits } from '../../../infra/cost/item-size.ts';

test.each([
  ['a text by bytes, not by characters', { name: { S: 'Köln' } }, 4 + 5],
  ['a number by pairs of digits', { n: { N: '12345' } }, 1 + 4],
  ['a number without its leading and trailing zeros', { n: { N: '1200' } }, 1 + 2],
  ['a minus sign as one byte', { n: { N: '-12' } }, 1 + 3],
  ['zero', { n: { N: '0' } }, 1 + 1],
  ['binary data by its bytes, not as base64', { b: { B: Buffer.alloc(100).toString('base64') } }, 1 + 100],
  ['a boolean and a null', { yes: { BOOL: true }, no: { NULL: true } }, 3 + 1 + 2 + 1],
  ['a list with its elements', { l: { L: [{ S: 'ab' }, { S: 'c' }] } }, 1 + 3 + 2 + 3],
  ['a map with its entries', { m: { M: { key: { S: 'value' } } } }, 1 + 3 + 1 + 8],
  ['a set', { s: { SS: ['ab', 'c'] } }, 1 + 3],
])('measures %s', (_, item, bytes) => {
  expect(itemSize(item)).toBe(bytes);
});

const ofBytes = (bytes: number) => ({ a: { S: 'x'.repeat(bytes - 1) } });

test.each([
  ['no item', [undefined], 1],
  ['1 KB', [ofBytes(1024)], 1],
  ['1 KB and one byte', [ofBytes(1025)], 2],
  ['a smaller item in the place of a larger one', [ofBytes(4000), ofBytes(100)], 4],
])('bills a write of %s', (_, items, units) => {
  expect(writeUnits(...items)).toBe(units);
});

test.each([
  [0, true, 1],
  [4096, true, 1],
  [4097, true, 2],
  [4097, false, 1],
  [0, false, 0.5],
])('bills a read of %i bytes (consistent: %s)', (bytes, isConsistent, units) => {
  expect(readUnits(bytes, isConsistent)).toBe(units);
});

import { expect, test } from 'vitest';
import { itemSize, readUnits, writeUnits } from '../../../infra/cost/item-size.ts';

test.each([
  ['a text by its bytes, not its letters', { name: { S: 'Köln' } }, 4 + 5],
  ['a number by pairs of digits', { n: { N: '12345' } }, 1 + 4],
  ['zeros at its ends for nothing', { n: { N: '1200' } }, 1 + 2],
  ['a sign for a byte', { n: { N: '-12' } }, 1 + 3],
  ['zero', { n: { N: '0' } }, 1 + 1],
  ['binary as it is, not in base64', { b: { B: Buffer.alloc(100).toString('base64') } }, 1 + 100],
  ['truth and nothing', { yes: { BOOL: true }, no: { NULL: true } }, 3 + 1 + 2 + 1],
  ['a list and what is in it', { l: { L: [{ S: 'ab' }, { S: 'c' }] } }, 1 + 3 + 2 + 3],
  ['a map and what is in it', { m: { M: { key: { S: 'value' } } } }, 1 + 3 + 1 + 8],
  ['a set', { s: { SS: ['ab', 'c'] } }, 1 + 3],
])('measures %s', (_, item, bytes) => {
  expect(itemSize(item)).toBe(bytes);
});

const ofBytes = (bytes: number) => ({ a: { S: 'x'.repeat(bytes - 1) } });

test.each([
  ['nothing that was there', [undefined], 1],
  ['1 KB', [ofBytes(1024)], 1],
  ['a byte more', [ofBytes(1025)], 2],
  ['the larger of before and after', [ofBytes(4000), ofBytes(100)], 4],
])('bills the write of %s', (_, items, units) => {
  expect(writeUnits(...items)).toBe(units);
});

test.each([
  [0, true, 1],
  [4096, true, 1],
  [4097, true, 2],
  [4097, false, 1],
  [0, false, 0.5],
])('bills a read of %i bytes, consistent %s', (bytes, isConsistent, units) => {
  expect(readUnits(bytes, isConsistent)).toBe(units);
});

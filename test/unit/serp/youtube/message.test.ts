/** Messages of the engine: the offset in an address, the query and the offset in a token. */
import { expect, test } from 'vitest';
import {
  bytesIn,
  decodeMessage,
  encodeNumber,
  numberIn,
  readMessage,
} from '../../../../lib/serp/youtube/message.ts';

test.each([1, 9, 20, 127, 128, 180, 300, 65_535, 1_000_000])('reads the number %i that it wrote', (value) => {
  expect(numberIn(decodeMessage(encodeNumber(9, value)), 9)).toBe(value);
});

test.each([
  ['SBTqAwA=', 20],
  ['SBTqAwA%253D', 20],
  ['SCjqAwA%3D', 40],
  ['EgIQAUgU', 20],
])('reads the offset in %s', (text, offset) => {
  expect(numberIn(decodeMessage(text), 9)).toBe(offset);
});

test('reads texts', () => {
  expect(bytesIn(readMessage(Buffer.from([0x12, 3, 0x61, 0x62, 0x63])), 2)?.toString()).toBe('abc');
});

test.each([
  ['nothing', []],
  ['a tag without a value', [0x48]],
  ['a number without an end', [0x48, 0xff, 0xff]],
  ['a text that is cut off', [0x12, 9, 0x61]],
  ['another wire type', [0x4d, 1, 2, 3, 4]],
  ['a number that is too long', Array.from({ length: 40 }, () => 0xff)],
])('%s gives no fields', (_, bytes) => {
  expect(readMessage(Buffer.from(bytes))).toEqual(new Map());
});

test('a text of another alphabet gives no fields', () => {
  expect(decodeMessage('%%%')).toEqual(new Map());
  expect(decodeMessage('')).toEqual(new Map());
});

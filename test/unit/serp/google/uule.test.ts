/** The location parameter: known values, and its protobuf message decoded by a simple decoder. */
import { expect, test } from 'vitest';
import { uule } from '../../../../lib/serp/google/uule.ts';

/** Decodes a message of varints and byte strings into [field, value] pairs. */
const decode = (text: string): [number, number | string][] => {
  const bytes = Buffer.from(text, 'base64url');
  const fields: [number, number | string][] = [];
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++] ?? 0;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < bytes.length) {
    const tag = varint();
    const value = varint();
    if ((tag & 7) === 0) fields.push([tag >>> 3, value]);
    else {
      expect(tag & 7).toBe(2);
      expect(at + value).toBeLessThanOrEqual(bytes.length);
      fields.push([tag >>> 3, bytes.toString('utf8', at, at + value)]);
      at += value;
    }
  }
  return fields;
};

test.each([
  ['Lezigne,Pays de la Loire,France', 'w+CAIQICIfTGV6aWduZSxQYXlzIGRlIGxhIExvaXJlLEZyYW5jZQ'],
  ['Reze,Pays de la Loire,France', 'w+CAIQICIcUmV6ZSxQYXlzIGRlIGxhIExvaXJlLEZyYW5jZQ'],
  ['Austin,Texas,United States', 'w+CAIQICIaQXVzdGluLFRleGFzLFVuaXRlZCBTdGF0ZXM'],
  ['Chicago,Illinois,United States', 'w+CAIQICIeQ2hpY2FnbyxJbGxpbm9pcyxVbml0ZWQgU3RhdGVz'],
  ['Berlin,Berlin,Germany', 'w+CAIQICIVQmVybGluLEJlcmxpbixHZXJtYW55'],
  ['United States', 'w+CAIQICINVW5pdGVkIFN0YXRlcw'],
])('%s gives the publicly known value', (name, value) => {
  expect(uule(name)).toBe(value);
});

test.each([
  ['one letter', 'X'],
  ['a country', 'France'],
  ['62 bytes', 'a'.repeat(62)],
  ['63 bytes', 'b'.repeat(63)],
  ['64 bytes', 'c'.repeat(64)],
  ['127 bytes, the longest with a length of one byte', 'd'.repeat(127)],
  ['128 bytes, the shortest with a length of two bytes', 'e'.repeat(128)],
  ['300 bytes', 'f'.repeat(300)],
  ['16,383 bytes, the longest with a length of two bytes', 'g'.repeat(16_383)],
  ['16,384 bytes, the shortest with a length of three bytes', 'h'.repeat(16_384)],
  ['accents', 'Orléans,Centre-Val de Loire,France'],
  ['another script', '東京都,日本'],
  ['characters outside the basic plane', '🏔 Zermatt,Wallis,Schweiz'],
  ['more bytes than letters, with a length of two bytes', 'ü'.repeat(64)],
])('decodes to the same name: %s', (_, name) => {
  const value = uule(name);

  expect(value).toMatch(/^w\+[\w-]+$/);
  expect(decode(value.slice(2))).toEqual([
    [1, 2],
    [2, 32],
    [4, name],
  ]);
});

/** Cursors of lists: only the one that was made for this user and this list is accepted. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  listPage,
  makeCursor,
  makeValueCursor,
  readCursor,
  readValueCursor,
} from '../../../lib/access/cursor.ts';

const account = { id: 1, signing_key: Buffer.alloc(32, 1).toString('base64') };
const cursor = makeCursor(account, 'v1/success', 3_767_392_204_849_152);

test('a cursor is read back', () => {
  expect(readCursor(account, 'v1/success', cursor)).toBe(3_767_392_204_849_152);
  fc.assert(
    fc.property(fc.maxSafeNat(), fc.string(), (before, list) => {
      expect(readCursor(account, list, makeCursor(account, list, before))).toBe(before);
    }),
  );
});

// A cursor that was sent before a change of the code must still work.
test('a cursor of an earlier version is read', () => {
  expect(cursor).toBe('AA1ibFoZgADVADOcGwBhSVGP64b7LWF-jkqsUQ-6Iuab1Wzr2RISRw');
});

test('a page of a list has its items, and a cursor unless it is the last one', () => {
  expect(listPage(account, 'v1/success', ['a', 'b'], 3_767_392_204_849_152)).toEqual({
    num_items: 2,
    items: ['a', 'b'],
    cursor,
  });
  expect(listPage(account, 'v1/success', [], null)).toEqual({ num_items: 0, items: [], cursor: null });
});

test('an empty cursor is the beginning of the list', () => {
  expect(readCursor(account, 'v1/success', '')).toBeUndefined();
});

const refused = (given: string, list = 'v1/success', reader = account) => {
  try {
    return readCursor(reader, list, given);
  } catch (error) {
    return error instanceof Error && 'detail' in error ? error.detail : error;
  }
};
const detail = [{ loc: ['query', 'cursor'], type: 'value_error', msg: 'Value error, invalid cursor' }];

describe('gives 422 for', () => {
  test('a cursor of another list', () => expect(refused(cursor, 'v1/error')).toEqual(detail));
  test('a cursor of another user with the same key', () =>
    expect(refused(cursor, 'v1/success', { ...account, id: 2 })).toEqual(detail));
  test('a cursor that another key signed', () =>
    expect(
      refused(cursor, 'v1/success', { ...account, signing_key: Buffer.alloc(32, 2).toString('base64') }),
    ).toEqual(detail));
  test.each(['x', 'null', '0', 'AAAAAAAAAAA', `${cursor}=`, `${cursor}A`, cursor.slice(1), ` ${cursor}`])(
    '%j',
    (given) => expect(refused(given)).toEqual(detail),
  );
  test('a cursor with any other character', () => {
    for (let n = 0; n < cursor.length; n++) {
      const other = cursor[n] === 'A' ? 'B' : 'A';
      expect(refused(cursor.slice(0, n) + other + cursor.slice(n + 1))).toEqual(detail);
    }
  });
  test('any other text', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (given) => {
        expect(refused(given)).toEqual(detail);
      }),
    );
  });
});

test('a cursor of a JSON value is read back, in its list only', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.string(), (position, list) => {
      const made = makeValueCursor(account, list, position);

      expect(readValueCursor(account, list, made)).toEqual(JSON.parse(JSON.stringify(position)));
      expect(() => readValueCursor(account, `${list}x`, made)).toThrow();
      expect(() => readValueCursor({ ...account, id: 2 }, list, made)).toThrow();
      expect(() => readValueCursor(account, list, `${made}A`)).toThrow();
    }),
  );
  expect(readValueCursor(account, 'list', '')).toBeUndefined();
});

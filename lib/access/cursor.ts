/**
 * Cursors of lists (Reading 31). A cursor contains the position at which the list continues, signed with the
 * account's own key together with the name of the list, so it works only for the same user and filter.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { HttpError } from '../model/http-error.ts';
import type { Account } from '../model/user.ts';

type Signer = Pick<Account, 'id' | 'signing_key'>;

const idBytes = 8;
const signatureBytes = 32;

/** A cursor with a position in the list `list`. */
const sign = ({ id, signing_key }: Signer, list: string, position: Uint8Array): string => {
  // The prefix separates these signatures from other uses of the same key.
  const signature = createHmac('sha256', Buffer.from(signing_key, 'base64'))
    .update(`cursor:${JSON.stringify([id, list])}`)
    .update(position)
    .digest();
  return Buffer.concat([position, signature]).toString('base64url');
};

/**
 * The position in a cursor. Throws HttpError 422 if the service has not made the cursor for this user and
 * this list.
 */
const verify = (account: Signer, list: string, cursor: string): Buffer => {
  const bytes = Buffer.from(cursor, 'base64url');
  const position = bytes.subarray(0, Math.max(0, bytes.length - signatureBytes));
  // Compared as text, because two base64url texts can decode to the same bytes.
  const expected = Buffer.from(sign(account, list, position));
  const given = Buffer.from(cursor);
  if (given.length === expected.length && timingSafeEqual(given, expected)) return position;
  throw new HttpError(422, [
    { loc: ['query', 'cursor'], type: 'value_error', msg: 'Value error, invalid cursor' },
  ]);
};

/** The cursor at which the list continues below the id `before`. `list` names the list and its filter. */
export const makeCursor = (account: Signer, list: string, before: number): string => {
  const position = Buffer.alloc(idBytes);
  position.writeBigUInt64BE(BigInt(before));
  return sign(account, list, position);
};

/**
 * The id below which the list continues; undefined for an empty cursor, which is the beginning of the list.
 * @throws HttpError 422 if the service has not made the cursor for this user and this list.
 */
export const readCursor = (account: Signer, list: string, cursor: string): number | undefined =>
  cursor === '' ? undefined : Number(verify(account, list, cursor).readBigUInt64BE());

/** A page of a list. `next`: the id below which the list continues; null at its end. */
export const listPage = <Item>(account: Signer, list: string, items: Item[], next: number | null) => ({
  num_items: items.length,
  items,
  cursor: next === null ? null : makeCursor(account, list, next),
});

/** The cursor of a position that is a JSON value. `list` names the list and its filter. */
export const makeValueCursor = (account: Signer, list: string, position: unknown): string =>
  sign(account, list, Buffer.from(JSON.stringify(position)));

/**
 * The JSON value in a cursor; undefined for an empty cursor, which is the beginning of the list.
 * @throws HttpError 422 if the service has not made the cursor for this user and this list.
 */
export const readValueCursor = (account: Signer, list: string, cursor: string): unknown =>
  cursor === '' ? undefined : JSON.parse(verify(account, list, cursor).toString());

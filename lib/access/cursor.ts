/**
 * Cursors of lists (Reading 31). A cursor contains the id below which the list continues, signed with the account's own key together with
 * the name of the list, so it works only for the same user and filter.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { HttpError } from '../model/http-error.ts';
import type { Account } from '../model/user.ts';

type Signer = Pick<Account, 'id' | 'signing_key'>;

const idBytes = 8;

/** The cursor at which the list continues below the id `before`. `list` names the list and its filter. */
export const makeCursor = ({ id, signing_key }: Signer, list: string, before: number): string => {
  const position = Buffer.alloc(idBytes);
  position.writeBigUInt64BE(BigInt(before));
  // The prefix separates these signatures from other uses of the same key.
  const signature = createHmac('sha256', Buffer.from(signing_key, 'base64'))
    .update(`cursor:${JSON.stringify([id, list])}`)
    .update(position)
    .digest();
  return Buffer.concat([position, signature]).toString('base64url');
};

/**
 * The id below which the list continues; undefined for an empty cursor, which is the beginning of the list.
 * @throws HttpError 422 if the service has not made the cursor for this user and this list.
 */
export const readCursor = (account: Signer, list: string, cursor: string): number | undefined => {
  if (cursor === '') return undefined;
  const bytes = Buffer.from(cursor, 'base64url');
  const before = bytes.length > idBytes ? Number(bytes.readBigUInt64BE()) : Number.NaN;
  // Compared as text, because two base64url texts can decode to the same bytes.
  const expected = Buffer.from(Number.isSafeInteger(before) ? makeCursor(account, list, before) : '');
  const given = Buffer.from(cursor);
  if (given.length === expected.length && timingSafeEqual(given, expected)) return before;
  throw new HttpError(422, [
    { loc: ['query', 'cursor'], type: 'value_error', msg: 'Value error, invalid cursor' },
  ]);
};

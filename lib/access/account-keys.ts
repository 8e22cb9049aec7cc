/**
 * The two keys of an account. A rotation writes the new key into the field that the newest key is not in, and
 * never moves a key that still works: each field has its own index, and a key that changed from one index to
 * the other could be missing from both for a moment.
 */
import type { Account } from '../model/user.ts';

type KeyFields = Pick<Account, 'key_hash' | 'key_until' | 'other_key_hash' | 'other_key_until'>;

/** `until`: Unix time from which the key is rejected; 0 = never. */
type Key = { hash: string; until: number };

/** An end in the past. `now` is not enough: a function whose clock is late would still accept the key. */
const ended = 1;

const fieldsOf = (account: KeyFields): { newest: Key; former: Key | undefined; isNewestOther: boolean } => {
  const key = { hash: account.key_hash, until: account.key_until };
  if (account.other_key_hash === undefined) return { newest: key, former: undefined, isNewestOther: false };
  const other = { hash: account.other_key_hash, until: account.other_key_until };
  return other.until === 0
    ? { newest: other, former: key, isNewestOther: true }
    : { newest: key, former: other, isNewestOther: false };
};

const isOpen = ({ until }: Key, now: number): boolean => until === 0 || until > now;

export const newestKey = (account: KeyFields): Key => fieldsOf(account).newest;

/** The former key, if it works at `now`. */
export const formerKey = (account: KeyFields, now: number): Key | undefined => {
  const { former } = fieldsOf(account);
  return former && isOpen(former, now) ? former : undefined;
};

/** The hashes of the account's keys that work at `now`. */
export const openHashes = (account: KeyFields, now: number): string[] => {
  const { newest, former } = fieldsOf(account);
  return [newest, former].flatMap((key) => (key && isOpen(key, now) ? [key.hash] : []));
};

/** Whether the key with this hash is a key of the account that works at `now`. */
export const isKeyOf = (account: KeyFields, hash: string, now: number): boolean =>
  openHashes(account, now).includes(hash);

/**
 * The fields after a rotation: the newest key becomes the former one until `formerUntil` (default: it ends at
 * once).
 */
export const withNewKey = (account: KeyFields, hash: string, formerUntil = ended): Partial<KeyFields> =>
  fieldsOf(account).isNewestOther
    ? { key_hash: hash, key_until: 0, other_key_until: formerUntil }
    : { other_key_hash: hash, other_key_until: 0, key_until: formerUntil };

/** The fields after the newest key is replaced. The former key stays as it is. */
export const withNewestReplaced = (account: KeyFields, hash: string): Partial<KeyFields> =>
  fieldsOf(account).isNewestOther ? { other_key_hash: hash } : { key_hash: hash };

/**
 * Keys for the address of a search: clients that can send no header have the key in the path. Such a key only
 * searches, has its own limit, and ends when its user ends all of them.
 */
import { HttpError } from '../model/http-error.ts';
import type { Account } from '../model/user.ts';
import { clock } from '../runtime/clock.ts';
import { countInWindowBelow } from '../store/limits.ts';
import { changeAccount, readAccount } from '../store/users.ts';
import { makeLinkToken, verifyLinkToken } from './link-token.ts';
import { countFailedKey } from './rate.ts';

/** A key is written into settings of other programs, so it works for a year. */
const keySeconds = 366 * 86_400;

/** Searches of a minute with the keys of a user, because an address is less secret than a header. */
const searchesPerMinute = 60;

const windowSeconds = 60;

/** A key of the account, and when it ends (Unix seconds). */
export const makeSearchKey = (account: Account, now = clock()): { key: string; expires_at: number } => {
  const expires = now + keySeconds;
  const subject = String(account.search_keys_ended ?? 0);
  return { key: makeLinkToken('search-link', account, { subject, expires }), expires_at: expires };
};

/** Ends all search keys that the account has. */
export const endSearchKeys = async ({ id, search_keys_ended = 0 }: Account): Promise<void> => {
  await changeAccount(id, { search_keys_ended: search_keys_ended + 1 });
};

/**
 * The account of a search key.
 * @throws HttpError 401 for a key that does not work, and 429 for an address with too many of them, or for
 * too many searches.
 */
export const findBySearchKey = async (key: string, address: string, now = clock()): Promise<Account> => {
  const found = await verifyLinkToken('search-link', key, readAccount, now);
  const account = found && (await readAccount(found.user.id));
  if (!account || found.subject !== String(account.search_keys_ended ?? 0)) {
    await countFailedKey(address, now);
    throw new HttpError(401, 'Could not validate credentials');
  }
  const end = (Math.floor(now / windowSeconds) + 1) * windowSeconds;
  if (!(await countInWindowBelow(searchesPerMinute, `search-link#${account.id}`, end))) {
    throw new HttpError(429, 'Too many searches with the keys of this user: wait for the next minute', {
      'Retry-After': String(end - now),
    });
  }
  return account;
};

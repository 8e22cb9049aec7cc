/** Authenticates a request: finds the account of a Bearer key (Reading 25). */
import { HttpError } from '../model/http-error.ts';
import { type Account, isUsable } from '../model/user.ts';
import { clock } from '../runtime/clock.ts';
import { findAccount } from '../store/users.ts';
import { isKeyOf } from './account-keys.ts';
import { hashApiKey, isApiKey } from './api-key.ts';
import { countFailedKey } from './rate.ts';

const keyOf = (authorization: string): string | undefined => /^bearer +([^ ]+) *$/i.exec(authorization)?.[1];

const findUsable = async (authorization: string, now: number): Promise<Account | undefined> => {
  const key = keyOf(authorization);
  if (!key || !isApiKey(key)) return undefined;
  const hash = hashApiKey(key);
  const account = await findAccount(hash);
  return account && isUsable(account, now) && isKeyOf(account, hash, now) ? account : undefined;
};

/**
 * Returns the account of the key in `authorization`.
 * @throws HttpError 401, the same for every defect of the key; 429 for an address with too many failed keys.
 */
export const authenticate = async (
  authorization: string,
  address: string,
  now = clock(),
): Promise<Account> => {
  const account = await findUsable(authorization, now);
  if (account) return account;
  await countFailedKey(address, now);
  throw new HttpError(401, 'Could not validate credentials', { 'WWW-Authenticate': 'Bearer' });
};

/**
 * Answers the password grant (Reading 24): a token for an API key and the id or e-mail address of its user.
 */
import { type Token, type TokenRequest, tokenSeconds } from '../model/token.ts';
import type { Account } from '../model/user.ts';
import { clock } from '../runtime/clock.ts';
import { hashApiKey } from './api-key.ts';
import { findByKey, refuse } from './authenticate.ts';
import { countRequest } from './rate.ts';

const isEqual = (one: string, other: string): boolean =>
  one.trim().toLowerCase() === other.trim().toLowerCase();

const isNamed = ({ id, email }: Account, username: string): boolean =>
  username === String(id) || (email.trim() !== '' && isEqual(email, username));

/**
 * Makes a token. The key finds the account, and the user name is compared with it, so e-mail addresses need
 * neither be unique nor indexed.
 * @throws HttpError 401 for a wrong pair, which counts as a failed key of the address; 429 for an address
 * with too many of them, or for a user with too many requests.
 */
export const logIn = async (
  { username, password }: Pick<TokenRequest, 'username' | 'password'>,
  address: string,
  now = clock(),
): Promise<Token> => {
  const account = await findByKey(password, now);
  if (!account || !isNamed(account, username)) return refuse(address, now);
  await countRequest(account, now);
  const { makeToken } = await import('./token.ts');
  return {
    access_token: await makeToken(account.id, hashApiKey(password), now),
    token_type: 'bearer',
    expires_in: tokenSeconds,
    scope: account.permissions.join(' '),
  };
};

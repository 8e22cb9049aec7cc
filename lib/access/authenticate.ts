/** Authenticates a request: finds the account of a Bearer key or token (Readings 24 and 25). */
import { HttpError } from '../model/http-error.ts';
import { type Account, isUsable } from '../model/user.ts';
import { clock } from '../runtime/clock.ts';
import { findAccount, readAccount } from '../store/users.ts';
import { isKeyOf, openHashes } from './account-keys.ts';
import { hashApiKey, isApiKey } from './api-key.ts';
import { countFailedKey } from './rate.ts';

const credentialsOf = (authorization: string): string | undefined =>
  /^bearer +([^ ]+) *$/i.exec(authorization)?.[1];

/** The form of a JSON web token with the header that ours have: `{"alg":…`. */
const isToken = (text: string): boolean => /^eyJ[\w-]{10,200}\.[\w-]{10,400}\.[\w-]{43}$/.test(text);

/** Returns the account of an API key; undefined if the key is malformed, unknown, disabled or expired. */
export const findByKey = async (key: string, now: number): Promise<Account | undefined> => {
  // The checksum is checked first, so an invented key costs no read.
  if (!isApiKey(key)) return undefined;
  const hash = hashApiKey(key);
  const account = await findAccount(hash);
  return account && isUsable(account, now) && isKeyOf(account, hash, now) ? account : undefined;
};

const findByToken = async (token: string, now: number): Promise<Account | undefined> => {
  // Most requests have a key, so the code of the tokens is loaded on demand.
  const { verifyToken } = await import('./token.ts');
  const claims = await verifyToken(token, now);
  const account = claims && (await readAccount(claims.id));
  return account && isUsable(account, now) && openHashes(account, now).some(claims.isMadeWith)
    ? account
    : undefined;
};

/** The API key in the header; null if it has none or has a token. */
export const apiKeyIn = (authorization: string): string | null => {
  const credentials = credentialsOf(authorization) ?? '';
  return isApiKey(credentials) ? credentials : null;
};

const hint = 'Send the header "Authorization: Bearer <API key or token>"';

/** Whether a client authenticates in another way than with `Bearer`. */
const usesAnotherWay = (authorization: string): boolean =>
  authorization.trim() !== '' && !/^bearer( |$)/i.test(authorization.trim());

/**
 * Counts a failed key of the address, and refuses the request.
 * @throws HttpError 401, the same for every defect of the key, with a hint for a client that authenticates in
 * another way; 429 for an address with too many failed keys.
 */
export const refuse = async (address: string, now: number, authorization = ''): Promise<never> => {
  await countFailedKey(address, now);
  const hasHint = usesAnotherWay(authorization);
  throw new HttpError(
    401,
    'Could not validate credentials',
    { 'WWW-Authenticate': 'Bearer', ...(hasHint && { 'x-auth-hint': hint }) },
    hasHint ? hint : undefined,
  );
};

/**
 * Returns the account of the key or token in `authorization`.
 * @throws HttpError 401 and 429 as `refuse`.
 */
export const authenticate = async (
  authorization: string,
  address: string,
  now = clock(),
): Promise<Account> => {
  const credentials = credentialsOf(authorization) ?? '';
  const account = isToken(credentials)
    ? await findByToken(credentials, now)
    : await findByKey(credentials, now);
  return account ?? refuse(address, now, authorization);
};

/**
 * Sessions of the console: a token in a cookie (Reading 24). It is made with an API key, and is made anew
 * while the console is used, until half a day after the key was given.
 */
import { HttpError } from '../model/http-error.ts';
import { longestSessionSeconds, type SessionUser } from '../model/session.ts';
import { type Account, isUsable } from '../model/user.ts';
import { clock } from '../runtime/clock.ts';
import { readAccount } from '../store/users.ts';
import { openHashes } from './account-keys.ts';
import { hashApiKey } from './api-key.ts';
import { findByKey, refuse } from './authenticate.ts';
import { countRequest } from './rate.ts';

type Opened = { token: string; user: SessionUser };

const viewOf = ({ id, name, email, permissions, read_only = false }: Account): SessionUser => ({
  id,
  name,
  email,
  permissions,
  read_only,
});

/**
 * Opens a session with an API key.
 * @throws HttpError 401 and 429 as `refuse`, 429 for a user with too many requests.
 */
export const openSession = async (key: string, address: string, now = clock()): Promise<Opened> => {
  const account = await findByKey(key, now);
  if (!account) return refuse(address, now);
  await countRequest(account, now);
  const { makeToken } = await import('./token.ts');
  return { token: await makeToken(account.id, hashApiKey(key), now, now), user: viewOf(account) };
};

/** The account of a token of a session, and what the token says; undefined if it has ended. */
const find = async (token: string, now: number) => {
  const { verifyToken } = await import('./token.ts');
  const claims = await verifyToken(token, now);
  const account = claims && (await readAccount(claims.id));
  if (!account || !isUsable(account, now)) return undefined;
  const hash = openHashes(account, now).find(claims.isMadeWith);
  return hash === undefined ? undefined : { account, hash, since: claims.since };
};

/** The user of a session; null without one. Looking for it is no attempt at a key. */
export const readSession = async (token: string | null, now = clock()): Promise<SessionUser | null> => {
  const found = token === null ? undefined : await find(token, now);
  return found ? viewOf(found.account) : null;
};

/**
 * Makes the token of a session anew.
 * @throws HttpError 401 if the session has ended, or is half a day old.
 */
export const renewSession = async (token: string | null, now = clock()): Promise<Opened> => {
  const found = token === null ? undefined : await find(token, now);
  if (!found || found.since === undefined || found.since + longestSessionSeconds <= now) {
    throw new HttpError(401, 'The session has ended', { 'WWW-Authenticate': 'Bearer' });
  }
  const { makeToken } = await import('./token.ts');
  const renewed = await makeToken(found.account.id, found.hash, now, found.since);
  return { token: renewed, user: viewOf(found.account) };
};

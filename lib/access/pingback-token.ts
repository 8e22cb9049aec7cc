/**
 * The unguessable part of the URL that an upstream provider calls back. A token is `<user id>.<task
 * id>.<run>.<HMAC>`, signed with the account's own key. Only the provider learns it.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Account } from '../model/user.ts';
import type { AnsweredSearch } from '../model/workflow.ts';

type Signer = Pick<Account, 'signing_key'>;

// The prefix separates these signatures from other uses of the same key.
const sign = (signingKey: string, claims: string): string =>
  createHmac('sha256', Buffer.from(signingKey, 'base64')).update(`pingback:${claims}`).digest('base64url');

/** A token for the run that hands its search to the provider. */
export const makePingbackToken = (
  { signing_key }: Signer,
  { user_id, id, attempt }: AnsweredSearch,
): string => {
  const claims = `${user_id}.${id}.${attempt}`;
  return `${claims}.${sign(signing_key, claims)}`;
};

/** Returns the run in a token; null if the token is forged or malformed, or its account does not exist. */
export const verifyPingbackToken = async (
  token: string,
  readAccount: (id: number) => Promise<Signer | undefined>,
): Promise<AnsweredSearch | null> => {
  const [, claims, userId, id, attempt, signature] =
    /^(([1-9]\d{0,15})\.(\d{1,16})\.(\d{1,9}))\.([\w-]{43})$/.exec(token) ?? [];
  if (!claims || !signature) return null;
  const account = await readAccount(Number(userId));
  if (!account) return null;
  // Compared as text, because two base64url texts can decode to the same bytes.
  if (!timingSafeEqual(Buffer.from(signature), Buffer.from(sign(account.signing_key, claims)))) return null;
  return { user_id: Number(userId), id: Number(id), attempt: Number(attempt) };
};

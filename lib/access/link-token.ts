/**
 * Tokens of links that work without a key. A token is `<user id>.<expiry>.<subject>.<HMAC>`, signed with the
 * account's own key. The subject is what the link leads to.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Account, isUsable } from '../model/user.ts';
import { clock } from '../runtime/clock.ts';

/** A token of one purpose is not valid for another. */
type Purpose = 'page-link' | 'chart-link' | 'search-link' | 'report-link';

export type Signer = Pick<Account, 'id' | 'signing_key'>;
export type Reader = (id: number) => Promise<(Signer & Pick<Account, 'enabled' | 'ttl'>) | undefined>;

const encode = (text: string): string => Buffer.from(text).toString('base64url');

// The prefix separates these signatures from other uses of the same key.
const sign = (purpose: Purpose, signingKey: string, claims: string): string =>
  createHmac('sha256', Buffer.from(signingKey, 'base64')).update(`${purpose}:${claims}`).digest('base64url');

/** A token for the subject, valid until `expires` (Unix seconds). */
export const makeLinkToken = (
  purpose: Purpose,
  account: Signer,
  { subject, expires }: { subject: string; expires: number },
): string => {
  const claims = `${account.id}.${expires}.${encode(subject)}`;
  return `${claims}.${sign(purpose, account.signing_key, claims)}`;
};

/**
 * The user and the subject of a token; null if the token is forged, malformed or expired, or its account is
 * not usable.
 */
export const verifyLinkToken = async (
  purpose: Purpose,
  token: string,
  readAccount: Reader,
  now = clock(),
): Promise<{ user: Signer; subject: string } | null> => {
  const [, claims, userId, expires, subject, signature] =
    /^(([1-9]\d{0,15})\.(\d{1,12})\.([\w-]{1,400}))\.([\w-]{43})$/.exec(token) ?? [];
  if (!claims || !subject || !signature || Number(expires) <= now) return null;
  const user = await readAccount(Number(userId));
  if (!user || !isUsable(user, now)) return null;
  // Compared as text, because two base64url texts can decode to the same bytes.
  const expected = sign(purpose, user.signing_key, claims);
  if (!timingSafeEqual(Buffer.from(signature), Buffer.from(expected))) return null;
  return { user, subject: Buffer.from(subject, 'base64url').toString('utf8') };
};

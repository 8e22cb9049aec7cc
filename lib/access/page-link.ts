/**
 * Links to stored pages that work without a key (Reading 33). A token is `<user id>.<expiry>.<storage key>.<HMAC>`, signed
 * with the account's own key. It names the stored page itself, because a link may outlive the row of its task.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Account, isUsable } from '../model/user.ts';
import { clock } from '../runtime/clock.ts';

type Signer = Pick<Account, 'id' | 'signing_key'>;

const encode = (text: string): string => Buffer.from(text).toString('base64url');

// The prefix separates these signatures from other uses of the same key.
const sign = (signingKey: string, claims: string): string =>
  createHmac('sha256', Buffer.from(signingKey, 'base64')).update(`page-link:${claims}`).digest('base64url');

/** A token for the stored page with the storage key `html`, valid until `expires` (Unix seconds). */
export const makePageToken = (
  account: Signer,
  { html, expires }: { html: string; expires: number },
): string => {
  const claims = `${account.id}.${expires}.${encode(html)}`;
  return `${claims}.${sign(account.signing_key, claims)}`;
};

/** Lifetime of a link to a page: one day (Reading 33). */
export const linkSeconds = 86_400;

/** A new link to a stored page, below the base URL. Empty if `html`, the storage key, is empty. The page is stored longer than the link is valid. */
export const pageLink = (baseUrl: string, html: string, account: Signer, now: number): string =>
  html ? `${baseUrl}/pages/${makePageToken(account, { html, expires: now + linkSeconds })}` : '';

/** Returns the storage key in a token; null if the token is forged, malformed or expired, or its account is not usable. */
export const verifyPageToken = async (
  token: string,
  readAccount: (id: number) => Promise<(Signer & Pick<Account, 'enabled' | 'ttl'>) | undefined>,
  now = clock(),
): Promise<string | null> => {
  const [, claims, userId, expires, html, signature] =
    /^(([1-9]\d{0,15})\.(\d{1,12})\.([\w-]{1,400}))\.([\w-]{43})$/.exec(token) ?? [];
  if (!claims || !html || !signature || Number(expires) <= now) return null;
  const account = await readAccount(Number(userId));
  if (!account || !isUsable(account, now)) return null;
  // Compared as text, because two base64url texts can decode to the same bytes.
  if (!timingSafeEqual(Buffer.from(signature), Buffer.from(sign(account.signing_key, claims)))) return null;
  return Buffer.from(html, 'base64url').toString('utf8');
};

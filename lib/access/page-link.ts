/**
 * Links to stored pages that work without a key (Reading 33). The token names the stored page itself, because
 * a link may outlive the row of its task.
 */
import { makeLinkToken, type Reader, type Signer, verifyLinkToken } from './link-token.ts';

/** A token for the stored page with the storage key `html`, valid until `expires` (Unix seconds). */
export const makePageToken = (
  account: Signer,
  { html, expires }: { html: string; expires: number },
): string => makeLinkToken('page-link', account, { subject: html, expires });

/** Lifetime of a link to a page: one day (Reading 33). */
export const linkSeconds = 86_400;

/**
 * A new link to a stored page, below the base URL. Empty if `html`, the storage key, is empty. The page is
 * stored for longer than the link is valid.
 */
export const pageLink = (baseUrl: string, html: string, account: Signer, now: number): string =>
  html ? `${baseUrl}/pages/${makePageToken(account, { html, expires: now + linkSeconds })}` : '';

/**
 * Returns the storage key in a token; null if the token is forged, malformed or expired, or its account is
 * not usable.
 */
export const verifyPageToken = async (
  token: string,
  readAccount: Reader,
  now?: number,
): Promise<string | null> => (await verifyLinkToken('page-link', token, readAccount, now))?.subject ?? null;

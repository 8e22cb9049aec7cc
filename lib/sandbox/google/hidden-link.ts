/**
 * Hidden links, as the engine has used them since August 2026: a token replaces the URL, and only the engine
 * knows its target. The sandbox stores nothing: the token contains the encrypted URL.
 */
import { createCipheriv, createDecipheriv, createHash, createSecretKey } from 'node:crypto';
import { mapLinks } from '../html.ts';
import type { Search } from '../search.ts';

const cipher = 'aes-128-gcm';

/** An object, because Node takes longer to prepare a key from bytes for each token than to encrypt it. */
const key = createSecretKey(createHash('sha256').update('sandbox').digest().subarray(0, 16));
const sizes = { iv: 12, tag: 16 };

/** Every token begins with this. */
const tokenPrefix = 'CAES';

type HiddenLink = {
  url: string;
  /** The sandbox refuses to redirect to the URL. */
  isRefused: boolean;
};

const encryptToken = (link: HiddenLink, seed: string): string => {
  const plain = `${link.isRefused ? '-' : '+'}${link.url}`;
  const iv = createHash('sha256').update(seed).update(plain).digest().subarray(0, sizes.iv);
  const encrypting = createCipheriv(cipher, key, iv);
  const bytes = Buffer.concat([encrypting.update(plain, 'utf8'), encrypting.final()]);
  return tokenPrefix + Buffer.concat([iv, encrypting.getAuthTag(), bytes]).toString('base64url');
};

/** Decrypts a token. Returns null if the sandbox did not make it. */
export const decryptToken = (token: string): HiddenLink | null => {
  const bytes = Buffer.from(token.slice(tokenPrefix.length), 'base64url');
  if (!token.startsWith(tokenPrefix) || bytes.length <= sizes.iv + sizes.tag) return null;
  const decrypting = createDecipheriv(cipher, key, bytes.subarray(0, sizes.iv));
  decrypting.setAuthTag(bytes.subarray(sizes.iv, sizes.iv + sizes.tag));
  try {
    const plain =
      decrypting.update(bytes.subarray(sizes.iv + sizes.tag)).toString() + decrypting.final('utf8');
    return { url: plain.slice(1), isRefused: plain.startsWith('-') };
  } catch {
    return null;
  }
};

/** Links to the engine itself stay readable. So do links of ads, which count their clicks by `data-rw`. */
const isHideable = (tag: string, url: string): boolean =>
  !tag.includes(' data-rw="') && !/^https:\/\/(?:\w+\.)?google\.com\//.test(url);

/**
 * The page with its links hidden. The tokens change with `now`. URLs in other attributes than `href` do not
 * change.
 */
export const hideLinks = (
  body: string,
  { rawQuery, page, now }: Pick<Search, 'rawQuery' | 'page' | 'now'>,
  isRefused = false,
): string =>
  mapLinks(body, (url, tag) =>
    isHideable(tag, url)
      ? `/goto?url=${encryptToken({ url, isRefused }, `${rawQuery} ${page} ${now}`)}`
      : null,
  );

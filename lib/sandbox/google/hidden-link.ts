/**
 * Hidden links, as the engine has had them since August 2026: a token in the place of the address, which tells nobody but the engine
 * where it leads. The sandbox keeps nothing: the token holds the address, locked.
 */
import { createCipheriv, createDecipheriv, createHash } from 'node:crypto';
import type { Search } from './search.ts';

const cipher = 'aes-128-gcm';
const key = createHash('sha256').update('sandbox').digest().subarray(0, 16);
const sizes = { iv: 12, tag: 16 };

/** Every token begins like this. */
const sign = 'CAES';

type Locked = {
  url: string;
  /** Who asks where it leads is refused. */
  isRefused: boolean;
};

const lock = (locked: Locked, seed: string): string => {
  const plain = `${locked.isRefused ? '-' : '+'}${locked.url}`;
  const iv = createHash('sha256').update(seed).update(plain).digest().subarray(0, sizes.iv);
  const locking = createCipheriv(cipher, key, iv);
  const bytes = Buffer.concat([locking.update(plain, 'utf8'), locking.final()]);
  return sign + Buffer.concat([iv, locking.getAuthTag(), bytes]).toString('base64url');
};

/** What a token holds; null for one that the sandbox has not made. */
export const unlock = (token: string): Locked | null => {
  const bytes = Buffer.from(token.slice(sign.length), 'base64url');
  if (!token.startsWith(sign) || bytes.length <= sizes.iv + sizes.tag) return null;
  const unlocking = createDecipheriv(cipher, key, bytes.subarray(0, sizes.iv));
  unlocking.setAuthTag(bytes.subarray(sizes.iv, sizes.iv + sizes.tag));
  try {
    const plain = unlocking.update(bytes.subarray(sizes.iv + sizes.tag)).toString() + unlocking.final('utf8');
    return { url: plain.slice(1), isRefused: plain.startsWith('-') };
  } catch {
    return null;
  }
};

const unescaped = (attribute: string): string => attribute.replaceAll('&#39;', "'").replaceAll('&amp;', '&');

/** Links to the engine itself stay readable, and those of ads, which count their clicks by `data-rw`. */
const isHideable = (tag: string, url: string): boolean =>
  !tag.includes(' data-rw="') && !/^https:\/\/(?:\w+\.)?google\.com\//.test(url);

/** The page with its links hidden, other tokens for another time. What lies in other attributes stays. */
export const hideLinks = (
  body: string,
  { asked, page, now }: Pick<Search, 'asked' | 'page' | 'now'>,
  isRefused = false,
): string =>
  body.replace(
    /(<a [^>]*?href=")(https:[^"]+)("[^>]*>)/g,
    (tag: string, before: string, href: string, after: string) => {
      const url = unescaped(href);
      return isHideable(tag, url)
        ? `${before}/goto?url=${lock({ url, isRefused }, `${asked} ${page} ${now}`)}${after}`
        : tag;
    },
  );

/** What the readers of all engines do with an address on a page. */
import type { UrlResolution } from '../model/result.ts';

export type Target = { url: string; url_resolution: UrlResolution };

/** A percent-encoded text, decoded once; the text itself if its encoding is wrong. */
export const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/**
 * The raw value of a query parameter; empty if there is none. `URLSearchParams` would read a plus sign as a
 * space.
 */
export const rawParameter = (url: URL, name: string): string =>
  new RegExp(`[?&]${name}=([^&]*)`).exec(url.search)?.[1] ?? '';

/**
 * The value of a query parameter, decoded exactly once. A plus sign stays a plus sign, because a URL contains
 * no spaces.
 */
export const parameter = (url: URL, name: string): string => decoded(rawParameter(url, name));

/** Links of real pages have at most 2,400 characters. */
export const longestLink = 16_384;

/** The URL of a link on a page of `origin`; null if it is none, or far longer than those of real pages. */
export const urlOf = (link: string, origin: string): URL | null =>
  link.length > longestLink ? null : URL.parse(link, origin);

/**
 * A link with its scheme in small letters, and with the one that a link such as `//site.example/` leaves out.
 */
export const withScheme = (link: string): string => {
  if (link.startsWith('//')) return `https:${link}`;
  return /^https?:/.test(link) ? link : link.replace(/^https?:/i, (scheme) => scheme.toLowerCase());
};

/** The target at the end of so many redirects. */
export const targetAfter = (redirects: number, url: string): Target => ({
  url: withoutTextFragment(url),
  url_resolution: redirects === 0 ? 'direct' : 'unwrapped',
});

/** A redirect may wrap another one, but not more than this. */
export const maxRedirects = 4;

/** A URL without the part that a browser marks on the page (`#:~:text=…`). */
export const withoutTextFragment = (url: string): string => {
  const hash = url.indexOf('#');
  const at = hash < 0 ? -1 : url.indexOf(':~:', hash);
  return at < 0 ? url : url.slice(0, url[at - 1] === '#' ? at - 1 : at);
};

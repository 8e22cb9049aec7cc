/** Links as the engine writes them: its own redirects, which name their target in base64. */
import { createHash } from 'node:crypto';
import { mapLinks } from '../html.ts';

const origin = 'https://www.bing.com';

/** The counter of clicks on an ad. */
export const adLink = (url: string): string =>
  `${origin}/aclick?${new URLSearchParams({ ld: 'e8', u: Buffer.from(encodeURIComponent(url)).toString('base64') }).toString()}`;

const tokenOf = (url: string, isOpaque: boolean): string =>
  isOpaque
    ? createHash('sha256').update(url).digest('hex').slice(0, 32)
    : `a1${Buffer.from(url).toString('base64url')}`;

/**
 * The page with its links out of the engine wrapped in redirects. `isOpaque`: the redirects do not name their
 * targets.
 */
export const wrapLinks = (body: string, isOpaque = false): string =>
  mapLinks(body, (url) =>
    url.startsWith(`${origin}/`) ? null : `${origin}/ck/a?!&&ptn=3&u=${tokenOf(url, isOpaque)}&ntb=1`,
  );

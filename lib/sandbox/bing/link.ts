/** Links as the engine writes them: its own redirects, which name their target in base64. */
import { createHash } from 'node:crypto';
import { unescaped } from '../html.ts';

const origin = 'https://www.bing.com';

/** The counter of clicks on an ad. */
export const adLink = (url: string): string =>
  `${origin}/aclick?${new URLSearchParams({ ld: 'e8', u: Buffer.from(encodeURIComponent(url)).toString('base64') }).toString()}`;

const tokenOf = (url: string, isOpaque: boolean): string =>
  isOpaque
    ? createHash('sha256').update(url).digest('hex').slice(0, 32)
    : `a1${Buffer.from(url).toString('base64url')}`;

/** The page with its links out of the engine wrapped in redirects. `isOpaque`: the redirects do not name their targets. */
export const wrapLinks = (body: string, isOpaque = false): string =>
  body.replace(/(<a [^>]*?href=")(https:[^"]+)"/g, (tag: string, before: string, href: string) => {
    const url = unescaped(href);
    if (url.startsWith(`${origin}/`)) return tag;
    return `${before}${origin}/ck/a?!&amp;&amp;ptn=3&amp;u=${tokenOf(url, isOpaque)}&amp;ntb=1"`;
  });

/**
 * Links as the engine writes them: the counter of clicks around each target, with a token that contains the
 * time of the page.
 */
import { createHash } from 'node:crypto';
import { mapLinks } from '../html.ts';
import type { Search } from '../search.ts';
import { seededRandom } from '../seeded-random.ts';

const counter = 'https://r.search.yahoo.com';

type Stamped = Pick<Search, 'rawQuery' | 'now'>;

/** Base64 in the engine's alphabet. Bytes 5 to 8 are the time in Unix seconds, the lowest byte first. */
export const token = ({ rawQuery, now }: Stamped): string => {
  const bytes = Buffer.from(seededRandom(rawQuery, now, 'token').hex(24), 'hex');
  bytes.writeUInt32LE(now >>> 0, 5);
  return bytes.toString('base64').replaceAll('+', '.').replaceAll('/', '_');
};

/** The path of a search. The token follows it after a semicolon. */
export const searchPath = (search: Stamped, query: string, more: Record<string, string> = {}): string =>
  `/search;_ylt=${token(search)}?${new URLSearchParams({ p: query, ...more }).toString()}`;

/** The counter of clicks on an ad. */
export const adLink = (url: string): string =>
  `${counter}/cbclk2/${createHash('sha256').update(url).digest('hex').slice(0, 16)}/RU=${encodeURIComponent(url)}/RK=0/RS=x-`;

/**
 * The page with the counter around the links out of the search. `isOpaque`: the counter does not name their
 * targets.
 */
export const wrapLinks = (body: string, search: Stamped, isOpaque = false): string => {
  const stamp = token(search);
  return mapLinks(body, (url) => {
    if (/^https:\/\/(?:\w+\.)?search\.yahoo\.com\//.test(url)) return null;
    const target = isOpaque ? createHash('sha256').update(url).digest('hex') : encodeURIComponent(url);
    return `${counter}/_ylt=${stamp}/RV=2/RO=10/RU=${target}/RK=2/RS=x-`;
  });
};

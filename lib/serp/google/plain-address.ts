/**
 * Finds the target of a hidden link (`/goto`, since August 2026) in the page's own data, if the page still
 * contains it.
 */

import type { Element } from 'domhandler';
import { findAll, type Test } from '../dom.ts';
import { hostOf, shownHost } from '../host.ts';
import { textOf } from '../lines.ts';
import type { Target } from '../link.ts';
import { decoded } from '../link.ts';
import type { Page } from '../page.ts';
import { once } from '../page-cache.ts';
import { spend } from '../steps.ts';
import { isHidden, targetOf } from './link.ts';

/**
 * The words of the shown path, in lower case: `› docs › getting-started...` gives `docs`, `getting-started`.
 */
const shownWords = (breadcrumb: string): string[] =>
  breadcrumb
    .split(/[›>/]/)
    .slice(1)
    .map((word) =>
      word
        .replace(/(?:\.{3}|…)\s*$/, '')
        .trim()
        .toLowerCase(),
    )
    .filter((word) => /^[\p{L}\p{N}_.-]+$/u.test(word));

/**
 * The URL has the host in the breadcrumb, or one is a subdomain of the other: a breadcrumb shows `amp.` and
 * `m.` pages by the main host.
 */
const fitsHost = (url: string, breadcrumb: string): boolean => {
  const [host, shown] = [hostOf(url), shownHost(breadcrumb)];
  return shown !== '' && (host === shown || host.endsWith(`.${shown}`) || shown.endsWith(`.${host}`));
};

/**
 * The URL has the host in the breadcrumb and all words of its path. A section name that is not in the URL
 * counts against it too.
 */
const fitsPath = (url: string, breadcrumb: string): boolean => {
  const path = decoded(url).toLowerCase();
  return fitsHost(url, breadcrumb) && shownWords(breadcrumb).every((word) => path.includes(word));
};

/**
 * The URLs in a value: the value itself, and the URLs in its parameters if it is a click counter or a
 * translation.
 */
const addressesIn = (value: string): string[] => {
  const inParameters = [...value.matchAll(/[?&](?:url|q|u|adurl)=(https?[^&]+)/g)].map(([, inner = '']) =>
    decoded(inner),
  );
  return [...inParameters, ...(/^https?:/.test(value) ? [value] : [])].flatMap(
    (url) => targetOf(url)?.url ?? [],
  );
};

/**
 * Attributes with a URL to load or to count. Two are excluded: `data-pcu` has only the site of an ad, to
 * connect to in advance; `data-amp-…` describes the AMP page that `data-amp` and the link lead to: its
 * canonical address (`data-amp-cur`), the logo of its publisher.
 */
const urlAttributes = /^(?:data-(?!pcu$|amp-)|href$)/;

const inAttributes = ({ attribs }: Element): string[] =>
  Object.entries(attribs)
    .filter(([name, value]) => urlAttributes.test(name) && value.includes('http'))
    .flatMap(([, value]) => addressesIn(value));

const isQuote: Test = ({ name, attribs }) => name === 'a' && attribs.href?.includes(':~:') === true;

/**
 * An anchor belongs to the result if it shows the picture or repeats the title. Otherwise it links to another
 * page of the site.
 */
const isSameResult = (element: Element, title: string): boolean => {
  if (element.name !== 'a') return true;
  const text = textOf(element);
  return text === '' || text === title;
};

/** The maximum distance between a token and its URL in script data, in characters. */
const maxDistance = 400;

const minTokenLength = 16;

/**
 * The indexes in the HTML of a page at which texts of the form of a token end, by the last characters of the
 * text.
 */
const tokenEnds = once(({ html }: Page): Map<string, number[]> => {
  const ends = new Map<string, number[]>();
  spend(html.length >> 6);
  for (const { 0: text, index } of html.matchAll(/[\w-]{16,}/g)) {
    const end = index + text.length;
    const key = text.slice(-minTokenLength);
    const known = ends.get(key);
    if (known) known.push(end);
    else ends.set(key, [end]);
  }
  return ends;
});

/**
 * Attributes of the link itself. What is beside them in its tag is read as attributes, and must fit the path.
 */
const inOwnAttribute = /\s(?:href|ping)=["']?[^"']*$/;

/** The URLs near the text that begins at `start`, unless it is in an attribute of the link itself. */
const urlsAround = (html: string, start: number): string[] => {
  spend(maxDistance >> 3);
  const before =
    html
      .slice(Math.max(0, start - maxDistance), start)
      .split(/[<>]/)
      .at(-1) ?? '';
  if (inOwnAttribute.test(before)) return [];
  const after = html.slice(start, start + maxDistance).split(/[<>]/)[0] ?? '';
  const plain = `${before}${after}`
    .replaceAll('\\/', '/')
    .replace(/\\(?:u00|x)([0-9a-f]{2})/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
  return (plain.match(/https?:\/\/[^\s"'\\<>]+/g) ?? []).flatMap((url) => targetOf(url)?.url ?? []);
};

/** The URLs near each token in the data of a page's scripts. */
const urlsByToken = once((_: Page) => new Map<string, string[]>());

/** The URLs near the token of a hidden link in the data of the page's scripts. */
const inScripts = (href: string, page: Page): string[] => {
  const token = /[?&]url=([\w-]{16,})/.exec(href)?.[1];
  if (!token) return [];
  const known = urlsByToken(page).get(token);
  if (known) return known;
  const ends = tokenEnds(page).get(token.slice(-minTokenLength)) ?? [];
  const urls = ends.flatMap((end) => {
    const start = end - token.length;
    return start >= 0 && page.html.startsWith(token, start) ? urlsAround(page.html, start) : [];
  });
  urlsByToken(page).set(token, urls);
  return urls;
};

/**
 * The target of a result's title link. A hidden link is resolved from the result's own data if possible; else
 * it stays `opaque`.
 */
export const resolve = (
  link: Element,
  block: Element,
  page: Page,
  { title, breadcrumb }: { title: string; breadcrumb: string },
): Target => {
  const href = link.attribs.href ?? '';
  const target = targetOf(href) ?? { url: '', url_resolution: 'direct' };
  if (target.url_resolution !== 'opaque') return target;
  // The link's own click counter, a quote from the page, and script data with the link's token belong to this
  // result for certain. Other data may not, so its path must fit too.
  const certain = [
    ...addressesIn(link.attribs.ping ?? ''),
    ...findAll(block, isQuote).flatMap(inAttributes),
    ...inScripts(href, page),
  ].filter((url) => fitsHost(url, breadcrumb));
  const likely = [link, ...findAll(block, (element) => isSameResult(element, title))]
    .flatMap(inAttributes)
    .filter((url) => fitsPath(url, breadcrumb));
  const plain = [...certain, ...likely].find((url) => !isHidden(url));
  return plain === undefined ? target : { url: plain, url_resolution: 'page' };
};

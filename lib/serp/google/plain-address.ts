/** The plain address of a result whose link is hidden (`/goto`, since August 2026), where the page's own data still holds it. */
import type { Element } from 'domhandler';
import { findAll, type Test, textOf } from '../dom.ts';
import { hostOf, shownHost } from '../host.ts';
import type { Page } from '../page.ts';
import { isHidden, type Target, targetOf } from './link.ts';

/** Words of the shown path, folded: `› docs › getting-started...` as `docs`, `getting-started`. */
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

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** The very host that the breadcrumb shows, or one under the other: `amp.` and `m.` pages are shown by their main name. */
const fitsHost = (url: string, breadcrumb: string): boolean => {
  const [host, shown] = [hostOf(url), shownHost(breadcrumb)];
  return shown !== '' && (host === shown || host.endsWith(`.${shown}`) || shown.endsWith(`.${host}`));
};

/** As well as the host, what the breadcrumb shows of the path. Names of sections that are no part of it speak against it too. */
const fitsPath = (url: string, breadcrumb: string): boolean => {
  const path = decoded(url).toLowerCase();
  return fitsHost(url, breadcrumb) && shownWords(breadcrumb).every((word) => path.includes(word));
};

/** The address that a value is, and those that it hands on to a counter of clicks or a translation. */
const addressesIn = (value: string): string[] => {
  const handedOn = [...value.matchAll(/[?&](?:url|q|u|adurl)=(https?[^&]+)/g)].map(([, inner = '']) =>
    decoded(inner),
  );
  return [...handedOn, ...(/^https?:/.test(value) ? [value] : [])].flatMap((url) => targetOf(url)?.url ?? []);
};

/** What names an address to load or to count, but for the site alone that ads are opened with. */
const carriers = /^(?:data-(?!pcu$)|href$)/;

const inAttributes = ({ attribs }: Element): string[] =>
  Object.entries(attribs)
    .filter(([name, value]) => carriers.test(name) && value.includes('http'))
    .flatMap(([, value]) => addressesIn(value));

const isQuote: Test = ({ name, attribs }) => name === 'a' && attribs.href?.includes(':~:') === true;

/** An anchor of the result that is not a link to another page of the site: it shows the picture, or repeats the title. */
const isSameResult = (element: Element, title: string): boolean => {
  if (element.name !== 'a') return true;
  const text = textOf(element);
  return text === '' || text === title;
};

/** How far from its token an address in script data may stand. */
const nearby = 400;

/** The addresses beside a hidden link's own token in the data of the page's scripts. */
const inScripts = (href: string, page: Page): string[] => {
  const token = /[?&]url=([\w-]{16,})/.exec(href)?.[1];
  if (!token) return [];
  const found: string[] = [];
  for (let at = page.html.indexOf(token); at >= 0; at = page.html.indexOf(token, at + token.length)) {
    const before =
      page.html
        .slice(Math.max(0, at - nearby), at)
        .split(/[<>]/)
        .at(-1) ?? '';
    if (/href=["']?[^"']*$/.test(before)) continue;
    const after = page.html.slice(at, at + nearby).split(/[<>]/)[0] ?? '';
    const plain = `${before}${after}`
      .replaceAll('\\/', '/')
      .replace(/\\(?:u00|x)([0-9a-f]{2})/gi, (_, code: string) =>
        String.fromCharCode(Number.parseInt(code, 16)),
      );
    found.push(...(plain.match(/https?:\/\/[^\s"'\\<>]+/g) ?? []).flatMap((url) => targetOf(url)?.url ?? []));
  }
  return found;
};

/** The target of a result's title link; a hidden one resolved where the result's own data tells, else left `opaque`. */
export const resolve = (
  link: Element,
  block: Element,
  page: Page,
  { title, breadcrumb }: { title: string; breadcrumb: string },
): Target => {
  const href = link.attribs.href ?? '';
  const target = targetOf(href) ?? { url: '', url_resolution: 'direct' };
  if (target.url_resolution !== 'opaque') return target;
  // The link's own counter, a quote from the page and script data with the link's token are surely of this result; other data may not be.
  const own = [
    ...addressesIn(link.attribs.ping ?? ''),
    ...findAll(block, isQuote).flatMap(inAttributes),
    ...inScripts(href, page),
  ].filter((url) => fitsHost(url, breadcrumb));
  const near = [link, ...findAll(block, (element) => isSameResult(element, title))]
    .flatMap(inAttributes)
    .filter((url) => fitsPath(url, breadcrumb));
  const plain = [...own, ...near].find((url) => !isHidden(url));
  return plain === undefined ? target : { url: plain, url_resolution: 'page' };
};

/** The host that an item counts for: of its target, or, for an opaque one, the one that its breadcrumb shows. */
export const domainOf = ({ url, url_resolution }: Target, breadcrumb: string): string =>
  url_resolution === 'opaque' ? shownHost(breadcrumb) : hostOf(url);

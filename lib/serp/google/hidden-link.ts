/**
 * Hidden links (`/goto`), whose targets nobody can read from the page: which of them its items hold, what an answer to one tells, and
 * the page with the targets in their places.
 */
import type { ParsedPage, ResultItem } from '../../model/result.ts';
import { walk } from '../dom.ts';
import { openPage, type Page } from '../page.ts';
import { foundLink, isHidden, origin, targetOf } from './link.ts';

const linksWithin = ({ sitelinks, sources, profiles }: ResultItem): string[] =>
  [sitelinks, sources, profiles].flatMap((list) => (list ?? []).map(({ url }) => url));

/**
 * The hidden links of a page, each once, in the order of their worth: web results, the other items, then links within items. Lookups may
 * end at any of them.
 */
export const hiddenLinks = ({ left, right }: Pick<ParsedPage, 'left' | 'right'>): string[] => {
  const items = [...left, ...right];
  const organic = items.filter(({ type }) => type === 'organic');
  const inOrder = [...[...organic, ...items].map(({ url }) => url), ...items.flatMap(linksWithin)];
  return [...new Set(inOrder)].filter(isHidden);
};

const asksForConsent = (location: string): boolean =>
  URL.parse(location)?.hostname.startsWith('consent.') === true;

/**
 * What a hidden link's `Location` says, unwrapped like every link on the page. `refused`: it leads to a page of the engine's own, or nowhere;
 * asking on would be no use. Null: it leads to another hidden link, which is not followed.
 */
export const readLocation = (location: string | null): string | null | 'refused' => {
  const target = location === null || asksForConsent(location) ? null : targetOf(location);
  if (!target) return 'refused';
  return target.url_resolution === 'opaque' ? null : target.url;
};

/** Opens a page whose hidden links lead where they were found to lead; what was not found stays hidden. */
export const openFoundPage = (html: string, find: (link: string) => string | undefined): Page => {
  const page = openPage(html);
  walk(page.root, ({ attribs }) => {
    const { href } = attribs;
    const target = href && isHidden(href) ? find(new URL(href, origin).href) : undefined;
    if (target) attribs.href = foundLink(target);
    return true;
  });
  return page;
};

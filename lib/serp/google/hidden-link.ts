/**
 * Hidden links (`/goto`), whose targets nobody can read from the page: which of them its items hold, what an answer to one tells, and
 * the page with the targets in their places.
 */
import type { ParsedPage, ResultItem } from '../../model/result.ts';
import { walk } from '../dom.ts';
import type { FindTarget, HiddenLinks } from '../engine.ts';
import type { Page } from '../page.ts';
import { address } from './address.ts';
import { foundLink, isHidden, targetOf } from './link.ts';

const linksWithin = ({ sitelinks, sources, profiles }: ResultItem): string[] =>
  [sitelinks, sources, profiles].flatMap((list) => (list ?? []).map(({ url }) => url));

/**
 * The hidden links of a page, each once, in the order of their worth: web results, the other items, then links within items. Lookups may
 * end at any of them.
 */
const hiddenLinksOf = ({ left, right }: Pick<ParsedPage, 'left' | 'right'>): string[] => {
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
const readLocation = (location: string | null): string | null | 'refused' => {
  const target = location === null || asksForConsent(location) ? null : targetOf(location);
  if (!target) return 'refused';
  return target.url_resolution === 'opaque' ? null : target.url;
};

/** Puts the targets that were found in the place of a page's hidden links; the other links stay hidden. */
export const revealLinks = (page: Page, find: FindTarget): void => {
  walk(page.root, ({ attribs }) => {
    const { href } = attribs;
    const target = href && isHidden(href) ? find(new URL(href, address.origin).href) : undefined;
    if (target) attribs.href = foundLink(target);
    return true;
  });
};

export const hiddenLinks: HiddenLinks = { of: hiddenLinksOf, readLocation };

/**
 * Hidden links (`/goto`), whose targets are not on the page: finds those in the items of a page, reads the
 * target from the response to a lookup, and replaces the links of a page with their targets.
 */
import type { ParsedPage } from '../../model/parsed-page.ts';
import type { ResultItem } from '../../model/result.ts';
import { walk } from '../dom.ts';
import type { FindTarget, HiddenLinks } from '../engine-reader.ts';
import type { Page } from '../page.ts';
import { address } from './address.ts';
import { foundLink, isHidden, targetOf } from './link.ts';

const linksOf = ({ sitelinks, sources, profiles }: ResultItem): string[] =>
  [sitelinks, sources, profiles].flatMap((list) => (list ?? []).map(({ url }) => url));

/**
 * The hidden links of a page, each once, most useful first: web results, other items, then links within
 * items. Lookups may stop at any link.
 */
const hiddenLinksOf = ({ left, right }: Pick<ParsedPage, 'left' | 'right'>): string[] => {
  const items = [...left, ...right];
  const organic = items.filter(({ type }) => type === 'organic');
  const inOrder = [...[...organic, ...items].map(({ url }) => url), ...items.flatMap(linksOf)];
  return [...new Set(inOrder)].filter(isHidden);
};

const asksForConsent = (location: string): boolean =>
  URL.parse(location)?.hostname.startsWith('consent.') === true;

/**
 * The target in the `Location` of a response to a hidden link, unwrapped like every link on the page.
 * `refused`: it is missing, or leads to a page of the engine itself, so further lookups are useless. Null: it
 * leads to another hidden link, which is not followed.
 */
const readLocation = (location: string | null): string | null | 'refused' => {
  const target = location === null || asksForConsent(location) ? null : targetOf(location);
  if (!target) return 'refused';
  return target.url_resolution === 'opaque' ? null : target.url;
};

/**
 * Replaces the hidden links of a page with the targets that were found. The other hidden links stay
 * unchanged.
 */
export const revealLinks = (page: Page, find: FindTarget): void => {
  walk(page.root, ({ attribs }) => {
    const { href } = attribs;
    const target = href && isHidden(href) ? find(new URL(href, address.origin).href) : undefined;
    if (target) attribs.href = foundLink(target);
    return true;
  });
};

export const hiddenLinks: HiddenLinks = { of: hiddenLinksOf, readLocation };

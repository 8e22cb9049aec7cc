/**
 * Refinements: the row of filters that a page offers for its search, and the filters of products. Each is a
 * link to another search, with one of two parameters: `uds` since 2023, `shoprs` for products.
 */
import type { Element } from 'domhandler';
import type { Test } from '../dom.ts';
import { textOf } from '../lines.ts';
import type { Page } from '../page.ts';
import { namedIn, once } from '../page-cache.ts';
import type { Draft } from '../walker.ts';
import { address } from './address.ts';
import { searchParameters } from './own-search.ts';
import { queryOf } from './page-facts.ts';
import { squeezed } from './related-search.ts';

const parameterNames = ['uds', 'shoprs'] as const;

/** The parameter that makes a link a refinement. */
const parameterOf = (link: Element): (typeof parameterNames)[number] | undefined => {
  const { href } = link.attribs;
  if (!href?.includes('/search?') || !/[?&](?:uds|shoprs)=/.test(href)) return undefined;
  const parameters = searchParameters(link);
  return parameters && parameterNames.find((name) => parameters.has(name));
};

export const isRefinement: Test = (element) => element.name === 'a' && parameterOf(element) !== undefined;

/** A link to the same words, or to another tab, is a tab. The filters of products may keep the words. */
const isTab = (link: Element, query: string): boolean => {
  const parameters = searchParameters(link);
  return (
    parameterOf(link) === 'uds' &&
    (parameters?.has('udm') === true ||
      parameters?.has('tbm') === true ||
      squeezed(parameters?.get('q') ?? '') === query)
  );
};

/** The parameters that make a search; the others name the visit. */
const keptParameters = ['q', 'hl', 'gl', ...parameterNames];

const addressOf = (link: Element): string => {
  const parameters = searchParameters(link);
  const kept = keptParameters.flatMap((name): [string, string][] => {
    const value = parameters?.get(name);
    return value ? [[name, value]] : [];
  });
  return `${address.origin}/search?${new URLSearchParams(kept)}`;
};

/** Real pages have at most 60 such links. */
const maxLinks = 512;

/** The first link of each of the two rows, with the options of the row: each address once. */
const rowsOf = once((page: Page): Map<Element, Draft> => {
  const query = squeezed(queryOf(page));
  const links = namedIn(page.root, 'a').filter(isRefinement).slice(0, maxLinks);
  return new Map(
    [
      ...Map.groupBy(
        links.filter((link) => !isTab(link, query)),
        parameterOf,
      ).values(),
    ].flatMap((row): [Element, Draft][] => {
      const options = new Map<string, string>();
      for (const link of row) {
        const title = textOf(link);
        if (title !== '' && !options.has(addressOf(link))) options.set(addressOf(link), title);
      }
      const [first] = row;
      return first && options.size > 0
        ? [[first, { options: [...options].map(([url, title]) => ({ title, url })) }]]
        : [];
    }),
  );
});

export const readRefinements = (link: Element, page: Page): Draft[] => {
  const row = rowsOf(page).get(link);
  return row ? [row] : [];
};

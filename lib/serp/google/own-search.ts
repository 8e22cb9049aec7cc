/** The engine's links to its own searches, and the comparison of queries. */

import { type Element, isTag } from 'domhandler';
import { ancestors, has, isInside, type Test } from '../dom.ts';
import { textOf } from '../lines.ts';
import { once } from '../page-cache.ts';
import { type Parameters, parametersIn } from '../parameters.ts';
import { asciiDigits } from '../text.ts';

/**
 * A script wall links to the search that it was asked for, with all its parameters and a message (`emsg`) or
 * its own id (`sei`). The link leads to the same page again, so it says nothing about other pages or tabs.
 */
const isSamePage = (parameters: Parameters): boolean => parameters.has('emsg') || parameters.has('sei');

/** The parameters of a link to a search of the engine; undefined for other elements. */
export const searchParameters: (link: Element) => Parameters | undefined = (link) =>
  link.attribs.href?.includes('/search?') ? parametersOf(link) : undefined;

const parametersOf = once(({ attribs }: Element): Parameters | undefined => {
  const found = /^(?:https:\/\/www\.google\.[a-z.]+)?(?:\/wml)?\/search\?(.*)/s.exec(attribs.href ?? '')?.[1];
  const parameters = found === undefined ? undefined : parametersIn(found);
  return parameters && !isSamePage(parameters) ? parameters : undefined;
});

const isNavigation: Test = ({ name, attribs }) => name === 'nav' || attribs.role === 'navigation';

/** Whether the text of a link is the number of the page that begins with a result. */
const isNumbered = (link: Element, start: number, perPage: number): boolean =>
  asciiDigits(textOf(link)) === String(start / perPage + 1);

/**
 * The first result of the page that a link to another page leads to, counted from 0; undefined for other
 * links. Links to tabs, filters and spellings may repeat the `start` of the request, so only the row of page
 * numbers counts: its links have `sa=N`, or are in a navigation, or are numbers.
 */
export const startOf = (link: Element): number | undefined => {
  const parameters = searchParameters(link);
  const start = parameters?.get('start') ?? '';
  if (!/^\d+$/.test(start)) return undefined;
  const isPaging =
    parameters?.get('sa') === 'N' ||
    isInside(link, isNavigation) ||
    isNumbered(link, Number(start), Number(parameters?.get('num')) || 10);
  return isPaging ? Number(start) : undefined;
};

/** The web tab, which pages of 2026 also call `web`, shows the web results of an ordinary search. */
export const isOtherTab = (tab: string): boolean => tab !== '' && tab !== '14' && tab !== 'web';

/** The parameters that name a tab. */
export const tabNames = ['udm', 'tbm'];

/** The tab in the parameters of a link, if it is none of web results; otherwise empty. */
export const otherTab = (parameters: Parameters): string =>
  tabNames.map((name) => parameters.get(name) ?? '').find(isOtherTab) ?? '';

/**
 * Parameters of links to something else: a numbered page, another tab, a filter, another spelling, an entity.
 */
export const otherSearches = 'start udm tbm tbs tbas nfpr spell filter stick si ibp gbv shoprs uds lr'.split(
  ' ',
);

const isTab: Test = ({ attribs }) => attribs.role === 'listitem';

const isOpen: Test = ({ attribs }) => attribs['aria-current'] === 'page';

const isLinkToTab: Test = (element) => tabNames.some((name) => searchParameters(element)?.has(name));

/** Whether a link is a tab beside the open one, in a row with links to tabs that name themselves. */
const isBesideOpenTab = (link: Element): boolean => {
  const tab = ancestors(link).find(isTab);
  const others = (tab?.parent?.children ?? []).filter(isTag).filter((other) => other !== tab);
  return (
    others.some((other) => isTab(other) && has(other, isOpen)) &&
    others.some((other) => has(other, isLinkToTab))
  );
};

/**
 * Whether a link is that of the row of tabs to all results of a search: it names no tab. Its source says so
 * on pages until 2026, later its place beside the open tab, which has no link.
 */
export const isLinkToAll = (link: Element, parameters: Parameters): boolean =>
  !tabNames.some((name) => parameters.has(name)) &&
  (parameters.get('source') === 'lnms' ||
    (!otherSearches.some((name) => parameters.has(name)) && isBesideOpenTab(link)));

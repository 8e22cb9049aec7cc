/** The engine's links to its own searches, and the comparison of queries. */
import type { Element } from 'domhandler';
import { isInside, once } from '../dom.ts';

export { isSameQuery, normalized } from '../own-search.ts';

/** The parameters of a link to a search of the engine; undefined for other elements. Do not change them: several rules ask for them. */
export const searchParameters: (link: Element) => URLSearchParams | undefined = (link) =>
  link.attribs.href?.includes('/search?') ? parametersOf(link) : undefined;

const parametersOf = once(({ attribs }: Element): URLSearchParams | undefined => {
  const found = /^(?:https:\/\/www\.google\.[a-z.]+)?\/search\?(.*)/s.exec(attribs.href ?? '')?.[1];
  return found === undefined ? undefined : new URLSearchParams(found);
});

/**
 * The first result of the page that a link to another page leads to, counted from 0; undefined for other links. Links to tabs, filters and
 * spellings may repeat the `start` of the request, so only the row of page numbers counts: its links have `sa=N`, or are in a navigation.
 */
export const startOf = (link: Element): number | undefined => {
  const parameters = searchParameters(link);
  const start = parameters?.get('start') ?? '';
  if (!/^\d+$/.test(start)) return undefined;
  const isPaging =
    parameters?.get('sa') === 'N' || isInside(link, ({ attribs }) => attribs.role === 'navigation');
  return isPaging ? Number(start) : undefined;
};

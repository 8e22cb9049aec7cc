/** The engine's links to its own searches, and the comparison of queries. */
import type { Element } from 'domhandler';
import { ownPageOf } from './link.ts';

/** The hosts of the web search: of a country, or of none. The hosts of other searches have the name of a service. */
const webHost = /^(?:(?!images|video|news|local|shopping)[a-z]+\.)?search\.yahoo\.com$/;

/** The parameters of a link to a web search of the engine; undefined for other links. */
export const searchParameters = (element: Element): URLSearchParams | undefined => {
  const url = ownPageOf(element);
  return url?.pathname === '/search' && webHost.test(url.hostname) ? url.searchParams : undefined;
};

/**
 * Reduces a query to its letters and digits, because quotes, operators and spacing do not matter. Signs after a letter count: `C++` and `C#`
 * are two queries. A query without letters and digits stays as it is.
 */
export const normalized = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}+#]+|(?<![\p{L}\p{M}\p{N}+#])[+#]+/gu, '') || text.trim();

export const isSameQuery = (one: string, other: string): boolean =>
  one === other || normalized(one) === normalized(other);

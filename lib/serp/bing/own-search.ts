/** The engine's links to its own searches, and the comparison of queries. */
import type { Element } from 'domhandler';
import { ownPageOf, ownPathOf } from './link.ts';

/** The parameters of a link to a web search of the engine; undefined for other links. */
export const searchParameters = (element: Element): URLSearchParams | undefined =>
  ownPathOf(element) === '/search' ? ownPageOf(element)?.searchParams : undefined;

/**
 * Reduces a query to its letters and digits, because quotes, operators and spacing do not matter. Signs after a letter count: `C++` and `C#`
 * are two queries. A query without letters and digits stays as it is.
 */
export const normalized = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}+#]+|(?<![\p{L}\p{M}\p{N}+#])[+#]+/gu, '') || text.trim();

export const isSameQuery = (one: string, other: string): boolean => normalized(one) === normalized(other);

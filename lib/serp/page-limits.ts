/** How large a page may be. */

/**
 * Result pages have up to 10,000 elements, 63 levels deep, and 40,000 parts: elements, attributes, texts and
 * comments. A page far beyond that is an attempt to exhaust the parser.
 */
export const limits = { elements: 25_000, depth: 500, parts: 120_000 };

export class PageTooLarge extends Error {
  override name = 'PageTooLarge';
}

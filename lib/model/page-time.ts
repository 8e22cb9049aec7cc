/**
 * How long the tries of one page may take, in milliseconds. It bounds what a page costs that holds its
 * connections open.
 */

/**
 * For all tries of a page together, over HTTP and in the browser, with the start and the end of the browser
 * and the lookup of links. Only the work counts, not the wait for a free function between two steps.
 */
export const pageMs = 45_000;

/** For one try over HTTP, from connecting to the last byte, redirects included. */
export const httpDeadlineMs = 12_000;

/** How often a page is fetched over HTTP before the step gives up. */
export const maxFetches = 2;

/** For one try in the browser, from an empty tab to the last reading of the page. */
export const browserDeadlineMs = 25_000;

/** What is left for a page on which `spentMs` were spent. */
export const remainingMs = (spentMs = 0): number => Math.max(0, pageMs - spentMs);

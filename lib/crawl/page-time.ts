/** The time that the tries of one page may take together. It bounds what a page costs that holds its connections open. */

/**
 * For all tries of a page together, over HTTP and in the browser, with the start and the end of the browser and the lookup of links.
 * Only the work counts, not the wait for a free function between two steps.
 */
export const pageMs = 45_000;

/** What is left for a page on which `spentMs` were spent. */
export const remainingMs = (spentMs = 0): number => Math.max(0, pageMs - spentMs);

/** Milliseconds of a clock that only moves forward. */
export const stopwatch = (): number => Math.round(performance.now());

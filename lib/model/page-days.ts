/** For how long the pages of searches are stored. */

/** `tracked`: of tracked searches. `long`: of searches that reuse pages for longer than `usualPageDays`. */
const htmlKinds = ['tracked', 'usual', 'long'] as const;
export type HtmlKind = (typeof htmlKinds)[number];

/** Some engines reuse pages for 168 hours by default (Reading 14), so pages are stored at least as long. */
export const usualPageDays = 7;

/** All objects of the bucket are deleted after so many days. */
export const longestDays = 35;

/** For how long the pages of searches are stored. */

/** `tracked`: of tracked searches. `long`: of searches that reuse pages for longer than `usualPageDays`. */
const htmlKinds = ['tracked', 'usual', 'long'] as const;
export type HtmlKind = (typeof htmlKinds)[number];

/** Some engines reuse pages for 168 hours by default (Reading 14), so pages are stored at least as long. */
export const usualPageDays = 7;

/** The least number of days for pages of tracked searches. */
export const leastTrackedPageDays = 2;

/** All objects of the bucket are deleted after so many days. */
export const longestDays = 35;

const leastDays: Record<HtmlKind, number> = {
  tracked: leastTrackedPageDays,
  usual: usualPageDays,
  long: longestDays,
};

/**
 * For how many days the page with a key is stored at least, whatever `PAGE_DAYS` and `TRACKED_PAGE_DAYS` are.
 */
export const leastDaysOf = (key: string): number => {
  const kind = htmlKinds.find((each) => key.startsWith(`html/${each}-`));
  return kind ? leastDays[kind] : longestDays;
};

/** When the recorder looks at the task of a crawl. Plain values. */

/**
 * Later than any run of the planner lasts, so that the planner has created the task by then or never will.
 */
const firstCheckSeconds = 90;
const longestCheckSeconds = 1800;

/**
 * Seconds until a task is looked at that was found unfinished so often: doubled each time, at most half an
 * hour.
 */
export const checkSeconds = (checks: number): number =>
  Math.min(firstCheckSeconds * 2 ** checks, longestCheckSeconds);

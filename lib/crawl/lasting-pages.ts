/** Keeps reused pages (Reading 14) for as long as a task that reuses them needs them. */
import { linkSeconds } from '../access/page-link.ts';
import { secondsOfDay } from '../model/day.ts';
import { leastDaysOf } from '../model/page-days.ts';
import { copyToFolder } from '../store/html.ts';
import type { SerpRow } from '../store/task-row.ts';
import { lifetimeSeconds } from '../task/timing.ts';

/** A link to a page can be made until the end of the task. */
const neededSeconds = lifetimeSeconds + linkSeconds;

/**
 * The pages of a task. Reused pages that the bucket may delete before the task and its links expire are first
 * copied to the folder of the task. A step that runs twice makes the same copies.
 */
export const lastingPages = async (row: SerpRow, now: number): Promise<SerpRow['pages']> => {
  const isLasting = (key: string): boolean =>
    now + neededSeconds <= row.crawled_at + leastDaysOf(key) * secondsOfDay;
  const keys = row.reused ? row.pages.flatMap(({ html }) => html || []) : [];
  if (keys.every(isLasting)) return row.pages;
  const copies = await copyToFolder(row, keys);
  return row.pages.map((page) => ({ ...page, html: copies.get(page.html) ?? page.html }));
};

/** The first step on several pages of a run, which are fetched at a time. */
import { type AnsweredPage, type PageBatch, type PageKey, refusedPage } from '../model/workflow.ts';
import { isBackPressure, logRefusal } from '../runtime/back-pressure.ts';
import { stopwatch } from '../runtime/clock.ts';
import { newHtmlFile } from '../store/html.ts';
import { readRow } from '../store/tasks.ts';
import { fetchHeld } from './fetch-page.ts';
import { heldPageOf } from './held-page.ts';
import { withOnward } from './onward.ts';

/** The outcome of a page. Back-pressure is the outcome of this page alone. */
const unlessRefused = async (key: PageKey, work: Promise<AnsweredPage>): Promise<AnsweredPage> => {
  try {
    return await work;
  } catch (error) {
    if (!isBackPressure(error)) throw error;
    logRefusal(error);
    return refusedPage(key);
  }
};

/**
 * Does for each page what `fetchPage` does. The pages are stored as one object, before any of them has an
 * outcome.
 */
export const fetchPages = async (
  { user_id, id, attempt, batch }: PageBatch,
  nowMs = stopwatch,
): Promise<AnsweredPage[]> => {
  const began = nowMs();
  const row = await readRow(user_id, id);
  const numbers = batch.map(({ page }) => page);
  const file = newHtmlFile({ html_folder: row?.html_folder ?? '', attempt }, numbers);
  const pages = await Promise.all(
    batch.map((key) => unlessRefused(key, fetchHeld(key, heldPageOf(row, key), file.keep, nowMs, began))),
  );
  await file.put();
  return row ? Promise.all(pages.map((page) => withOnward(row, page))) : pages;
};

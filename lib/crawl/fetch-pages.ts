/** The first step on several pages of a run, which are fetched at a time. */
import { type AnsweredPage, type PageBatch, type PageKey, refusedPage } from '../model/workflow.ts';
import { isBackPressure, logRefusal } from '../runtime/back-pressure.ts';
import { stopwatch } from '../runtime/clock.ts';
import { log } from '../runtime/log.ts';
import { heldMs } from '../runtime/processor-limit.ts';
import { newHtmlFile } from '../store/html.ts';
import { readRow } from '../store/tasks.ts';
import { fetchHeld } from './fetch-held.ts';
import { heldPageOf } from './held-page.ts';

/**
 * The outcome of a page. Back-pressure is the outcome of this page alone. A page whose work throws another
 * error stays without an outcome, so that the next state does the work again for it alone.
 */
const unlessBroken = async (key: PageKey, work: Promise<AnsweredPage>): Promise<AnsweredPage | PageKey> => {
  try {
    return await work;
  } catch (error) {
    if (!isBackPressure(error)) {
      log.warn('page is fetched again by a separate call', { page: key.page, error: String(error) });
      return key;
    }
    logRefusal(error);
    return refusedPage(key);
  }
};

/**
 * Does for each page what `fetchPage` does. The pages are stored as one object, before any of them has an
 * outcome. They are the last ones of their run, so none of them says how the run goes on. The reading of one
 * page takes no time of the others: readings have a limit of their own (`readInTime`).
 */
export const fetchPages = async (
  { user_id, id, attempt, batch }: PageBatch,
  clockMs = stopwatch,
): Promise<(AnsweredPage | PageKey)[]> => {
  const nowMs = (): number => clockMs() - heldMs();
  const began = nowMs();
  const row = await readRow(user_id, id);
  const numbers = batch.map(({ page }) => page);
  const file = newHtmlFile({ html_folder: row?.html_folder ?? '', attempt }, numbers);
  const pages = await Promise.all(
    batch.map((key) => unlessBroken(key, fetchHeld(key, heldPageOf(row, key), file.keep, nowMs, began))),
  );
  await file.put();
  return pages;
};

/** The fetch of a page without what FetchPage does after it. */
import type { AnsweredPage, PageKey } from '../../../lib/model/workflow.ts';

/** Fetches and stores a page of a run. The task goes on, even if it is its only page. */
export const fetchAlone = async (key: PageKey): Promise<AnsweredPage> => {
  // The stores read their names from the environment when they are imported.
  const { fetchHeld } = await import('../../../lib/crawl/fetch-held.ts');
  const { readHeldPage } = await import('../../../lib/crawl/held-page.ts');
  const { putHtml } = await import('../../../lib/store/html.ts');
  return fetchHeld(key, await readHeldPage(key), putHtml, () => 0, 0);
};

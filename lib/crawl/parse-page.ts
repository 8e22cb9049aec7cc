/** Reads one stored page of a task, with the targets of its hidden links. */
import type { ParsedPage } from '../model/parsed-page.ts';
import type { PageMarket } from '../serp/market.ts';
import { readers } from '../serp/reader.ts';
import { type ReadObjects, readPage } from '../store/read-html.ts';
import type { SerpRow } from '../store/task-row.ts';

/** The content of a page, and what it says of its country and its language. */
export type MarketPage = ParsedPage & { market: PageMarket };

/**
 * Reads a stored page with the present reader of its engine. Throws if the page has expired. `objects`: what
 * was read for other pages of the task.
 */
export const parsePage = async (
  { engine, device, keyword }: Pick<SerpRow, 'engine' | 'device' | 'keyword'>,
  { html: key }: Pick<SerpRow['pages'][number], 'html'>,
  objects?: ReadObjects,
): Promise<MarketPage> => {
  const { html, find } = await readPage(key, objects);
  const page = readers[engine].open(html, find);
  return { ...page.read(device, keyword), market: page.market() };
};

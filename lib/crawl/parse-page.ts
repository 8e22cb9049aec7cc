/** Reads the stored pages of a task, with the targets of their hidden links. */
import type { ParsedPage } from '../model/parsed-page.ts';
import type { PageMarket } from '../serp/market.ts';
import { readers } from '../serp/reader.ts';
import type { StoredPage } from '../store/page-file.ts';
import { type ReadObjects, readPage } from '../store/read-html.ts';
import type { SerpRow } from '../store/task-row.ts';
import { readInTime } from './read-in-time.ts';

/** The content of a page, and what it says of its country and its language. */
export type MarketPage = ParsedPage & { market: PageMarket };

type Search = Pick<SerpRow, 'engine' | 'device' | 'keyword'>;

/**
 * A page that this step has stored under the key `html` of the row. `reading`: what it says, if no target of
 * its links is known.
 */
export type KnownPage = { key: string; stored: StoredPage; reading?: MarketPage | undefined };

type PageOfRow = Pick<SerpRow['pages'][number], 'page' | 'html'>;

/** Reads a page with the present reader of its engine. Undefined if that needs too much processor time. */
const parse = ({ engine, device, keyword }: Search, { html, find }: StoredPage): MarketPage | undefined =>
  readInTime(html, () => {
    const page = readers[engine].open(html, find);
    return { ...page.read(device, keyword), market: page.market() };
  });

/**
 * Reads a stored page. Undefined if that needs too much processor time.
 * @throws if the page has expired.
 */
export const parsePage = async (
  search: Search,
  page: Pick<PageOfRow, 'html'>,
): Promise<MarketPage | undefined> => parse(search, await readPage(page.html));

/**
 * Reads stored pages. `endless`: the number of the first page that needs too much processor time; those
 * behind it are not read, so that all together take no longer than the function may run. `known`: a page that
 * is not read from the bucket.
 * @throws if a page has expired.
 */
export const parsePages = async (
  search: Search,
  pages: readonly PageOfRow[],
  known?: KnownPage,
): Promise<{ parsed: Map<number, MarketPage>; endless?: number }> => {
  const objects: ReadObjects = new Map();
  const stored = await Promise.all(
    pages.map(async ({ page, html }) => {
      if (known?.key === html) return { ...known, page };
      return { page, stored: await readPage(html, objects), reading: undefined };
    }),
  );
  const parsed = new Map<number, MarketPage>();
  for (const { page, stored: each, reading } of stored) {
    const found = reading ?? parse(search, each);
    if (!found) return { parsed, endless: page };
    parsed.set(page, found);
  }
  return { parsed };
};

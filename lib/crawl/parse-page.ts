/** Reads one stored page of a task, with the targets of its hidden links. */
import type { ParsedPage } from '../model/result.ts';
import { readers } from '../serp/reader.ts';
import { readPage } from '../store/read-html.ts';
import type { SerpRow } from '../store/task-row.ts';

/** Reads a stored page with the present reader of its engine. Throws if the page has expired. */
export const parsePage = async (
  { engine, device, keyword }: Pick<SerpRow, 'engine' | 'device' | 'keyword'>,
  { html: key }: Pick<SerpRow['pages'][number], 'html'>,
): Promise<ParsedPage> => {
  const { html, find } = await readPage(key);
  return readers[engine].open(html, find).read(device, keyword);
};

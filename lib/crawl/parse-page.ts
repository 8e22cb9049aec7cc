/** Reads one stored page of a task, with the targets of its hidden links. */
import type { ParsedPage } from '../model/result.ts';
import { readers } from '../serp/reader.ts';
import { readLinks } from '../store/link-targets.ts';
import { readHtml } from '../store/read-html.ts';
import type { SerpRow } from '../store/task-row.ts';

/** Reads a stored page with the present reader of its engine. Throws if the page or its targets have expired. */
export const parsePage = async (
  { engine, device }: Pick<SerpRow, 'engine' | 'device'>,
  { html, links }: Pick<SerpRow['pages'][number], 'html' | 'links'>,
): Promise<ParsedPage> => {
  const [body, find] = await Promise.all([readHtml(html), links ? readLinks(html) : undefined]);
  return readers[engine].open(body, find).read(device);
};

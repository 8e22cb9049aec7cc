/** The request for a page with the token of the page before it. */
import type { Continuation } from '../model/search.ts';
import { continuationOf, hasContinuations } from '../serp/address.ts';
import { readers } from '../serp/reader.ts';
import { htmlKey } from '../store/html-key.ts';
import { findHtml } from '../store/read-html.ts';
import type { SerpRow } from '../store/task-row.ts';

/**
 * The request that a further page has besides its URL. The token is read from the page before it, as this run
 * has stored it, so a step that runs twice finds the same one. Undefined if that page is not stored or has no
 * token.
 */
export const continuationTo = async (row: SerpRow, page: number): Promise<Continuation | undefined> => {
  const { engine, html_folder, attempt } = row;
  if (page === 1 || !hasContinuations(engine)) return undefined;
  const before = await findHtml(htmlKey({ html_folder, attempt, page: page - 1 }));
  const next = before === undefined ? undefined : readers[engine].open(before).next?.();
  return next && continuationOf(row, next);
};

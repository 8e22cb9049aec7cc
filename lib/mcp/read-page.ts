/** A stored result page as text. */
import { readStoredPage } from '../crawl/read-html.ts';
import { isSandbox } from '../fetcher/choose.ts';
import type { Account } from '../model/user.ts';
import type { Answer } from './answer.ts';
import { originOfTask } from './origin.ts';
import { pageLines } from './page-text.ts';
import { showPage } from './show.ts';

/** The text of a page of the user's task. Throws as `readStoredPage`. */
export const readPageText = async (user: Account, id: number, page: number): Promise<Answer> => {
  const { html, row } = await readStoredPage(user, id, page);
  return showPage(id, page, pageLines(html), originOfTask(row, isSandbox(row.engine)));
};

/** The keys of stored pages in the bucket, below `html/`, and of copies of them. Pure. */
import type { PageKey } from '../model/workflow.ts';
import type { SerpRow } from './task-row.ts';

/** A run, and the folder of its task in the bucket. */
export type HtmlRun = Pick<PageKey, 'attempt'> & Pick<SerpRow, 'html_folder'>;

/**
 * The key of a page of one run. It is the same each time, so a step that runs twice overwrites only its own
 * page. It contains no user and no task, because all users whose tasks reuse the page can read the key
 * (Reading 14).
 */
export const htmlKey = ({ html_folder, attempt, page }: HtmlRun & Pick<PageKey, 'page'>): string =>
  `html/${html_folder}/${attempt}-${page}.html.gz`;

/** The key of a page that is stored in one object with the other pages of its call, and that names both. */
export const htmlKeyInFile = (
  { html_folder, attempt, page }: HtmlRun & Pick<PageKey, 'page'>,
  pages: readonly number[],
): string => `html/${html_folder}/${attempt}-${Math.min(...pages)}-${Math.max(...pages)}/${page}.html.gz`;

/** The key of a copy of a page in the folder of another run. */
export const keyInFolder = ({ html_folder, attempt }: HtmlRun, key: string): string =>
  key.replace(/^html\/[^/]+\/\d+-/, `html/${html_folder}/${attempt}-`);

/** The object that a page is stored in, and the number of the page if it has others beside it. */
export const placeOfHtml = (key: string): { object: string; page?: number } => {
  const [, file, page] = /^(html\/[^/]+\/\d+-\d+-\d+)\/(\d+)\.html\.gz$/.exec(key) ?? [];
  return file ? { object: `${file}.gz`, page: Number(page) } : { object: key };
};

/** The key of a copy of such a page alone, for links to it. */
export const openedKey = (key: string): string => key.replace(/^html\//, 'opened/');

/**
 * Stores the HTML of fetched pages: gzipped in S3 under `html/` for some days (`lib/model/page-days.ts`), and
 * never public. `read-html.ts` reads it.
 */
import { PutObjectCommand } from '@aws-sdk/client-s3';
import type { PageKey } from '../model/workflow.ts';
import { durably } from '../runtime/crash.ts';
import { resource } from '../runtime/env.ts';
import { s3 } from '../runtime/s3.ts';
import { packPage, type Targets } from './page-file.ts';
import type { SerpRow } from './task-row.ts';

const bucket = resource('BUCKET');

/** A page of one run, in the folder of its task. */
type HtmlPlace = Pick<PageKey, 'attempt' | 'page'> & Pick<SerpRow, 'html_folder'>;

/**
 * The key of a page of one run. It is the same each time, so a step that runs twice overwrites only its own
 * page. It contains no user and no task, because all users whose tasks reuse the page can read the key
 * (Reading 14).
 */
export const htmlKey = ({ html_folder, attempt, page }: HtmlPlace): string =>
  `html/${html_folder}/${attempt}-${page}.html.gz`;

/**
 * Stores a page as UTF-8, whatever its encoding was, with the targets of its hidden links. Returns its key.
 */
export const putHtml = async (page: HtmlPlace, html: string, targets?: Targets): Promise<string> => {
  const key = htmlKey(page);
  const put = new PutObjectCommand({
    Bucket: bucket,
    Key: key,
    Body: await packPage(html, targets),
    ContentType: 'text/html; charset=utf-8',
    ContentEncoding: 'gzip',
    // Untrusted HTML: it is a download, so that its scripts never run on the bucket's origin.
    ContentDisposition: 'attachment; filename="page.html"',
  });
  await durably('store-page', () => s3.send(put));
  return key;
};

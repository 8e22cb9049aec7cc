/**
 * Stores the HTML of fetched pages: gzipped in S3 under `html/` for some days (`lib/model/page-days.ts`), and
 * never public. `read-html.ts` reads it.
 */
import { CopyObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import type { PageKey } from '../model/workflow.ts';
import { durably } from '../runtime/crash.ts';
import { resource } from '../runtime/env.ts';
import { s3 } from '../runtime/s3.ts';
import { type HtmlRun, htmlKey, htmlKeyInFile, keyInFolder, placeOfHtml } from './html-key.ts';
import { joinPages, packPage, pageHeaders, type Targets } from './page-file.ts';

const bucket = resource('BUCKET');

/** A page of one run, in the folder of its task. */
type HtmlPlace = HtmlRun & Pick<PageKey, 'page'>;

/** Stores the file of a page, or of several. */
const putFile = async (key: string, file: Uint8Array): Promise<void> => {
  const put = new PutObjectCommand({ Bucket: bucket, Key: key, Body: file, ...pageHeaders });
  await durably('store-page', () => s3.send(put));
};

/**
 * Stores a page as UTF-8, whatever its encoding was, with the targets of its hidden links. Returns its key.
 */
export const putHtml = async (page: HtmlPlace, html: string, targets?: Targets): Promise<string> => {
  const key = htmlKey(page);
  await putFile(key, await packPage(html, targets));
  return key;
};

/** As `putHtml`, for a page that is stored by itself or later, with others. */
export type KeepHtml = typeof putHtml;

/**
 * Collects the pages of one call of a run, and then stores them as one object, because S3 bills each one.
 * `keep` returns the key of a page, which is stored only after `put`.
 */
export const newHtmlFile = (
  run: HtmlRun,
  pages: readonly number[],
): { keep: KeepHtml; put: () => Promise<void> } => {
  const files = new Map<number, Buffer>();
  const keyOf = (page: number) => htmlKeyInFile({ ...run, page }, pages);
  return {
    keep: async ({ page }, html, targets) => {
      files.set(page, await packPage(html, targets));
      return keyOf(page);
    },
    put: async () => {
      const [page] = files.keys();
      if (page !== undefined) await putFile(placeOfHtml(keyOf(page)).object, await joinPages(files));
    },
  };
};

/**
 * Copies the objects of pages to the folder of a run. Their time in the bucket begins anew. Returns the new
 * keys of the pages, by the present ones.
 */
export const copyToFolder = async (
  run: HtmlRun,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const copies = new Map(keys.map((key) => [key, keyInFolder(run, key)]));
  const objectOf = (key: string): string => placeOfHtml(key).object;
  const objects = new Map([...copies].map(([from, to]) => [objectOf(from), objectOf(to)]));
  await Promise.all(
    [...objects].map(([from, to]) => {
      const copy = new CopyObjectCommand({ Bucket: bucket, Key: to, CopySource: `${bucket}/${from}` });
      return durably('store-page', () => s3.send(copy));
    }),
  );
  return copies;
};

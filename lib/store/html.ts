/** The HTML of fetched pages: gzipped in S3 under `html/` for 35 days, and never public. */
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import {
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import type { PageKey } from '../model/workflow.ts';
import { durably } from '../runtime/crash.ts';
import { resource } from '../runtime/env.ts';
import { s3 } from '../runtime/s3.ts';
import type { SerpRow } from './task-row.ts';

const bucket = resource('BUCKET');

/** A page of one run, in the folder of its task. */
export type HtmlPlace = Pick<PageKey, 'attempt' | 'page'> & Pick<SerpRow, 'html_folder'>;

/**
 * The key of a page of one run. It is the same each time, so a step that runs twice overwrites only its own page. It contains no user and
 * no task, because all users whose tasks reuse the page can read the key (Reading 14).
 */
export const htmlKey = ({ html_folder, attempt, page }: HtmlPlace): string =>
  `html/${html_folder}/${attempt}-${page}.html.gz`;

/** Stores a page as UTF-8, whatever its encoding was. Returns its key. */
export const putHtml = async (page: HtmlPlace, html: string): Promise<string> => {
  const key = htmlKey(page);
  const put = new PutObjectCommand({
    Bucket: bucket,
    Key: key,
    Body: await promisify(gzip)(html),
    ContentType: 'text/html; charset=utf-8',
    ContentEncoding: 'gzip',
    // Untrusted HTML: it is a download, so that its scripts never run on the bucket's origin.
    ContentDisposition: 'attachment; filename="page.html"',
  });
  await durably('store-page', () => s3.send(put));
  return key;
};

export const readHtml = async (key: string): Promise<string> => {
  const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
  if (!Body) throw new Error(`The stored page ${key} is empty`);
  return (await promisify(gunzip)(await Body.transformToByteArray())).toString('utf8');
};

/** The value, or undefined if the object is missing. S3 answers 403 for a missing object if the role may not list the bucket. */
const unlessMissing = async <Value>(value: Promise<Value>): Promise<Value | undefined> => {
  try {
    return await value;
  } catch (error) {
    const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
    if (status === 404 || status === 403) return undefined;
    throw error;
  }
};

/** Whether the page still exists. */
export const hasHtml = async (key: string): Promise<boolean> =>
  (await unlessMissing(s3.send(new HeadObjectCommand({ Bucket: bucket, Key: key })))) !== undefined;

/** The HTML of the page, or undefined if it no longer exists. */
export const findHtml = (key: string): Promise<string | undefined> => unlessMissing(readHtml(key));

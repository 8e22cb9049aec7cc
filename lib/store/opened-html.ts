/**
 * Copies of pages that are stored in one object with others, for links to them: a link cannot name a part of
 * an object. In S3 under `opened/`, for a day.
 */
import { HeadObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { durably } from '../runtime/crash.ts';
import { resource } from '../runtime/env.ts';
import { s3 } from '../runtime/s3.ts';
import { openedKey, placeOfHtml } from './html-key.ts';
import { pageHeaders } from './page-file.ts';
import { findFile, hasHtml, unlessMissing } from './read-html.ts';

const bucket = resource('BUCKET');

/**
 * Copies a page, unless there is a copy. Returns the key of the copy; that of the missing object if the page
 * has expired or was deleted, also if a copy is still there.
 * @throws LaterReleaseError if only a later release can read the page.
 */
export const copyHtml = async (key: string): Promise<string> => {
  const copy = { Bucket: bucket, Key: openedKey(key) };
  const [isThere, copied] = await Promise.all([
    hasHtml(key),
    unlessMissing(s3.send(new HeadObjectCommand(copy))),
  ]);
  if (!isThere) return placeOfHtml(key).object;
  const file = copied ? undefined : await findFile(key);
  if (file) {
    const put = new PutObjectCommand({ ...copy, Body: file, ...pageHeaders });
    await durably('store-page', () => s3.send(put));
  }
  return copy.Key;
};

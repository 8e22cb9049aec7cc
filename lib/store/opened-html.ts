/**
 * Copies of pages that are stored in one object with others, for links to them: a link cannot name a part of
 * an object. In S3 under `opened/`, for a day.
 */
import { HeadObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { durably } from '../runtime/crash.ts';
import { resource } from '../runtime/env.ts';
import { s3 } from '../runtime/s3.ts';
import { openedKey } from './html-key.ts';
import { pageHeaders } from './page-file.ts';
import { findFile, unlessMissing } from './read-html.ts';

const bucket = resource('BUCKET');

/** Copies a page, unless there is a copy. Returns the key of the copy, also if the page has expired. */
export const copyHtml = async (key: string): Promise<string> => {
  const copy = { Bucket: bucket, Key: openedKey(key) };
  if (await unlessMissing(s3.send(new HeadObjectCommand(copy)))) return copy.Key;
  const file = await findFile(key);
  if (file) {
    const put = new PutObjectCommand({ ...copy, Body: file, ...pageHeaders });
    await durably('store-page', () => s3.send(put));
  }
  return copy.Key;
};

/** Reads the HTML of fetched pages, as `html.ts` stores it. */
import { GetObjectCommand, HeadObjectCommand, S3ServiceException } from '@aws-sdk/client-s3';
import { resource } from '../runtime/env.ts';
import { s3 } from '../runtime/s3.ts';
import { type StoredPage, unpackPage } from './page-file.ts';

const bucket = resource('BUCKET');

/** Reads a page with the targets of its hidden links. Throws if it does not exist. */
export const readPage = async (key: string): Promise<StoredPage> => {
  const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
  if (!Body) throw new Error(`The stored page ${key} is empty`);
  return unpackPage(await Body.transformToByteArray());
};

/**
 * The value, or undefined if the object is missing. S3 answers 403 for a missing object if the role may not
 * list the bucket.
 */
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
export const findHtml = async (key: string): Promise<string | undefined> =>
  (await unlessMissing(readPage(key)))?.html;

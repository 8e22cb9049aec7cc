/** Reads the HTML of fetched pages, as `html.ts` stores it. */
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { GetObjectCommand, HeadObjectCommand, S3ServiceException } from '@aws-sdk/client-s3';
import { resource } from '../runtime/env.ts';
import { s3 } from '../runtime/s3.ts';

const bucket = resource('BUCKET');

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

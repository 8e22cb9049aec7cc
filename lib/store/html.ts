/** The HTML of fetched pages, gzipped in S3 under `html/`, for 35 days; never public. */
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import type { PageKey } from '../model/step.ts';
import { s3 } from '../runtime/aws.ts';
import { resource } from '../runtime/env.ts';

const bucket = resource('BUCKET');

/** The key of a page of one run: the same each time, so a step that runs twice overwrites its own page only. */
export const htmlKey = ({ user_id, id, attempt, page }: PageKey): string =>
  `html/${user_id}/${id}/${attempt}-${page}.html.gz`;

/** Stores a page as UTF-8, whatever its encoding was; answers its key. */
export const putHtml = async (page: PageKey, html: string): Promise<string> => {
  const key = htmlKey(page);
  await s3.send(
    new PutObjectCommand({
      Bucket: bucket,
      Key: key,
      Body: await promisify(gzip)(html),
      ContentType: 'text/html; charset=utf-8',
      ContentEncoding: 'gzip',
      // A stranger's page: to be kept and looked at, never run on the bucket's own origin.
      ContentDisposition: 'attachment; filename="page.html"',
    }),
  );
  return key;
};

export const readHtml = async (key: string): Promise<string> => {
  const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
  if (!Body) throw new Error(`The stored page ${key} is empty`);
  return (await promisify(gunzip)(await Body.transformToByteArray())).toString('utf8');
};

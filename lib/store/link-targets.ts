/** Targets of a page's hidden links, as far as they were looked up: gzipped in S3 beside the page, and as long-lived as it is. */
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { s3 } from '../runtime/aws.ts';
import { durably } from '../runtime/crash.ts';
import { resource } from '../runtime/env.ts';

const bucket = resource('BUCKET');

type Links = Record<string, string>;

/** Stores what the links of the page under `html` lead to; answers the key, which is the same each time. */
export const putLinks = async (html: string, links: Links): Promise<string> => {
  const key = html.replace(/\.html\.gz$/, '.links.json.gz');
  const put = new PutObjectCommand({
    Bucket: bucket,
    Key: key,
    Body: await promisify(gzip)(JSON.stringify(links)),
    ContentType: 'application/json',
    ContentEncoding: 'gzip',
  });
  await durably('store-links', () => s3.send(put));
  return key;
};

export const readLinks = async (key: string): Promise<Links> => {
  const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
  if (!Body) throw new Error(`The stored links ${key} are empty`);
  return JSON.parse((await promisify(gunzip)(await Body.transformToByteArray())).toString('utf8'));
};

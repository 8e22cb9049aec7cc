/**
 * Targets of a page's hidden links, as far as they were looked up: gzipped, beside the snapshots and as long-lived as the page is. A
 * page's are about 1 KB, whose write to a table costs an eighth of one to S3.
 */
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { dynamo } from '../runtime/aws.ts';
import { clock } from '../runtime/clock.ts';
import { durably } from '../runtime/crash.ts';
import { resource } from '../runtime/env.ts';
import { lifetimeSeconds } from './snapshots.ts';

const table = resource('SNAPSHOTS_TABLE');

type Links = Record<string, string>;

/** No hash of a search is the key of a page, and no source is called so. */
const keyOf = (html: string) => ({ snapshot_hash: html, source: 'links' });

/** Stores what the links of the page under `html` lead to; answers the key to them, which is the page's. */
export const putLinks = async (html: string, links: Links): Promise<string> => {
  const targets = await promisify(gzip)(JSON.stringify(links));
  const put = new PutCommand({
    TableName: table,
    Item: { ...keyOf(html), targets, ttl: clock() + lifetimeSeconds },
  });
  await durably('store-links', () => dynamo.send(put));
  return html;
};

const readTargets = async (key: string, ConsistentRead: boolean): Promise<Uint8Array | undefined> => {
  const get = new GetCommand({ TableName: table, Key: keyOf(key), ConsistentRead });
  return (await dynamo.send(get)).Item?.targets;
};

export const readLinks = async (key: string): Promise<Links> => {
  const targets = await readTargets(key, true);
  if (!targets) throw new Error(`The stored links of ${key} are gone`);
  return JSON.parse((await promisify(gunzip)(targets)).toString('utf8'));
};

/** Whether they are still there. */
export const hasLinks = async (key: string): Promise<boolean> =>
  (await readTargets(key, false)) !== undefined;

/**
 * Targets of a page's hidden links, as far as they were looked up: gzipped, beside the snapshots and as long-lived as the page is. The
 * links, which nothing makes shorter, are kept as digests: so a page's targets are well below 1 KB, one unit of a table's writes.
 */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { dynamo } from '../runtime/aws.ts';
import { clock } from '../runtime/clock.ts';
import { durably } from '../runtime/crash.ts';
import { resource } from '../runtime/env.ts';
import { snapshotLifetimeSeconds } from './snapshots.ts';

const table = resource('SNAPSHOTS_TABLE');

type Links = Record<string, string>;

/** 48 bits: a page has a hundred links at most. */
const digestOf = (link: string): string => createHash('sha256').update(link).digest('base64url').slice(0, 8);

/** No hash of a search is the key of a page, and no source is called so. */
const keyOf = (html: string) => ({ snapshot_hash: html, source: 'links' });

/** Stores what the links of the page under `html` lead to. */
export const putLinks = async (html: string, links: Links): Promise<void> => {
  const digested = Object.entries(links).map(([link, target]) => [digestOf(link), target]);
  const targets = await promisify(gzip)(JSON.stringify(Object.fromEntries(digested)));
  const put = new PutCommand({
    TableName: table,
    Item: { ...keyOf(html), targets, ttl: clock() + snapshotLifetimeSeconds },
  });
  await durably('store-links', () => dynamo.send(put));
};

const readTargets = async (html: string, ConsistentRead: boolean): Promise<Uint8Array | undefined> => {
  const get = new GetCommand({ TableName: table, Key: keyOf(html), ConsistentRead });
  return (await dynamo.send(get)).Item?.targets;
};

/** Answers where each link leads, as far as that was found. */
export const readLinks = async (html: string): Promise<(link: string) => string | undefined> => {
  const stored = await readTargets(html, true);
  if (!stored) throw new Error(`The stored links of ${html} are gone`);
  const targets: Links = JSON.parse((await promisify(gunzip)(stored)).toString('utf8'));
  return (link) => targets[digestOf(link)];
};

/** Whether they are still there. */
export const hasLinks = async (html: string): Promise<boolean> =>
  (await readTargets(html, false)) !== undefined;

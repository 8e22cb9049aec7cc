/**
 * The known targets of a page's hidden links: gzipped, in the table of the snapshots, for as long as the page is stored. The links do not
 * compress, so they are stored as digests. The targets of a page are therefore well below 1 KB, which is one write unit.
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

/** 48 bits are enough: at most a hundred links of a page are looked up. */
const digestOf = (link: string): string => createHash('sha256').update(link).digest('base64url').slice(0, 8);

/** Cannot collide with a snapshot: no search hash is the key of a page, and no source is named `links`. */
const keyOf = (html: string) => ({ snapshot_hash: html, source: 'links' });

/** Stores the targets of the links of the page with the key `html`. */
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

/** Returns a function that gives the target of a link, or undefined if it is unknown. Throws if the targets have expired. */
export const readLinks = async (html: string): Promise<(link: string) => string | undefined> => {
  const stored = await readTargets(html, true);
  if (!stored) throw new Error(`The stored link targets of ${html} do not exist`);
  const targets: Links = JSON.parse((await promisify(gunzip)(stored)).toString('utf8'));
  return (link) => targets[digestOf(link)];
};

/** Whether the link targets of a page are still stored. */
export const hasLinks = async (html: string): Promise<boolean> =>
  (await readTargets(html, false)) !== undefined;

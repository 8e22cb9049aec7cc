/** Reads the HTML of fetched pages, as `html.ts` stores it. */
import {
  GetObjectCommand,
  type GetObjectCommandOutput,
  HeadObjectCommand,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { resource } from '../runtime/env.ts';
import { LaterReleaseError } from '../runtime/later-release.ts';
import { s3 } from '../runtime/s3.ts';
import { placeOfHtml } from './html-key.ts';
import { pageIn, type StoredPage, unpackPage } from './page-file.ts';
import { requireReadable } from './version.ts';

const bucket = resource('BUCKET');

/** @throws LaterReleaseError if only a later release can read the object. */
const requireReadablePage = (key: string, { Metadata }: Pick<GetObjectCommandOutput, 'Metadata'>): void =>
  requireReadable('stored page', Number(Metadata?.version ?? 1), { id: key });

const readObject = async (key: string): Promise<Uint8Array> => {
  const { Body, ...head } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
  requireReadablePage(key, head);
  if (!Body) throw new Error(`The stored page ${key} is empty`);
  return Body.transformToByteArray();
};

/** The objects that were asked for, by key, so that an object with several pages is read once. */
export type ReadObjects = Map<string, Promise<Uint8Array>>;

/** The file of a page, alone. Throws if the page does not exist, or if only a later release can read it. */
const readFile = async (key: string, objects: ReadObjects): Promise<Uint8Array> => {
  const { object, page } = placeOfHtml(key);
  const reading = objects.get(object) ?? readObject(object);
  objects.set(object, reading);
  const bytes = await reading;
  const file = page === undefined ? bytes : pageIn(bytes, page);
  if (!file) throw new Error(`The stored page ${key} is not in its object`);
  return file;
};

/**
 * Reads a page with the targets of its hidden links. Throws if it does not exist, or if only a later release
 * can read it. `objects`: what was read for other pages of the same task.
 */
export const readPage = async (key: string, objects: ReadObjects = new Map()): Promise<StoredPage> =>
  unpackPage(await readFile(key, objects));

/**
 * The value, or undefined if the object is missing. S3 answers 403 for a missing object if the role may not
 * list the bucket.
 */
export const unlessMissing = async <Value>(value: Promise<Value>): Promise<Value | undefined> => {
  try {
    return await value;
  } catch (error) {
    const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
    if (status === 404 || status === 403) return undefined;
    throw error;
  }
};

/**
 * Whether a page still exists.
 * @throws LaterReleaseError if only a later release can read it.
 */
export const hasHtml = async (key: string): Promise<boolean> => {
  const { object } = placeOfHtml(key);
  const head = await unlessMissing(s3.send(new HeadObjectCommand({ Bucket: bucket, Key: object })));
  if (head) requireReadablePage(object, head);
  return head !== undefined;
};

/** Whether all of these pages still exist, and this release can read them. */
export const hasAllHtml = async (keys: readonly string[]): Promise<boolean> => {
  const keyOf = new Map(keys.map((key) => [placeOfHtml(key).object, key]));
  try {
    return (await Promise.all([...keyOf.values()].map(hasHtml))).every(Boolean);
  } catch (error) {
    if (error instanceof LaterReleaseError) return false;
    throw error;
  }
};

/** The HTML of the page, or undefined if it no longer exists. */
export const findHtml = async (key: string): Promise<string | undefined> =>
  (await unlessMissing(readPage(key)))?.html;

/** The file of a page, alone, or undefined if it no longer exists. */
export const findFile = (key: string): Promise<Uint8Array | undefined> =>
  unlessMissing(readFile(key, new Map()));

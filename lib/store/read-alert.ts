/** Reads the stored alert of a project and day, from S3. */
import { GetObjectCommand, NoSuchKey } from '@aws-sdk/client-s3';
import type { StoredAlert } from '../model/alert.ts';
import { resource } from '../runtime/env.ts';
import { s3 } from '../runtime/s3.ts';
import { upgrading } from './version.ts';

const toPresent = upgrading('stored alert', []);

const bucket = resource('BUCKET');

/** Returns the stored alert; undefined if there is none, or if it has expired after 35 days. */
export const readAlert = async (key: string): Promise<StoredAlert | undefined> => {
  try {
    const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
    return toPresent(JSON.parse((await Body?.transformToString()) ?? '')) as StoredAlert;
  } catch (error) {
    if (error instanceof NoSuchKey) return undefined;
    throw error;
  }
};

/** The stored alert of a project and day: its webhook's payload, and the positions that the next alert compares with. In S3, for 35 days. */
import { GetObjectCommand, NoSuchKey, PutObjectCommand } from '@aws-sdk/client-s3';
import type { AlertPayload } from '../model/alert.ts';
import { durably } from '../runtime/crash.ts';
import { resource } from '../runtime/env.ts';
import { s3 } from '../runtime/s3.ts';

const bucket = resource('BUCKET');

/** By the id of a keyword: the position and the citation to compare with. */
type Baseline = Record<string, [position: number, cited: boolean | null]>;

/** `payload`: null if nothing has changed. */
export type StoredAlert = { version: 1; payload: AlertPayload | null; baseline: Baseline };

/** `day`: `YYYY-MM-DD`. */
export const alertObjectKey = (userId: number, projectId: number, day: string): string =>
  `alerts/${userId}/${projectId}/${day}.json`;

/** Returns the stored alert; undefined if there is none, or if it has expired. */
export const readAlert = async (key: string): Promise<StoredAlert | undefined> => {
  try {
    const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
    return JSON.parse((await Body?.transformToString()) ?? '');
  } catch (error) {
    if (error instanceof NoSuchKey) return undefined;
    throw error;
  }
};

/** Stores an alert. It is stored before its webhook is created, so that a repeated run sends the same one. */
export const putAlert = async (key: string, alert: StoredAlert): Promise<void> => {
  await durably('store-alert', () =>
    s3.send(
      new PutObjectCommand({
        Bucket: bucket,
        Key: key,
        Body: JSON.stringify(alert),
        ContentType: 'application/json',
      }),
    ),
  );
};

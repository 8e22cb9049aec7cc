/** Stores the alert of a project and day in S3, for 35 days. */
import { PutObjectCommand } from '@aws-sdk/client-s3';
import type { StoredAlert } from '../model/alert.ts';
import { durably } from '../runtime/crash.ts';
import { resource } from '../runtime/env.ts';
import { s3 } from '../runtime/s3.ts';

const bucket = resource('BUCKET');

/** `day`: `YYYY-MM-DD`. */
export const alertObjectKey = (userId: number, projectId: number, day: string): string =>
  `alerts/${userId}/${projectId}/${day}.json`;

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

/** Deletes the stored copies of parked deliveries. */
import { DeleteObjectCommand } from '@aws-sdk/client-s3';
import { resource } from '../runtime/env.ts';
import { s3 } from '../runtime/s3.ts';

const bucket = resource('BUCKET');

/** The key of the copy of a parked delivery. */
export const parkedObjectKey = ({
  user_id,
  id,
  delivery,
}: {
  user_id: number;
  id: number;
  delivery: string;
}): string => `deliveries/${user_id}/${id}/${delivery}.json`;

/** Deletes the copy. A repeated call changes nothing. */
export const dropParked = async (key: Parameters<typeof parkedObjectKey>[0]): Promise<void> => {
  await s3.send(new DeleteObjectCommand({ Bucket: bucket, Key: parkedObjectKey(key) }));
};

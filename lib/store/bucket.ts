/** The bucket as a whole. */
import { HeadBucketCommand } from '@aws-sdk/client-s3';
import { resource } from '../runtime/env.ts';
import { s3 } from '../runtime/s3.ts';

/** @throws if the bucket does not answer, or does not exist. */
export const checkBucket = async (): Promise<void> => {
  await s3.send(new HeadBucketCommand({ Bucket: resource('BUCKET') }));
};

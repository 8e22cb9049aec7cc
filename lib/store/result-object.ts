/** Reads a result that was too large for its task's row, from S3. */
import { GetObjectCommand } from '@aws-sdk/client-s3';
import { resource } from '../runtime/env.ts';
import { s3 } from '../runtime/s3.ts';

const bucket = resource('BUCKET');

export const readObject = async (key: string): Promise<Uint8Array> => {
  const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
  if (!Body) throw new Error(`The stored result ${key} is empty`);
  return Body.transformToByteArray();
};

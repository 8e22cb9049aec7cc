/** The stores of a task, empty: tables, a bucket on loopback, and a queue that accepts everything. */
import { CreateBucketCommand, DeleteObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { startFauxqs } from 'fauxqs';
import { startTables } from '../../tables.ts';

/**
 * Starts the stores and sets their addresses in the environment. Import the code under test after this.
 * `start`: starts the tables, in this process by default.
 */
export const startStores = async (start = startTables) => {
  const tables = await start();
  const fauxqs = await startFauxqs({ port: 0, logger: false });
  process.env.AWS_ENDPOINT_URL_S3 = `http://127.0.0.1:${fauxqs.port}`;
  const Bucket = process.env.BUCKET;
  const s3 = new S3Client({});
  await s3.send(new CreateBucketCommand({ Bucket }));
  return {
    queue: tables.queue,
    deleteObject: (Key: string) => s3.send(new DeleteObjectCommand({ Bucket, Key })),
    listObjects: async (Prefix: string): Promise<string[]> => {
      const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket, Prefix }));
      return Contents.map(({ Key }) => Key ?? '');
    },
    stop: () => Promise.all([tables.stop(), fauxqs.stop()]),
  };
};

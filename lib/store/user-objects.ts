/** The objects of the bucket whose keys name a user. Stored pages name none: other users may share them. */
import { DeleteObjectsCommand, paginateListObjectsV2 } from '@aws-sdk/client-s3';
import { durably } from '../runtime/crash.ts';
import { resource } from '../runtime/env.ts';
import { s3 } from '../runtime/s3.ts';

const bucket = resource('BUCKET');

/** Large results and files of batches, parked webhooks, alerts. */
const folders = ['results', 'deliveries', 'alerts'] as const;

export type UserObjects = { folder: (typeof folders)[number]; keys: string[] };

/** The keys of a user's objects, page by page. */
export async function* listUserObjects(userId: number): AsyncGenerator<UserObjects> {
  for (const folder of folders) {
    const pages = paginateListObjectsV2({ client: s3 }, { Bucket: bucket, Prefix: `${folder}/${userId}/` });
    for await (const { Contents = [] } of pages) {
      yield { folder, keys: Contents.flatMap(({ Key }) => Key ?? []) };
    }
  }
}

/**
 * Deletes at most 1,000 objects, the maximum of S3. A repeated call changes nothing.
 * @throws if S3 has not deleted one of them.
 */
export const deleteObjects = async (keys: readonly string[]): Promise<void> => {
  if (keys.length === 0) return;
  const remove = new DeleteObjectsCommand({
    Bucket: bucket,
    Delete: { Objects: keys.map((Key) => ({ Key })), Quiet: true },
  });
  const { Errors = [] } = await durably('erase-user', () => s3.send(remove));
  const [first] = Errors;
  if (first) throw new Error(`S3 has not deleted ${first.Key}: ${first.Message}`);
};

/** The results of a batch as one file, in S3 under `results/`, and short-lived links to it. */
import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { resultsLinkSeconds } from '../model/request-limits.ts';
import type { TaskKey } from '../model/workflow.ts';
import { durably } from '../runtime/crash.ts';
import { resource } from '../runtime/env.ts';
import { s3 } from '../runtime/s3.ts';

const bucket = resource('BUCKET');

type ResultsFile = { format: 'jsonl' | 'csv'; body: Uint8Array; isGzipped: boolean };

const contentTypes = { jsonl: 'application/jsonl', csv: 'text/csv' };

/**
 * Stores the file and returns a signed URL that downloads it. A repeated call overwrites the file of the same
 * form.
 */
export const putBatchResults = async (
  { user_id, id }: TaskKey,
  { format, body, isGzipped }: ResultsFile,
): Promise<string> => {
  const Key = `results/${user_id}/batch-${id}.${format}${isGzipped ? '.gz' : ''}`;
  const put = new PutObjectCommand({
    Bucket: bucket,
    Key,
    Body: body,
    ContentType: `${contentTypes[format]}; charset=utf-8`,
    ContentDisposition: `attachment; filename="batch-${id}.${format}"`,
    ...(isGzipped && { ContentEncoding: 'gzip' }),
  });
  await durably('store-batch-results', () => s3.send(put));
  return getSignedUrl(s3, new GetObjectCommand({ Bucket: bucket, Key }), { expiresIn: resultsLinkSeconds });
};

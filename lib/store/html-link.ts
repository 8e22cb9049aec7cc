/** Short-lived URLs of stored pages, for clients without access to the bucket. */
import { GetObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { resource } from '../runtime/env.ts';
import { s3 } from '../runtime/s3.ts';
import { placeOfHtml } from './html-key.ts';
import { copyHtml } from './opened-html.ts';

const bucket = resource('BUCKET');
const lifetimeSeconds = 60;

/**
 * Returns a signed URL that downloads a stored page and is valid for a minute. The page is never displayed:
 * it is untrusted HTML, and its scripts must not run on the bucket's origin, which all objects share.
 */
export const signHtmlUrl = async (key: string): Promise<string> =>
  getSignedUrl(
    s3,
    new GetObjectCommand({
      Bucket: bucket,
      Key: placeOfHtml(key).page === undefined ? key : await copyHtml(key),
      ResponseContentType: 'text/html; charset=utf-8',
      ResponseContentDisposition: 'attachment; filename="page.html"',
    }),
    { expiresIn: lifetimeSeconds },
  );

/** Short-lived addresses of stored pages, for those who have no rights in the bucket. */
import { GetObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { resource } from '../runtime/env.ts';
import { s3 } from '../runtime/s3.ts';

const bucket = resource('BUCKET');
const lifetimeSeconds = 60;

/**
 * An address that downloads a stored page for a minute. As a download, never shown in place: the page is a stranger's
 * HTML, and its scripts must not run on the origin that the bucket shares with everything else in it.
 */
export const signHtmlUrl = (key: string): Promise<string> =>
  getSignedUrl(
    s3,
    new GetObjectCommand({
      Bucket: bucket,
      Key: key,
      ResponseContentType: 'text/html; charset=utf-8',
      ResponseContentDisposition: 'attachment; filename="page.html"',
    }),
    { expiresIn: lifetimeSeconds },
  );

/** Opens a stored page by the link that a webhook contained (Reading 33). */
import { verifyPageToken } from '../access/page-link.ts';
import { HttpError } from '../model/http-error.ts';
import { readAccount } from '../store/users.ts';

/**
 * Returns a URL that downloads the page. It is valid for a minute.
 * @throws HttpError 404 if the token is forged, malformed or expired, or if its user is disabled.
 */
export const openPage = async (token: string): Promise<string> => {
  const html = await verifyPageToken(token, readAccount);
  if (html === null) throw new HttpError(404, 'Page not found');
  // Imported on demand: few requests of the area need S3, but its client would slow down the cold start of
  // all of them.
  const { signHtmlUrl } = await import('../store/html-link.ts');
  return signHtmlUrl(html);
};

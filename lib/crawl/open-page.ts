/** Opens a stored page by the link that a webhook carried (Reading 33). */
import { verifyPageToken } from '../access/page-link.ts';
import { HttpError } from '../model/http-error.ts';
import { readAccount } from '../store/users.ts';

/**
 * Where the page can be downloaded for a minute.
 * @throws HttpError 404 where the token is forged, malformed or expired, or its user disabled.
 */
export const openPage = async (token: string): Promise<string> => {
  const html = await verifyPageToken(token, readAccount);
  if (html === null) throw new HttpError(404, 'Page not found');
  // Loaded late: few requests of the area need S3, and all of them would wait for it at a cold start.
  const { signHtmlUrl } = await import('../store/html-link.ts');
  return signHtmlUrl(html);
};

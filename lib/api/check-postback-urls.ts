/** Checks the webhook URLs in a body, together with the rest of the body (Reading 36). */
import type { ValidationError } from '../model/http-error.ts';
import { maxBatchTasks } from '../model/request-limits.ts';
import { checkAddress } from '../net/guard.ts';
import { inParallel } from '../runtime/in-parallel.ts';

const maxConcurrentLookups = 100;

type Found = { loc: ValidationError['loc']; url: string };

const findUrl = (value: unknown, loc: ValidationError['loc']): Found[] => {
  const url =
    typeof value === 'object' && value !== null && 'postback_url' in value ? value.postback_url : undefined;
  return typeof url === 'string' && url.isWellFormed() ? [{ loc: [...loc, 'postback_url'], url }] : [];
};

const findUrls = (body: unknown): Found[] => {
  if (!Array.isArray(body)) return findUrl(body, ['body']);
  // A list that is too long is rejected without looking at its items.
  return body.length > maxBatchTasks ? [] : body.flatMap((item, n) => findUrl(item, ['body', n]));
};

type UrlError = Pick<ValidationError, 'type' | 'msg'>;

const checkUrl = async (url: string): Promise<UrlError | null> => {
  const scheme = URL.parse(url)?.protocol;
  if (!scheme) return { type: 'url_parsing', msg: 'Input should be a valid URL' };
  if (scheme !== 'https:' && scheme !== 'http:') return notHttps;
  const reason = await checkAddress(url);
  if (reason === null) return null;
  return scheme === 'http:' ? notHttps : { type: 'value_error', msg: `Value error, ${reason}` };
};

const notHttps: UrlError = { type: 'url_scheme', msg: "URL scheme should be 'https'" };

/** The errors of all webhook URLs in the body, even if other parts of the body are invalid. Looks up each URL once. */
export const checkPostbackUrls = async (body: unknown): Promise<ValidationError[]> => {
  const found = findUrls(body);
  const errorsByUrl = new Map<string, UrlError | null>();
  await inParallel(new Set(found.map(({ url }) => url)), maxConcurrentLookups, async (url) => {
    errorsByUrl.set(url, await checkUrl(url));
  });
  return found.flatMap(({ loc, url }) => {
    const error = errorsByUrl.get(url);
    return error ? [{ loc, ...error }] : [];
  });
};

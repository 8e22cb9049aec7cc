/** Checks the webhook URLs of a request, together with the rest of the request (Reading 36). */
import type { ValidationError } from '../model/http-error.ts';
import { maxBatchTasks } from '../model/request-limits.ts';
import { checkAddress } from '../net/guard.ts';
import { type Resolve, resolveEachOnce, resolveName } from '../net/resolve-name.ts';
import { inParallel } from '../runtime/in-parallel.ts';

/** The time for all name look-ups of a request. The gateway waits for 29 s at most. */
const lookupBudgetMs = 2000;

const maxConcurrentLookups = 100;

/** A webhook URL, and where it is in the request. */
export type Found = { loc: ValidationError['loc']; url: string };

const findUrl = (value: unknown, loc: ValidationError['loc']): Found[] => {
  if (typeof value !== 'object' || value === null || !('postback_url' in value)) return [];
  const { postback_url: url } = value;
  // Empty is none, as null is.
  const isGiven = typeof url === 'string' && url !== '' && url.isWellFormed();
  return isGiven ? [{ loc: [...loc, 'postback_url'], url }] : [];
};

/** The webhook URL in the rule of alerts of a project, even if other parts of the body are invalid. */
export const findAlertUrls = (body: unknown): Found[] =>
  typeof body === 'object' && body !== null && 'alerts' in body
    ? findUrl(body.alerts, ['body', 'alerts'])
    : [];

/** The webhook URLs in a body, even if other parts of it are invalid. */
export const findUrls = (body: unknown): Found[] => {
  if (!Array.isArray(body)) return findUrl(body, ['body']);
  // A list that is too long is rejected without looking at its items.
  return body.length > maxBatchTasks ? [] : body.flatMap((item, n) => findUrl(item, ['body', n]));
};

type UrlError = Pick<ValidationError, 'type' | 'msg'>;

const checkUrl = async (url: string, resolve: Resolve): Promise<UrlError | null> => {
  const scheme = URL.parse(url)?.protocol;
  if (!scheme) return { type: 'url_parsing', msg: 'Input should be a valid URL' };
  if (scheme !== 'https:' && scheme !== 'http:') return notHttps;
  const reason = await checkAddress(url, { resolve });
  if (reason === null) return null;
  return scheme === 'http:' ? notHttps : { type: 'value_error', msg: `Value error, ${reason}` };
};

const notHttps: UrlError = { type: 'url_scheme', msg: "URL scheme should be 'https'" };

/**
 * The errors of webhook URLs. Looks up each host name once. A name that has not resolved when the signal
 * aborts is accepted, like one that does not resolve. This is safe, because the address is checked again, and
 * pinned, at each connection of a delivery (`lib/net/connector.ts`).
 */
export const checkUrls = async (
  found: readonly Found[],
  {
    signal = AbortSignal.timeout(lookupBudgetMs),
    resolve = resolveName,
  }: { signal?: AbortSignal; resolve?: Resolve } = {},
): Promise<ValidationError[]> => {
  const urlsByHost = Map.groupBy(new Set(found.map(({ url }) => url)), (url) => URL.parse(url)?.hostname);
  const resolveOnce = resolveEachOnce(signal, resolve);
  const errorsByUrl = new Map<string, UrlError | null>();
  // In parallel by host, so that many URLs of one slow host do not delay the look-ups of the others.
  await inParallel(urlsByHost.values(), maxConcurrentLookups, async (urls) => {
    await Promise.all(urls.map(async (url) => errorsByUrl.set(url, await checkUrl(url, resolveOnce))));
  });
  return found.flatMap(({ loc, url }) => {
    const error = errorsByUrl.get(url);
    return error ? [{ loc, ...error }] : [];
  });
};

/** The addresses of webhooks in a body, checked with the rest of it (Reading 36). */
import type { Fault } from '../model/http-error.ts';
import { maxBatchTasks } from '../model/request-limits.ts';
import { checkAddress } from '../net/guard.ts';
import { inParallel } from '../runtime/in-parallel.ts';

const lookupsAtOnce = 100;

type Found = { loc: Fault['loc']; url: string };

const findUrl = (value: unknown, loc: Fault['loc']): Found[] => {
  const url =
    typeof value === 'object' && value !== null && 'postback_url' in value ? value.postback_url : undefined;
  return typeof url === 'string' && url.isWellFormed() ? [{ loc: [...loc, 'postback_url'], url }] : [];
};

const findUrls = (body: unknown): Found[] => {
  if (!Array.isArray(body)) return findUrl(body, ['body']);
  // A list that is too long is refused for that alone.
  return body.length > maxBatchTasks ? [] : body.flatMap((item, n) => findUrl(item, ['body', n]));
};

type Refusal = Pick<Fault, 'type' | 'msg'>;

const judge = async (url: string): Promise<Refusal | null> => {
  const scheme = URL.parse(url)?.protocol;
  if (!scheme) return { type: 'url_parsing', msg: 'Input should be a valid URL' };
  if (scheme !== 'https:' && scheme !== 'http:') return notHttps;
  const reason = await checkAddress(url);
  if (reason === null) return null;
  return scheme === 'http:' ? notHttps : { type: 'value_error', msg: `Value error, ${reason}` };
};

const notHttps: Refusal = { type: 'url_scheme', msg: "URL scheme should be 'https'" };

/** The faults of every webhook address that can be read, whatever else is wrong with the body. Each is looked up once. */
export const postbackFaults = async (body: unknown): Promise<Fault[]> => {
  const found = findUrls(body);
  const refusals = new Map<string, Refusal | null>();
  await inParallel(new Set(found.map(({ url }) => url)), lookupsAtOnce, async (url) => {
    refusals.set(url, await judge(url));
  });
  return found.flatMap(({ loc, url }) => {
    const refusal = refusals.get(url);
    return refusal ? [{ loc, ...refusal }] : [];
  });
};

/** The addresses of webhooks in a body, checked with the rest of it (Reading 36). */
import type { Fault } from '../model/http-error.ts';
import { checkAddress } from '../net/guard.ts';

const maxBatch = 1000;
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
  return body.length > maxBatch ? [] : body.flatMap((item, n) => findUrl(item, ['body', n]));
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
  const waiting = [...new Set(found.map(({ url }) => url))];
  const refusals = new Map<string, Refusal | null>();
  const worker = async () => {
    for (let url = waiting.pop(); url !== undefined; url = waiting.pop()) {
      refusals.set(url, await judge(url));
    }
  };
  await Promise.all(Array.from({ length: Math.min(lookupsAtOnce, waiting.length) }, worker));
  return found.flatMap(({ loc, url }) => {
    const refusal = refusals.get(url);
    return refusal ? [{ loc, ...refusal }] : [];
  });
};

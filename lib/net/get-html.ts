/**
 * Fetches a page over HTTP, redirects included, within one deadline. A page is returned complete or not at
 * all: truncated connections, broken compression and pages over the size limit are failures.
 */
import type { Dispatcher } from 'undici';
import { decodeText } from './charset.ts';
import { type CookieJar, cookieJar } from './cookie-jar.ts';
import { abortAfter, untilAborted } from './deadline.ts';
import { NetworkError, networkError } from './network-error.ts';
import { flatten, readAnswer } from './read-answer.ts';
import { refusePart } from './refuse-part.ts';
import { addressIn, headerValues, isRedirect, openWayOut, type WayOut } from './way-out.ts';

export type PageRequest = WayOut & {
  url: string;
  headers: Record<string, string>;
  /** From connecting to the last byte, redirects included. */
  deadlineMs: number;
  /** A body in JSON: the request is a POST. A request after a redirect is a GET without it. */
  body?: string | undefined;
  /** The cookies of earlier requests to the site. It also keeps those of this one. */
  jar?: CookieJar | undefined;
  /** Size limit of the page, both compressed and decompressed. */
  maxBytes?: number;
};

/** `reason` is a stable word (`unreachable`, `timeout`), a colon and a sentence. */
type FetchedHtml =
  | { ok: true; status: number; url: string; headers: Record<string, string>; body: string; bytes: number }
  | { ok: false; reason: string };

/** The reason of a page that is late. The sandbox gives the same one. */
export const timeoutReason = 'timeout: the page did not arrive in time';

const maxRedirects = 5;
const defaultMaxBytes = 5 * 1024 * 1024;

const targetOf = (url: URL, answer: Dispatcher.ResponseData): URL | undefined => {
  const [location] = headerValues(answer.headers.location);
  if (!isRedirect(answer.statusCode) || location === undefined) return undefined;
  const target = addressIn(location, url);
  if (!target) throw new NetworkError('the page redirects to something that is not a URL');
  return target;
};

type Hop = { url: URL; dispatcher: Dispatcher; jar: CookieJar; signal: AbortSignal };

const send = async (
  { url, dispatcher, jar, signal }: Hop,
  { headers, body }: Pick<PageRequest, 'headers' | 'body'>,
) => {
  const cookie = jar.headerFor(url);
  const answer = await dispatcher.request({
    origin: url.origin,
    path: url.pathname + url.search,
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...headers,
      ...(cookie && { cookie }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body }),
    signal,
  });
  jar.keep(url, headerValues(answer.headers['set-cookie']));
  return answer;
};

const followRedirects = async (
  request: PageRequest,
  dispatcherFor: (url: URL) => Dispatcher,
  signal: AbortSignal,
) => {
  const { jar = cookieJar() } = request;
  let url = new URL(request.url);
  for (let hops = 0; hops <= maxRedirects; hops++) {
    const hop = { url, dispatcher: dispatcherFor(url), jar, signal };
    const answer = await send(hop, hops === 0 ? request : { headers: request.headers });
    const target = targetOf(url, answer);
    if (!target) return { url, answer };
    await answer.body.dump({ limit: 64 * 1024, signal });
    url = target;
  }
  throw new NetworkError('the page redirects without end');
};

const readPage = async (
  request: PageRequest,
  dispatcherFor: (url: URL) => Dispatcher,
  signal: AbortSignal,
): Promise<FetchedHtml> => {
  const { maxBytes = defaultMaxBytes } = request;
  const { url, answer } = await followRedirects(request, dispatcherFor, signal);
  const headers = flatten(answer.headers);
  refusePart(answer.statusCode, headers);
  const bytes = await readAnswer(answer, maxBytes);
  const body = decodeText(bytes, headers['content-type'] ?? '');
  return { ok: true, status: answer.statusCode, url: url.href, headers, body, bytes: bytes.length };
};

/** Fetches a page. Returns network failures. Throws only if the request itself is invalid. */
export const getHtml = async (request: PageRequest): Promise<FetchedHtml> => {
  const { dispatcherFor, close } = openWayOut(request);
  const { signal, end } = abortAfter(request.deadlineMs);
  try {
    return await untilAborted(signal, readPage(request, dispatcherFor, signal));
  } catch (error) {
    if (signal.aborted) return { ok: false, reason: timeoutReason };
    return { ok: false, reason: networkError(error) };
  } finally {
    end();
    await close();
  }
};

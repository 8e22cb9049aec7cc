/**
 * A page over plain HTTP, redirects and all, within one deadline. A page is whole or it is no page: cut connections, broken
 * compression and pages beyond the cap are failures.
 */
import { Agent, type Dispatcher, ProxyAgent } from 'undici';
import { decodeText } from './charset.ts';
import { unpackBody } from './content-coding.ts';
import { type CookieJar, cookieJar } from './cookie-jar.ts';
import { untilAborted } from './deadline.ts';
import { guardedConnector, openConnector } from './dial.ts';
import { admitHost, pagePolicy } from './guard.ts';
import { WireFault, wireFault } from './wire-fault.ts';

export type PageRequest = {
  url: string;
  headers: Record<string, string>;
  /** From dialling to the last byte, redirects included. */
  deadlineMs: number;
  /** An origin set by the operator: its host and port, exactly, may lie anywhere. */
  exempt?: string;
  /** The operator's proxy, with credentials if need be. */
  proxyUrl?: string;
  /** The most that a page may have, packed or unpacked. */
  maxBytes?: number;
};

/** `reason` is a stable word (`unreachable`, `timeout`), a colon and a sentence. */
export type FetchedHtml =
  | { ok: true; status: number; url: string; headers: Record<string, string>; body: string; bytes: number }
  | { ok: false; reason: string };

const maxRedirects = 5;
const capBytes = 5 * 1024 * 1024;

// The deadline of each fetch bounds its parts as well.
const connections = { allowH2: false, headersTimeout: 0, bodyTimeout: 0, maxHeaderSize: 64 * 1024 };
const dialling = { connectTimeoutMs: 10_000 };

const guarded = new Agent({ ...connections, connect: guardedConnector(pagePolicy, dialling) });
const open = new Agent({ ...connections, connect: openConnector(dialling) });

/**
 * A proxy of the one fetch: sessions are told apart by its address, and a new connection is a new exit. Always tunnels, so
 * that its credentials and the page's headers never share a request.
 */
const proxied = (uri: string): Dispatcher => {
  // The parser's own error would carry the credentials along.
  if (!/^https?:$/.test(URL.parse(uri)?.protocol ?? '')) throw new Error('PROXY_URL is no http(s) URL');
  return new ProxyAgent({
    ...connections,
    uri,
    proxyTunnel: true,
    connectTimeout: dialling.connectTimeoutMs,
    proxyTls: { allowH2: false },
  });
};

const hostAndPort = ({ protocol, hostname, port }: URL): string =>
  `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;

const isExempt = (url: URL, exempt: string | undefined): boolean =>
  exempt !== undefined && hostAndPort(url) === hostAndPort(new URL(exempt));

/** Where a hop is sent. What a proxy resolves, it resolves in its own network; literal addresses are ours to refuse. */
const routeOf = (url: URL, { exempt }: PageRequest, proxy: Dispatcher | undefined): Dispatcher => {
  if (isExempt(url, exempt)) return proxy ?? open;
  admitHost(pagePolicy, url.protocol, url.hostname);
  return proxy ?? guarded;
};

const listOf = (header: string | string[] | undefined): string[] =>
  header === undefined ? [] : Array.isArray(header) ? header : [header];

const flatten = (headers: Dispatcher.ResponseData['headers']): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, listOf(value).join(', ')]));

const readBody = async (body: Dispatcher.ResponseData['body'], maxBytes: number): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new WireFault('the page is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

const isRedirect = (status: number): boolean => [301, 302, 303, 307, 308].includes(status);

const targetOf = (url: URL, answer: Dispatcher.ResponseData): URL | undefined => {
  const [location] = listOf(answer.headers.location);
  if (!isRedirect(answer.statusCode) || location === undefined) return undefined;
  // Header bytes come one a character; an address beyond ASCII is UTF-8.
  const target = URL.parse(Buffer.from(location, 'latin1').toString(), url.href);
  if (!target) throw new WireFault('the page redirects to what is no address');
  return target;
};

type Hop = { url: URL; route: Dispatcher; jar: CookieJar; signal: AbortSignal };

const send = async ({ url, route, jar, signal }: Hop, headers: Record<string, string>) => {
  const cookie = jar.headerFor(url);
  const answer = await route.request({
    origin: url.origin,
    path: url.pathname + url.search,
    method: 'GET',
    headers: cookie ? { ...headers, cookie } : headers,
    signal,
  });
  jar.keep(url, listOf(answer.headers['set-cookie']));
  return answer;
};

const follow = async (request: PageRequest, proxy: Dispatcher | undefined, signal: AbortSignal) => {
  const jar = cookieJar();
  let url = new URL(request.url);
  for (let hops = 0; hops <= maxRedirects; hops++) {
    const answer = await send({ url, route: routeOf(url, request, proxy), jar, signal }, request.headers);
    const target = targetOf(url, answer);
    if (!target) return { url, answer };
    await answer.body.dump({ limit: 64 * 1024, signal });
    url = target;
  }
  throw new WireFault('the page redirects without end');
};

const readPage = async (
  request: PageRequest,
  proxy: Dispatcher | undefined,
  signal: AbortSignal,
): Promise<FetchedHtml> => {
  const { maxBytes = capBytes } = request;
  const { url, answer } = await follow(request, proxy, signal);
  const headers = flatten(answer.headers);
  const packed = await readBody(answer.body, maxBytes);
  const bytes = await unpackBody(packed, headers['content-encoding'] ?? '', maxBytes);
  const body = decodeText(bytes, headers['content-type'] ?? '');
  return { ok: true, status: answer.statusCode, url: url.href, headers, body, bytes: bytes.length };
};

/** Fetches a page. What the wire does is in the answer; throws only where the request itself is broken. */
export const fetchPage = async (request: PageRequest): Promise<FetchedHtml> => {
  const signal = AbortSignal.timeout(request.deadlineMs);
  const proxy = request.proxyUrl ? proxied(request.proxyUrl) : undefined;
  try {
    return await untilAborted(signal, readPage(request, proxy, signal));
  } catch (error) {
    if (signal.aborted) return { ok: false, reason: 'timeout: the page did not arrive in time' };
    return { ok: false, reason: wireFault(error) };
  } finally {
    await proxy?.destroy();
  }
};

/**
 * The ways out over HTTP: direct and guarded, direct to an origin that the operator has set, or through the
 * operator's proxy.
 */
import tls from 'node:tls';
import { Agent, Client, type Dispatcher, Pool, ProxyAgent } from 'undici';
import { basicCredentials } from './basic-credentials.ts';
import { guardedConnector, unguardedConnector } from './connector.ts';
import { admitHost, pagePolicy } from './guard.ts';
import { NetworkError, resetCode } from './network-error.ts';

export type WayOut = {
  /** An origin set by the operator. The guard does not apply to exactly this host and port. */
  exempt?: string;
  /** The operator's proxy, with its credentials if it has any. */
  proxyUrl?: string;
  /**
   * The certificate authority of a proxy that ends TLS itself, as PEM. Pages through the proxy trust it in
   * addition to the usual ones.
   */
  proxyCa?: string;
};

/**
 * The client library takes a reset for the end of a body without a length, which may be cut: the server has
 * not ended it. It passes on a reset that has another code than Node's.
 */
const passOnReset = (error: NodeJS.ErrnoException): void => {
  if (error.code === 'ECONNRESET') error.code = resetCode;
};

/** The connections to one origin. */
const poolOf = (origin: string | URL, { connect, ...options }: Pool.Options): Pool => {
  if (typeof connect !== 'function') throw new Error('the pool has no connector');
  return new Pool(origin, {
    ...options,
    connect: (target, callback) =>
      connect(target, (...answer) => {
        answer[1]?.on('error', passOnReset);
        callback(...answer);
      }),
  });
};

// No timeouts for headers and body: callers limit the whole answer with one deadline.
const agentOptions = {
  allowH2: false,
  headersTimeout: 0,
  bodyTimeout: 0,
  maxHeaderSize: 64 * 1024,
  factory: poolOf,
};
const connectOptions = { connectTimeoutMs: 10_000 };

const guarded = new Agent({ ...agentOptions, connect: guardedConnector(pagePolicy, connectOptions) });
const unguarded = new Agent({ ...agentOptions, connect: unguardedConnector(connectOptions) });

/**
 * A client of a proxy. A tunnel in which bytes have arrived before the first request is none: they are a page
 * of the proxy itself. The client library would open such tunnels one after another, until the deadline.
 */
const proxyClient = (origin: URL, options: Client.Options): Dispatcher => {
  const client = new Client(origin, options);
  const open = client.connect.bind(client);
  const connect = async (target: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData> => {
    const tunnel = await open(target);
    if (tunnel.statusCode !== 200 || tunnel.socket.readableLength === 0) return tunnel;
    tunnel.socket.on('error', () => {}).destroy();
    throw new NetworkError('the proxy opened no tunnel');
  };
  return Object.assign(client, { connect });
};

/**
 * A dispatcher for one way out only: the proxy's URL names the session, and a new connection may be a new
 * exit address. It always tunnels, so that the proxy's credentials and the page's headers are never in the
 * same request.
 */
const proxyDispatcher = (uri: string, ca: string | undefined): Dispatcher => {
  // The parser's own error would contain the credentials.
  const proxy = URL.parse(uri);
  if (!proxy || !isHttp(proxy)) throw new Error('PROXY_URL is not an http(s) URL');
  const token = basicCredentials(proxy);
  return new ProxyAgent({
    ...agentOptions,
    uri: proxy.origin,
    ...(token && { token }),
    clientFactory: proxyClient,
    proxyTunnel: true,
    connectTimeout: connectOptions.connectTimeoutMs,
    proxyTls: { allowH2: false },
    ...(ca && { requestTls: { allowH2: false, ca: [...tls.getCACertificates('default'), ca] } }),
  });
};

const isHttp = ({ protocol }: URL): boolean => protocol === 'http:' || protocol === 'https:';

const hostAndPort = ({ protocol, hostname, port }: URL): string =>
  `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;

const isExempt = (url: URL, exempt: string | undefined): boolean =>
  exempt !== undefined && isHttp(url) && hostAndPort(url) === hostAndPort(new URL(exempt));

type OpenWayOut = {
  /**
   * The dispatcher for a URL. Throws RefusedAddress for a forbidden literal address or special name, also
   * with a proxy. A proxy resolves all other names in its own network.
   */
  dispatcherFor: (url: URL) => Dispatcher;
  close: () => Promise<void>;
};

/** Opens a way out. The caller closes it after reading the last answer. */
export const openWayOut = ({ exempt, proxyUrl, proxyCa }: WayOut): OpenWayOut => {
  const proxy = proxyUrl ? proxyDispatcher(proxyUrl, proxyCa) : undefined;
  return {
    dispatcherFor: (url) => {
      if (isExempt(url, exempt)) return proxy ?? unguarded;
      admitHost(pagePolicy, url.protocol, url.hostname);
      return proxy ?? guarded;
    },
    close: async () => {
      await proxy?.destroy();
    },
  };
};

export const isRedirect = (status: number): boolean => [301, 302, 303, 307, 308].includes(status);

export const headerValues = (header: string | string[] | undefined): string[] =>
  header === undefined ? [] : Array.isArray(header) ? header : [header];

/**
 * Decodes a header, which Node gives as one character a byte. Addresses with non-ASCII characters are UTF-8.
 */
export const asText = (header: string): string => Buffer.from(header, 'latin1').toString();

/** The address in a `Location` header; null if it is not valid. */
export const addressIn = (location: string, base: URL): URL | null => URL.parse(asText(location), base.href);

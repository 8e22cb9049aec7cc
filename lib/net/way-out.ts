/** The ways out over HTTP: straight and guarded, to an origin that the operator has set, or through the operator's proxy. */
import { Agent, type Dispatcher, ProxyAgent } from 'undici';
import { guardedConnector, unguardedConnector } from './connector.ts';
import { admitHost, pagePolicy } from './guard.ts';

export type WayOut = {
  /** An origin set by the operator: its host and port, exactly, may lie anywhere. */
  exempt?: string;
  /** The operator's proxy, with credentials if need be. */
  proxyUrl?: string;
};

// Whoever asks bounds all the parts of an answer by one deadline.
const connections = { allowH2: false, headersTimeout: 0, bodyTimeout: 0, maxHeaderSize: 64 * 1024 };
const dialling = { connectTimeoutMs: 10_000 };

const guarded = new Agent({ ...connections, connect: guardedConnector(pagePolicy, dialling) });
const open = new Agent({ ...connections, connect: unguardedConnector(dialling) });

/**
 * A proxy of the one route: sessions are told apart by its address, and a new connection is a new exit. Always tunnels, so
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

export type OpenWayOut = {
  /** Who carries a request to this address. What a proxy resolves, it resolves in its own network; literal addresses are ours to refuse. */
  dispatcherFor: (url: URL) => Dispatcher;
  close: () => Promise<void>;
};

/** Opens a way out, to be closed when the last answer has been read. */
export const openWayOut = ({ exempt, proxyUrl }: WayOut): OpenWayOut => {
  const proxy = proxyUrl ? proxied(proxyUrl) : undefined;
  return {
    dispatcherFor: (url) => {
      if (isExempt(url, exempt)) return proxy ?? open;
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

/** Header bytes come one a character; an address beyond ASCII is UTF-8. */
export const asText = (header: string): string => Buffer.from(header, 'latin1').toString();

/** The address in a `Location`. */
export const addressIn = (location: string, base: URL): URL | null => URL.parse(asText(location), base.href);

/**
 * The only way out for pages in a browser: a SOCKS proxy in this process. It connects only to addresses that
 * the guard admits, directly or through the operator's proxy. Chromium resolves no names; it sends them to
 * this proxy.
 */
import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import { createServer, isIP, type Socket } from 'node:net';
import type { buildConnector } from 'undici';
import { basicCredentials } from './basic-credentials.ts';
import { guardedConnector, unguardedConnector } from './connector.ts';
import { admitHost, pagePolicy, RefusedAddress } from './guard.ts';
import { NetworkError } from './network-error.ts';
import type { WayOut } from './way-out.ts';

/** A way out for a page. `closed`: the page reaches nothing, because all its answers are invented. */
export type PageWayOut = WayOut & { closed?: boolean };

export type PageProxy = {
  url: string;
  /**
   * Opens the way out of the next page. Before the first page and between two pages, nothing can be reached.
   */
  startPage: (wayOut: PageWayOut) => void;
  /** Ends every connection of the page, and returns the origins that it asked for. */
  endPage: () => string[];
  close: () => void;
};

type Target = { host: string; port: number };

const connectOptions = { connectTimeoutMs: 10_000 };
const guarded = guardedConnector(pagePolicy, connectOptions);
const unguarded = unguardedConnector(connectOptions);

/** The most that a page may load. A result page has a few megabytes with all its scripts. */
const maxPageBytes = 25 * 1024 * 1024;

const connect = (connector: buildConnector.connector, { host, port }: Target, protocol: string) =>
  new Promise<Socket>((resolve, reject) => {
    connector({ hostname: host, host, port: String(port), protocol }, (error, socket) =>
      socket ? resolve(socket) : reject(error),
    );
  });

/**
 * Opens a tunnel through the operator's proxy, which resolves names in its own network. `signal` gives it up:
 * a proxy that sends its answer slowly would keep the connection.
 */
const tunnel = async (proxyUrl: string, { host, port }: Target, signal: AbortSignal): Promise<Socket> => {
  // The parser's own error would contain the credentials.
  const proxy = URL.parse(proxyUrl);
  if (!proxy) throw new Error('PROXY_URL is not a URL');
  const authorization = basicCredentials(proxy);
  const name = proxy.hostname.replace(/^\[|\]$/g, '');
  const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const request = (proxy.protocol === 'https:' ? https : http).request({
    protocol: proxy.protocol,
    host: name,
    port: proxy.port,
    // Otherwise Node checks the proxy's certificate for the name in the header `host`, the target's.
    servername: isIP(name) ? '' : name,
    method: 'CONNECT',
    path: authority,
    headers: {
      host: authority,
      ...(authorization && { 'proxy-authorization': authorization }),
    },
    agent: false,
    signal,
    timeout: connectOptions.connectTimeoutMs,
  });
  request.on('timeout', () => request.destroy(new NetworkError('the proxy did not answer')));
  request.on('error', () => request.destroy());
  request.end();
  // Every answer to CONNECT is this event, also that of a server that knows no tunnels.
  const [response, socket, early] = (await once(request, 'connect')) as [
    http.IncomingMessage,
    Socket,
    Buffer,
  ];
  // Bytes from before the first request are a page of the proxy itself.
  if (response.statusCode === 200 && early.length === 0) return socket;
  socket.destroy();
  throw new NetworkError('the proxy refused the connection');
};

const isExempt = ({ host, port }: Target, exempt: string | undefined): boolean => {
  if (exempt === undefined) return false;
  const origin = new URL(exempt);
  return (
    host === origin.hostname.replace(/^\[|\]$/g, '') &&
    port === Number(origin.port || (origin.protocol === 'https:' ? 443 : 80))
  );
};

const dial = async (
  target: Target,
  { exempt, proxyUrl, closed }: PageWayOut,
  signal: AbortSignal,
): Promise<Socket> => {
  if (closed) throw new RefusedAddress('nothing may be reached');
  const exempted = isExempt(target, exempt);
  if (!proxyUrl) return connect(exempted ? unguarded : guarded, target, 'http:');
  if (!exempted) admitHost(pagePolicy, 'http:', target.host);
  return tunnel(proxyUrl, target, signal);
};

/**
 * The next bytes of a socket. Takes all that have arrived, and puts back what is too much: `readable` is
 * raised again at once while bytes are left, which would keep the process busy until the next ones arrive.
 */
const readBytes = async (socket: Socket, bytes: number): Promise<Buffer> => {
  let read = Buffer.alloc(0);
  while (read.length < bytes) {
    if (socket.readableEnded || socket.destroyed) throw new NetworkError('the browser hung up');
    const chunk: Buffer | null = socket.read();
    if (chunk) read = Buffer.concat([read, chunk]);
    else await once(socket, 'readable');
  }
  if (read.length > bytes) socket.unshift(read.subarray(bytes));
  return read.subarray(0, bytes);
};

const replyCodes = { granted: 0, refused: 2, unreachable: 4, unknownCommand: 7, unknownAddress: 8 };

const reply = (result: keyof typeof replyCodes): Buffer =>
  Buffer.from([5, replyCodes[result], 0, 1, 0, 0, 0, 0, 0, 0]);

/**
 * Reads the SOCKS request of Chromium (RFC 1928), which sends every target as a name, literal addresses too.
 */
const readTarget = async (client: Socket): Promise<Target | null> => {
  const [, methods = 0] = await readBytes(client, 2);
  await readBytes(client, methods);
  client.write(Buffer.from([5, 0]));
  const [, command, , addressType] = await readBytes(client, 4);
  if (command !== 1 || addressType !== 3) {
    client.end(reply(command === 1 ? 'unknownAddress' : 'unknownCommand'));
    return null;
  }
  const [length = 0] = await readBytes(client, 1);
  const host = (await readBytes(client, length)).toString('latin1');
  return { host, port: (await readBytes(client, 2)).readUInt16BE() };
};

const originsOf = ({ host, port }: Target): string[] => {
  const name = host.includes(':') ? `[${host}]` : host;
  return ['http', 'https'].flatMap((scheme) => URL.parse(`${scheme}://${name}:${port}`)?.origin ?? []);
};

/** Starts the proxy of one browser, which opens one page at a time. */
export const startPageProxy = async (): Promise<PageProxy> => {
  const sockets = new Set<Socket>();
  const requestedOrigins = new Set<string>();
  let wayOut: PageWayOut = { closed: true };
  let bytesLeft = 0;

  const destroyAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const track = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
  };
  const relay = (client: Socket, upstream: Socket): void => {
    client.pipe(upstream).pipe(client);
    client.on('close', () => upstream.destroy());
    // If the server resets the connection, reset it for the page too: a truncated page must not look
    // complete.
    upstream.on('close', (isFailed) => (isFailed ? client.resetAndDestroy() : client.destroySoon()));
    upstream.on('data', ({ length }: Buffer) => {
      bytesLeft -= length;
      if (bytesLeft < 0) destroyAll();
    });
  };
  const serve = async (client: Socket): Promise<void> => {
    const target = await readTarget(client);
    if (!target) return;
    for (const origin of originsOf(target)) requestedOrigins.add(origin);
    const gone = new AbortController();
    client.on('close', () => gone.abort());
    try {
      const upstream = await dial(target, wayOut, gone.signal);
      track(upstream);
      // The page may have closed the connection in the meantime.
      if (client.destroyed) upstream.destroy();
      else {
        client.write(reply('granted'));
        relay(client, upstream);
      }
    } catch (error) {
      client.end(reply(error instanceof RefusedAddress ? 'refused' : 'unreachable'));
    }
  };

  const server = createServer((client) => {
    track(client);
    serve(client).catch(() => client.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the SOCKS server has no port');
  return {
    url: `socks5://127.0.0.1:${address.port}`,
    startPage: (next) => {
      wayOut = next;
      bytesLeft = maxPageBytes;
    },
    endPage: () => {
      wayOut = { closed: true };
      destroyAll();
      const origins = [...requestedOrigins];
      requestedOrigins.clear();
      return origins;
    },
    close: () => {
      server.close();
      destroyAll();
    },
  };
};

/**
 * The only way out for pages in a browser: a SOCKS proxy in this process. It dials what the guard admits, by itself or through
 * the operator's proxy; Chromium leaves it the names to resolve.
 */
import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import { createServer, type Socket } from 'node:net';
import type { buildConnector } from 'undici';
import { guardedConnector, unguardedConnector } from './connector.ts';
import { admitHost, pagePolicy, RefusedAddress } from './guard.ts';
import { NetworkError } from './network-error.ts';

export type PageRoute = {
  /** An origin set by the operator: its host and port, exactly, may lie anywhere. */
  exempt?: string;
  /** The operator's proxy, with credentials if need be. */
  proxyUrl?: string;
  /** Nothing at all may be reached: the page's answers come from elsewhere. */
  closed?: boolean;
};

export type PageProxy = {
  url: string;
  /** Lets the next page out by its own route. Before the first one, and between two, nothing is reached. */
  open: (route: PageRoute) => void;
  /** Ends every connection of the page; answers the origins that it asked for. */
  shut: () => string[];
  close: () => void;
};

type Target = { host: string; port: number };

const dialling = { connectTimeoutMs: 10_000 };
const guarded = guardedConnector(pagePolicy, dialling);
const open = unguardedConnector(dialling);

/** A page of a search engine is a few megabytes with all its scripts. */
const budgetBytes = 25 * 1024 * 1024;

const connect = (connector: buildConnector.connector, { host, port }: Target, protocol: string) =>
  new Promise<Socket>((resolve, reject) => {
    connector({ hostname: host, host, port: String(port), protocol }, (error, socket) =>
      socket ? resolve(socket) : reject(error),
    );
  });

/** A tunnel through the operator's proxy: what it resolves, it resolves in its own network. */
const tunnel = async (proxyUrl: string, { host, port }: Target): Promise<Socket> => {
  // The parser's own error would carry the credentials along.
  const proxy = URL.parse(proxyUrl);
  if (!proxy || !/^https?:$/.test(proxy.protocol)) throw new Error('PROXY_URL is no http(s) URL');
  const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const credentials = [proxy.username, proxy.password].map(decodeURIComponent).join(':');
  const request = (proxy.protocol === 'https:' ? https : http).request({
    host: proxy.hostname.replace(/^\[|\]$/g, ''),
    port: proxy.port || (proxy.protocol === 'https:' ? 443 : 80),
    method: 'CONNECT',
    path: authority,
    headers: {
      host: authority,
      ...(proxy.username && { 'proxy-authorization': `Basic ${btoa(credentials)}` }),
    },
    agent: false,
    timeout: dialling.connectTimeoutMs,
  });
  request.on('timeout', () => request.destroy(new NetworkError('the proxy did not answer')));
  request.on('error', () => request.destroy());
  request.end();
  const [response, socket]: [http.IncomingMessage, Socket] = await Promise.race([
    once(request, 'connect') as Promise<[http.IncomingMessage, Socket]>,
    once(request, 'response').then(() => {
      throw new NetworkError('the proxy knows no tunnels');
    }),
  ]);
  if (response.statusCode === 200) return socket;
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

const dial = async (target: Target, { exempt, proxyUrl, closed }: PageRoute): Promise<Socket> => {
  if (closed) throw new RefusedAddress('nothing may be reached');
  const exempted = isExempt(target, exempt);
  if (!proxyUrl) return connect(exempted ? open : guarded, target, 'http:');
  if (!exempted) admitHost(pagePolicy, 'http:', target.host);
  return tunnel(proxyUrl, target);
};

const take = async (socket: Socket, bytes: number): Promise<Buffer> => {
  for (;;) {
    const taken: Buffer | null = socket.read(bytes);
    if (taken?.length === bytes) return taken;
    if (taken || socket.readableEnded || socket.destroyed) throw new NetworkError('the browser hung up');
    await once(socket, 'readable');
  }
};

const replies = { granted: 0, refused: 2, unreachable: 4, unknownCommand: 7, unknownAddress: 8 };

const reply = (word: keyof typeof replies): Buffer => Buffer.from([5, replies[word], 0, 1, 0, 0, 0, 0, 0, 0]);

/** Reads what Chromium wants to connect to (RFC 1928); it always sends names, literal addresses too. */
const readTarget = async (client: Socket): Promise<Target | null> => {
  const [, methods = 0] = await take(client, 2);
  if (methods > 0) await take(client, methods);
  client.write(Buffer.from([5, 0]));
  const [, command, , kind] = await take(client, 4);
  if (command !== 1 || kind !== 3) {
    client.end(reply(command === 1 ? 'unknownAddress' : 'unknownCommand'));
    return null;
  }
  const [length = 0] = await take(client, 1);
  const host = (await take(client, length)).toString('latin1');
  return { host, port: (await take(client, 2)).readUInt16BE() };
};

const originsOf = ({ host, port }: Target): string[] => {
  const name = host.includes(':') ? `[${host}]` : host;
  return ['http', 'https'].flatMap((scheme) => URL.parse(`${scheme}://${name}:${port}`)?.origin ?? []);
};

/** Starts the proxy of one browser, which opens one page at a time. */
export const startPageProxy = async (): Promise<PageProxy> => {
  const sockets = new Set<Socket>();
  const asked = new Set<string>();
  let route: PageRoute = { closed: true };
  let budget = 0;

  const cutAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
  };
  const join = (client: Socket, upstream: Socket): void => {
    client.pipe(upstream).pipe(client);
    client.on('close', () => upstream.destroy());
    // A connection that the other side cuts is cut for the page too, not ended: a cut page must not look whole.
    upstream.on('close', (isFailed) => (isFailed ? client.resetAndDestroy() : client.destroySoon()));
    upstream.on('data', ({ length }: Buffer) => {
      budget -= length;
      if (budget < 0) cutAll();
    });
  };
  const serve = async (client: Socket): Promise<void> => {
    const target = await readTarget(client);
    if (!target) return;
    for (const origin of originsOf(target)) asked.add(origin);
    try {
      const upstream = await dial(target, route);
      keep(upstream);
      // The page may have gone while its connection came about.
      if (client.destroyed) upstream.destroy();
      else {
        client.write(reply('granted'));
        join(client, upstream);
      }
    } catch (error) {
      client.end(reply(error instanceof RefusedAddress ? 'refused' : 'unreachable'));
    }
  };

  const server = createServer((client) => {
    keep(client);
    serve(client).catch(() => client.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port');
  return {
    url: `socks5://127.0.0.1:${address.port}`,
    open: (next) => {
      route = next;
      budget = budgetBytes;
    },
    shut: () => {
      route = { closed: true };
      cutAll();
      const origins = [...asked];
      asked.clear();
      return origins;
    },
    close: () => {
      server.close();
      cutAll();
    },
  };
};

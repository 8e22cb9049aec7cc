/** Servers on loopback that tests control completely, down to the bytes. */
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import tls from 'node:tls';
import { afterEach } from 'vitest';
import { certificate, key } from './loopback-certificate.ts';

const closing: (() => void)[] = [];

afterEach(() => {
  for (const close of closing.splice(0)) close();
});

const listen = async (server: net.Server, scheme: string): Promise<string> => {
  const sockets = new Set<net.Socket>();
  server.on('connection', (socket: net.Socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return `${scheme}://127.0.0.1:${address.port}`;
};

/** Starts an HTTP server that ends with the test. Returns its origin. */
export const serve = (answer: http.RequestListener) => listen(http.createServer(answer), 'http');

/**
 * The same over TLS, with a certificate for loopback and www.engine.example that is not trusted by default.
 */
export const serveTls = (answer: http.RequestListener) =>
  listen(https.createServer({ cert: certificate, key }, answer), 'https');

/** Starts a TCP server that may send any bytes once the first bytes of the request have arrived. */
export const serveBytes = (talk: (socket: net.Socket, request: string) => void) =>
  listen(
    net.createServer((socket) => {
      socket.once('data', (data) => talk(socket, data.toString()));
    }),
    'http',
  );

/** Starts a TCP server that calls `onConnection` for each connection. */
export const serveSockets = (onConnection: (socket: net.Socket) => void) =>
  listen(net.createServer(onConnection), 'http');

export type Tunnel = { target: string; authorization: string | undefined };

/**
 * Starts a proxy for CONNECT only, over TLS if the scheme is `https`. It leads every tunnel to `destination`,
 * and records the requested targets in `tunnels`, and the names by which it is greeted over TLS in `names`.
 */
export const serveProxy = async (
  destination: string,
  refusal?: string,
  scheme: 'http' | 'https' = 'http',
) => {
  const tunnels: Tunnel[] = [];
  const names: unknown[] = [];
  const answer: http.RequestListener = (_, response) => response.writeHead(405).end();
  const server =
    scheme === 'https' ? https.createServer({ cert: certificate, key }, answer) : http.createServer(answer);
  server.on('connect', (request: http.IncomingMessage, client: net.Socket) => {
    tunnels.push({ target: request.url ?? '', authorization: request.headers['proxy-authorization'] });
    if (client instanceof tls.TLSSocket) names.push(client.servername);
    if (refusal) {
      client.end(`HTTP/1.1 ${refusal}\r\n\r\n`);
      return;
    }
    const upstream = net.connect(Number(new URL(destination).port), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.pipe(client).pipe(upstream);
    });
    upstream.on('error', () => client.destroy());
    client.on('error', () => upstream.destroy()).on('close', () => upstream.destroy());
  });
  return { origin: await listen(server, scheme), tunnels, names };
};

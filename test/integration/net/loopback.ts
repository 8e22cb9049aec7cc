/** Servers on loopback that tests have full control of, down to the bytes. */
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
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
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port');
  return `${scheme}://127.0.0.1:${address.port}`;
};

/** An ordinary HTTP server; answers its origin. It ends with the test. */
export const serve = (answer: http.RequestListener) => listen(http.createServer(answer), 'http');

/** The same over TLS, with a certificate for loopback and www.engine.example that nobody trusts by default. */
export const serveTls = (answer: http.RequestListener) =>
  listen(https.createServer({ cert: certificate, key }, answer), 'https');

/** A server of bare connections, which may say anything once the request has begun to arrive. */
export const serveBytes = (talk: (socket: net.Socket, request: string) => void) =>
  listen(
    net.createServer((socket) => {
      socket.once('data', (data) => talk(socket, data.toString()));
    }),
    'http',
  );

/** A server that is told of each connection as it comes. */
export const serveSockets = (meet: (socket: net.Socket) => void) => listen(net.createServer(meet), 'http');

export type Tunnel = { target: string; authorization: string | undefined };

/** A proxy that knows CONNECT, and takes every tunnel to `destination` whatever its target; it tells what it was asked. */
export const serveProxy = async (destination: string, refusal?: string) => {
  const tunnels: Tunnel[] = [];
  const server = http.createServer((_, response) => response.writeHead(405).end());
  server.on('connect', (request: http.IncomingMessage, client: net.Socket) => {
    tunnels.push({ target: request.url ?? '', authorization: request.headers['proxy-authorization'] });
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
  return { origin: await listen(server, 'http'), tunnels };
};

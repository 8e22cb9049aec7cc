/**
 * A webhook receiver that misbehaves on its first connection, down to single bytes, and accepts deliveries on
 * later ones.
 */
import net from 'node:net';

export type Connection = { openedAt: number; closedAt: number; bytesSent: number };

/**
 * What the receiver does on a connection. `now`: when the connection opens; by default, when the first bytes
 * of the request arrive.
 */
export type Misbehaviour = {
  now?: boolean;
  scheme?: 'https';
  talk: (socket: net.Socket) => void;
};

/** The behaviour on all connections. */
type Behaviour = Misbehaviour & {
  /** What it does on the second connection, if it misbehaves there too. */
  again?: (socket: net.Socket) => void;
  /** Called when a delivery is accepted. */
  onAccept?: () => void;
};

const ok = 'HTTP/1.1 200 OK\r\n';

/** Sends one byte a second, endlessly. */
const drip = (socket: net.Socket) => {
  const timer = setInterval(() => socket.write('a'), 1000);
  socket.once('close', () => clearInterval(timer));
};

/** Sends as fast as the connection accepts, endlessly. */
const flood = (socket: net.Socket, chunk: string) => {
  const more = () => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on('drain', more);
  more();
};

/** Each of these makes the attempt fail. */
export const failing: Record<string, Misbehaviour> = {
  'hangs up at once': { now: true, talk: (socket) => socket.end() },
  'resets at once': { now: true, talk: (socket) => socket.resetAndDestroy() },
  'resets after the request': { talk: (socket) => socket.resetAndDestroy() },
  'never answers': { talk: () => {} },
  'stops in the status line': { talk: (socket) => socket.write('HTTP/1.1 2') },
  'stops in the headers': { talk: (socket) => socket.write(`${ok}x-a: 1\r\n`) },
  'sends its headers one byte a second': {
    talk: (socket) => {
      socket.write(`${ok}x-a: `);
      drip(socket);
    },
  },
  'sends endless headers': { talk: (socket) => flood(socket, `x-a: ${'a'.repeat(1000)}\r\n`) },
  'does not speak HTTP': { talk: (socket) => socket.end('220 mail.example ESMTP\r\n') },
  'redirects to itself': {
    talk: (socket) =>
      socket.end('HTTP/1.1 307 Temporary Redirect\r\nlocation: /hook\r\ncontent-length: 0\r\n\r\n'),
  },
  // Long after the ten seconds that an attempt may take, so that the service ends it first on a slow machine,
  // too.
  'answers 200 after two minutes': {
    talk: (socket) => {
      const timer = setTimeout(() => socket.end(`${ok}content-length: 0\r\n\r\n`), 120_000);
      socket.once('close', () => clearTimeout(timer));
    },
  },
  'never completes the TLS handshake': { scheme: 'https', now: true, talk: () => {} },
  'speaks plain HTTP instead of TLS': { scheme: 'https', talk: (socket) => socket.end(`${ok}\r\n`) },
};

/** Each of these answers 2xx in time, so the attempt succeeds. What follows costs next to nothing. */
export const taking: Record<string, Misbehaviour> = {
  'stops before the body': { talk: (socket) => socket.write(`${ok}content-length: 10\r\n\r\n`) },
  'stops in the body': { talk: (socket) => socket.write(`${ok}content-length: 10\r\n\r\n{"a"`) },
  'sends its body one byte a second': {
    talk: (socket) => {
      socket.write(`${ok}content-length: 100000\r\n\r\n`);
      drip(socket);
    },
  },
  'sends an endless body': {
    talk: (socket) => {
      socket.write(`${ok}transfer-encoding: chunked\r\n\r\n`);
      flood(socket, `8000\r\n${'a'.repeat(0x8000)}\r\n`);
    },
  },
  'resets in the body': {
    talk: (socket) => {
      socket.write(`${ok}content-length: 10\r\n\r\n{"a"`);
      setTimeout(() => socket.resetAndDestroy(), 50);
    },
  },
};

export const startMisbehaving = async ({ now = false, scheme, talk, again, onAccept }: Behaviour) => {
  const connections: Connection[] = [];
  const sockets = new Set<net.Socket>();
  const accept = (socket: net.Socket) => {
    socket.end('HTTP/1.1 204 No Content\r\n\r\n');
    onAccept?.();
  };
  const server = net.createServer((socket) => {
    const connection = { openedAt: Date.now(), closedAt: 0, bytesSent: 0 };
    connections.push(connection);
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => {
      Object.assign(connection, {
        closedAt: Date.now(),
        bytesSent: socket.bytesWritten - socket.writableLength,
      });
      sockets.delete(socket);
    });
    const answer = [talk, again ?? accept][connections.length - 1] ?? accept;
    if (connections.length === 1 && now) talk(socket);
    else socket.once('data', () => answer(socket));
    socket.resume();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return {
    url: `${scheme ?? 'http'}://127.0.0.1:${port}/hook`,
    connections,
    stop: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
};

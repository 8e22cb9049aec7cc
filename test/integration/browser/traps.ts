/** Targets that no page may reach: on loopback, of every protocol, each counting whoever comes. */
import { createSocket } from 'node:dgram';
import net from 'node:net';

export type Traps = {
  /** Ports of the targets. */
  tcp: number;
  udp: number;
  /** What came, as `tcp` or `udp` and the beginning of what it said. */
  caught: string[];
  close: () => void;
};

const portOf = (address: string | net.AddressInfo | null): number => {
  if (address === null || typeof address === 'string') throw new Error('a socket has a port');
  return address.port;
};

export const setTraps = async (): Promise<Traps> => {
  const caught: string[] = [];
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    const place = caught.push('tcp') - 1;
    socket.on('error', () => undefined);
    socket.once('data', (data) => {
      caught[place] = `tcp ${data.toString('latin1').slice(0, 200)}`;
      socket.end('HTTP/1.1 200 OK\r\naccess-control-allow-origin: *\r\ncontent-length: 6\r\n\r\nsecret');
    });
  });
  // Both families: ::1 is loopback as well.
  await new Promise<void>((resolve) => server.listen(0, '::', resolve));
  const datagrams = createSocket('udp4', (data) => caught.push(`udp ${data.length}`));
  await new Promise<void>((resolve) => datagrams.bind(0, '0.0.0.0', resolve));
  return {
    tcp: portOf(server.address()),
    udp: datagrams.address().port,
    caught,
    close: () => {
      server.close();
      datagrams.close();
      for (const socket of sockets) socket.destroy();
    },
  };
};

/**
 * Targets on loopback that no page may reach, over TCP and UDP. They record every connection and datagram.
 */
import { createSocket } from 'node:dgram';
import net from 'node:net';

export type Traps = {
  /** Ports of the targets. */
  tcp: number;
  udp: number;
  /** What arrived: `tcp` and the first bytes, or `udp` and the size. */
  caught: string[];
  close: () => void;
};

const portOf = (address: string | net.AddressInfo | null): number => {
  if (address === null || typeof address === 'string') throw new Error('the socket has no port');
  return address.port;
};

export const setTraps = async (): Promise<Traps> => {
  const caught: string[] = [];
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    const index = caught.push('tcp') - 1;
    socket.on('error', () => undefined);
    socket.once('data', (data) => {
      caught[index] = `tcp ${data.toString('latin1').slice(0, 200)}`;
      socket.end('HTTP/1.1 200 OK\r\naccess-control-allow-origin: *\r\ncontent-length: 6\r\n\r\nsecret');
    });
  });
  // Both address families, because ::1 is loopback too.
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

/** The warning of `npm start` about an address that other machines can reach. */
import { isIP } from 'node:net';

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));

/** Empty if only this machine can reach `host`. */
export const hostWarning = (host: string): string =>
  isLoopback(host)
    ? ''
    : `
  WARNING: HOST=${host} lets other machines reach this service, by HTTP without encryption. The embedded stack is made for one machine.
`;

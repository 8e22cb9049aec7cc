/** Connections that hold to the guard: the very addresses that were checked are dialled, on first calls and redirects alike. */
import type { LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { admitHost, admitName, type Policy, pagePolicy, RefusedAddress } from './guard.ts';
import { type Resolve, resolveName } from './resolve-name.ts';

export type ConnectorOptions = { connectTimeoutMs: number; resolve?: Resolve };

/** What every connection of ours has in common. HTTP/1.1 alone, in which a cut body is never mistaken for a whole one. */
const sharedOptions = { allowH2: false, autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 1000 };

class UnknownName extends Error {
  override name = 'UnknownName';
  readonly code = 'ENOTFOUND';
}

const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)));

/** A lookup hook that answers admitted addresses only. Nothing resolves the name a second time. */
const guardedLookup =
  (policy: Policy, scheme: keyof Policy, resolve: Resolve): LookupFunction =>
  (hostname, { all, family }, callback) => {
    admitName(policy, scheme, hostname, resolve).then(
      (admitted) => {
        const found = admitted.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
        const first = found.find((entry) => !family || entry.family === family);
        if (!first) callback(new UnknownName('the name does not resolve'), []);
        else if (all) callback(null, found);
        else callback(null, first.address, first.family);
      },
      (error) => callback(asError(error), []),
    );
  };

/** A connector for undici that dials what the policy admits and answers RefusedAddress for the rest. */
export const guardedConnector = (
  policy: Policy,
  { connectTimeoutMs, resolve = resolveName }: ConnectorOptions,
): buildConnector.connector => {
  const connectorOver = (scheme: keyof Policy) =>
    buildConnector({
      ...sharedOptions,
      timeout: connectTimeoutMs,
      lookup: guardedLookup(policy, scheme, resolve),
    });
  const overTls = connectorOver('https:');
  const plain = connectorOver('http:');
  return (options, callback) => {
    try {
      // A literal address never reaches a lookup hook.
      admitHost(policy, options.protocol, options.hostname);
    } catch (error) {
      callback(asError(error), null);
      return;
    }
    (options.protocol === 'https:' ? overTls : plain)(options, callback);
  };
};

/** A connector without a guard, for an address that the operator has set. */
export const unguardedConnector = ({ connectTimeoutMs }: ConnectorOptions): buildConnector.connector =>
  buildConnector({ ...sharedOptions, timeout: connectTimeoutMs });

const dialOnce = (connect: buildConnector.connector, hostname: string): Promise<Error | null> =>
  new Promise((resolve) => {
    connect({ hostname, host: hostname, protocol: 'http:', port: '9' }, (error, socket) => {
      socket?.destroy();
      resolve(error);
    });
  });

/** Proves that connections to forbidden addresses are refused, literal or by name; throws where one is not. */
export const selfCheck = async (connectorOf = guardedConnector): Promise<void> => {
  const connect = connectorOf(pagePolicy, {
    connectTimeoutMs: 1000,
    resolve: async () => ['127.0.0.1'],
  });
  for (const hostname of ['127.0.0.1', '::1', 'guard.invalid']) {
    if (!((await dialOnce(connect, hostname)) instanceof RefusedAddress)) {
      throw new Error('the address guard does not refuse; the process must not start');
    }
  }
};

await selfCheck();

/**
 * Connections that obey the address guard: they go to exactly the addresses that were checked, after
 * redirects too.
 */
import type { LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { admitHost, admitName, type Policy, pagePolicy, RefusedAddress } from './guard.ts';
import { type Resolve, resolveName } from './resolve-name.ts';

type ConnectorOptions = { connectTimeoutMs: number; resolve?: Resolve };

/**
 * Options of every connection. HTTP/1.1 only, because it never mistakes a truncated body for a complete one.
 */
const sharedOptions = { allowH2: false, autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 1000 };

class UnknownName extends Error {
  override name = 'UnknownName';
  readonly code = 'ENOTFOUND';
}

const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)));

/** A lookup hook that returns only admitted addresses. Nothing resolves the name a second time. */
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

/**
 * A connector for undici that connects only to addresses that the policy admits. It fails with RefusedAddress
 * for all others.
 */
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
  const withoutTls = connectorOver('http:');
  return (options, callback) => {
    try {
      // Node calls no lookup hook for a literal address.
      admitHost(policy, options.protocol, options.hostname);
    } catch (error) {
      callback(asError(error), null);
      return;
    }
    (options.protocol === 'https:' ? overTls : withoutTls)(options, callback);
  };
};

/** A connector without the guard, for an address that the operator has set. */
export const unguardedConnector = ({ connectTimeoutMs }: ConnectorOptions): buildConnector.connector =>
  buildConnector({ ...sharedOptions, timeout: connectTimeoutMs });

const connectOnce = (connect: buildConnector.connector, hostname: string): Promise<Error | null> =>
  new Promise((resolve) => {
    connect({ hostname, host: hostname, protocol: 'http:', port: '9' }, (error, socket) => {
      socket?.destroy();
      resolve(error);
    });
  });

/**
 * Checks that connections to forbidden addresses are refused, both literal addresses and names. Throws if one
 * is not.
 */
export const selfCheck = async (connectorOf = guardedConnector): Promise<void> => {
  const connect = connectorOf(pagePolicy, {
    connectTimeoutMs: 1000,
    resolve: async () => ['127.0.0.1'],
  });
  for (const hostname of ['127.0.0.1', '::1', 'guard.invalid']) {
    if (!((await connectOnce(connect, hostname)) instanceof RefusedAddress)) {
      throw new Error('the address guard admits a forbidden address; the process must not start');
    }
  }
};

await selfCheck();

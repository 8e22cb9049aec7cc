/**
 * Resolves host names. Asks the name server without Node's thread pool, because a few names with an unresponsive name server would
 * fill the pool and delay every other task of the process.
 */
import { lookup, Resolver } from 'node:dns/promises';

/** Returns all addresses of a name; an empty list if it has none. */
export type Resolve = (hostname: string) => Promise<string[]>;

/** A webhook's connection has 5 s for everything, and a batch of tasks may name a thousand hosts. */
const timeoutMs = 2000;

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

const isTimeout = (error: unknown): boolean => ['ETIMEOUT', 'ECANCELLED'].includes(codeOf(error));

/** Resolves names that only this machine knows (`/etc/hosts`, search domains). */
const fromSystem: Resolve = async (hostname) => {
  try {
    const found = await lookup(hostname, { all: true });
    return found.map(({ address }) => address);
  } catch (error) {
    if (codeOf(error) === '') throw error;
    return [];
  }
};

/** Resolves as the system would. `localhost` and its subdomains are always this machine, whatever a name server says. */
export const resolveName: Resolve = async (hostname) => {
  const name = hostname.toLowerCase().replace(/\.$/, '');
  if (name === 'localhost' || name.endsWith('.localhost')) return ['127.0.0.1', '::1'];
  const resolver = new Resolver({ timeout: timeoutMs / 2, tries: 2 });
  const timer = setTimeout(() => resolver.cancel(), timeoutMs);
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  clearTimeout(timer);
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  const hasTimedOut = answers.some((answer) => answer.status === 'rejected' && isTimeout(answer.reason));
  return found.length > 0 || hasTimedOut ? found : fromSystem(name);
};

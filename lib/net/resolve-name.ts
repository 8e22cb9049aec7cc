/**
 * From a host name to its addresses. Asks the resolver without the thread pool, where a few names with a silent name server
 * would hold up every other task of the process.
 */
import { lookup, Resolver } from 'node:dns/promises';

/** Answers all addresses of a name, none if it has none. */
export type Resolve = (hostname: string) => Promise<string[]>;

/** A dial has 5 s for everything, and a batch of tasks may name a thousand hosts. */
const patienceMs = 2000;

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

const isSilence = (error: unknown): boolean => ['ETIMEOUT', 'ECANCELLED'].includes(codeOf(error));

/** Names of this machine's own (`/etc/hosts`, search domains) that no name server knows. */
const fromSystem: Resolve = async (hostname) => {
  try {
    const found = await lookup(hostname, { all: true });
    return found.map(({ address }) => address);
  } catch (error) {
    if (codeOf(error) === '') throw error;
    return [];
  }
};

/** Resolves as the system would. `localhost` and what lies under it is this machine, whatever a name server says. */
export const resolveName: Resolve = async (hostname) => {
  const name = hostname.toLowerCase().replace(/\.$/, '');
  if (name === 'localhost' || name.endsWith('.localhost')) return ['127.0.0.1', '::1'];
  const resolver = new Resolver({ timeout: patienceMs / 2, tries: 2 });
  const patience = setTimeout(() => resolver.cancel(), patienceMs);
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  clearTimeout(patience);
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  const silent = answers.some((answer) => answer.status === 'rejected' && isSilence(answer.reason));
  return found.length > 0 || silent ? found : fromSystem(name);
};

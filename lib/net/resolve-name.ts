/**
 * Resolves host names. Asks the name server without Node's thread pool, because a few names with an
 * unresponsive name server would fill the pool and delay every other task of the process.
 */
import { lookup, Resolver } from 'node:dns/promises';

/** Returns all addresses of a name; an empty list if it has none, or if the signal aborts first. */
export type Resolve = (hostname: string, signal?: AbortSignal) => Promise<string[]>;

/** A webhook's connection has 5 s for everything, and a batch of tasks may name a thousand hosts. */
const timeoutMs = 2000;

/**
 * The system's look-up occupies one of the four threads of Node's pool and cannot be cancelled. Leave threads
 * for others.
 */
const maxSystemLookups = 2;

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

const isTimeout = (error: unknown): boolean => ['ETIMEOUT', 'ECANCELLED'].includes(codeOf(error));

let systemLookups = 0;
const waiting: (() => void)[] = [];

/** Runs at most `maxSystemLookups` at a time, in order. */
const inTurn = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  if (systemLookups < maxSystemLookups) systemLookups += 1;
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else systemLookups -= 1;
  }
};

/** Resolves names that only this machine knows (`/etc/hosts`, search domains). */
const fromSystem: Resolve = (hostname, signal) =>
  inTurn(async () => {
    if (signal?.aborted) return [];
    try {
      const found = await lookup(hostname, { all: true });
      return found.map(({ address }) => address);
    } catch (error) {
      if (codeOf(error) === '') throw error;
      return [];
    }
  });

/** The name as it is asked for: `Example.com.` is `example.com`. */
const canonicalName = (hostname: string): string => hostname.toLowerCase().replace(/\.$/, '');

/**
 * A function that resolves as the system would; it asks the given name servers, or those of the system.
 * `localhost` and its subdomains are always this machine, whatever a name server says.
 */
export const resolveWith =
  (servers?: readonly string[]): Resolve =>
  async (hostname, signal) => {
    const name = canonicalName(hostname);
    if (name === 'localhost' || name.endsWith('.localhost')) return ['127.0.0.1', '::1'];
    if (signal?.aborted) return [];
    const resolver = new Resolver({ timeout: timeoutMs / 2, tries: 2 });
    if (servers) resolver.setServers(servers);
    const cancel = () => resolver.cancel();
    const timer = setTimeout(cancel, timeoutMs);
    signal?.addEventListener('abort', cancel, { once: true });
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    clearTimeout(timer);
    signal?.removeEventListener('abort', cancel);
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    const hasTimedOut = answers.some((answer) => answer.status === 'rejected' && isTimeout(answer.reason));
    return found.length > 0 || hasTimedOut ? found : fromSystem(name, signal);
  };

export const resolveName = resolveWith();

/**
 * Resolves names for one request: looks each name up once, and gives no addresses for a name that has not
 * resolved when the signal aborts. `resolve` itself need not obey the signal.
 */
export const resolveEachOnce = (signal: AbortSignal, resolve: Resolve = resolveName): Resolve => {
  const answers = new Map<string, Promise<string[]>>();
  const noAnswer = new Promise<string[]>((settle) => {
    signal.addEventListener('abort', () => settle([]), { once: true });
  });
  return async (hostname) => {
    const name = canonicalName(hostname);
    const known = answers.get(name);
    if (known) return known;
    if (signal.aborted) return [];
    const answer = Promise.race([resolve(name, signal), noAnswer]);
    answers.set(name, answer);
    return answer;
  };
};

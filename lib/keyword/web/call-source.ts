/** One call of a source: over the network through the operator's proxy, or to the sandbox. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { identityFor } from '../../fetcher/identity.ts';
import type { Provider, SourceRequest, SourceResult } from '../../model/source.ts';
import { acceptEncoding } from '../../net/content-coding.ts';
import type { CookieJar } from '../../net/cookie-jar.ts';
import { setting } from '../../runtime/env.ts';
import type { Sent } from './over-network.ts';
import { isSandboxSource, type Source } from './source.ts';

/** What the calls of one request share. */
export type Conversation = {
  source: Source;
  isoCode: string;
  language: string;
  /** Gives the calls one exit address of the proxy. */
  session: string;
  cookies?: CookieJar;
};

export const newConversation = (fields: Omit<Conversation, 'session'>): Conversation => ({
  ...fields,
  session: randomUUID().replaceAll('-', '').slice(0, 12),
});

/** The headers of a script's request: not those of a navigation, because the answers are no pages. */
const headersFor = (language: string): Record<string, string> => {
  const { headers } = identityFor('desktop', language);
  return {
    'user-agent': headers['user-agent'] ?? '',
    accept: '*/*',
    'accept-language': headers['accept-language'] ?? '',
    'accept-encoding': acceptEncoding,
  };
};

/** Imported on demand: half of the area's code is for connections and proxies, and most of its requests need none. */
const importNetwork = () => import('./over-network.ts');

/** The sandbox is imported on demand. `#sandbox-source` is in package.json; the bundle of a live stage does not contain it. */
const importSandbox = () => import('#sandbox-source');

const send = async (
  conversation: Conversation,
  { url, headers: own }: SourceRequest,
  deadlineMs: number,
): Promise<Sent> => {
  const cookie = conversation.cookies?.headerFor(new URL(url)) ?? '';
  const headers = { ...headersFor(conversation.language), ...own, ...(cookie && { cookie }) };
  if (!isSandboxSource(conversation.source)) {
    const { overNetwork } = await importNetwork();
    return overNetwork(conversation, { url, headers }, deadlineMs);
  }
  const { sandboxSource } = await importSandbox();
  const { delayMs, cut, ...answer } = sandboxSource({ url, headers }, setting('SANDBOX_MISFORTUNE'));
  await sleep(Math.min(delayMs, deadlineMs));
  if (delayMs > deadlineMs)
    return { outcome: 'failed', reason: 'timeout: the answer did not arrive in time' };
  if (cut) return { outcome: 'failed', reason: `unreachable: ${cut}` };
  return { answer, setCookies: answer.headers['set-cookie'] ? [answer.headers['set-cookie']] : [] };
};

/** Asks a source once, and reads its answer. Cookies of the answer are kept, in the name of the source's real address. */
export const callSource = async <Asked, Value>(
  conversation: Conversation,
  { request, read }: Provider<Asked, Value>,
  asked: Asked,
  deadlineMs: number,
): Promise<SourceResult<Value>> => {
  const what = request(asked);
  const sent = await send(conversation, what, deadlineMs);
  if ('outcome' in sent) return sent;
  conversation.cookies?.keep(new URL(what.url), sent.setCookies);
  return read(sent.answer);
};

/**
 * Sends one request to a source as a script in a browser does: over the network, or to the sandbox. Keeps the
 * cookies of the answer.
 */
import { identityFor } from '../../fetcher/identity.ts';
import { acceptEncoding } from '../../net/content-coding.ts';
import type { Fault, Problem, ProviderAnswer, ProviderRequest, Read } from '../../provider/contract.ts';
import { answerInSandbox } from '../answer-in-sandbox.ts';
import type { Conversation } from './conversation.ts';
import { isSandboxSource } from './source.ts';

/** The headers of a script's request: not those of a navigation, because the answers are not pages. */
const headersFor = (language: string): Record<string, string> => {
  const { headers } = identityFor('desktop', language);
  return {
    'user-agent': headers['user-agent'] ?? '',
    accept: '*/*',
    'accept-language': headers['accept-language'] ?? '',
    'accept-encoding': acceptEncoding,
  };
};

/**
 * Imported on demand: half of the area's code is for connections and proxies, and most of its requests need
 * none.
 */
const importNetwork = () => import('./send-over-network.ts');

/** What a word says about the source. Other words are those of a connection that failed. */
const problems: Readonly<Record<string, Problem>> = { timeout: 'timeout', malformed: 'malformed' };

/** `reason` is a stable word (`unreachable`, `timeout`, `malformed`), a colon and a sentence. */
const networkFault = (reason: string): Fault => {
  const [word = '', sentence = ''] = reason.split(/: (.*)/s);
  return { ok: false, problem: problems[word] ?? 'down', word, reason: sentence };
};

const send = async (conversation: Conversation, request: ProviderRequest, deadlineMs: number) => {
  if (!isSandboxSource(conversation.source)) {
    const { sendOverNetwork } = await importNetwork();
    return sendOverNetwork(conversation, request, deadlineMs);
  }
  const answer = await answerInSandbox(request, deadlineMs);
  if (!answer.ok) return answer;
  const { 'set-cookie': cookie } = answer.headers;
  return { ...answer, setCookies: cookie ? [cookie] : [] };
};

/** Sends a request once. Cookies of the answer are kept, in the name of the source's real address. */
export const sendRequest = async (
  conversation: Conversation,
  request: ProviderRequest,
  deadlineMs: number,
): Promise<Read<ProviderAnswer>> => {
  const url = new URL(request.url);
  const cookie = conversation.cookies?.headerFor(url) ?? '';
  const headers = { ...headersFor(conversation.language), ...request.headers, ...(cookie && { cookie }) };
  const answer = await send(conversation, { ...request, headers }, deadlineMs);
  if (!answer.ok) return networkFault(answer.reason);
  conversation.cookies?.keep(url, answer.setCookies);
  return { ok: true, value: answer };
};

/**
 * Sends one request to the source of volumes, or to its double in the sandbox. Makes a network failure a
 * fault of the source.
 */
import { atOrigin } from '../../net/origin.ts';
import type { Fault, ProviderAnswer, ProviderRequest, Read } from '../../provider/contract.ts';
import { answerInSandbox } from '../answer-in-sandbox.ts';
import { customOrigin, isSandbox, volumeSource } from './source.ts';

/** 10,000 keywords with the figures of a year are 8 MB of JSON. */
const maxBytes = 32 * 1024 * 1024;

/** `reason` is a stable word, a colon and a sentence. */
const networkFault = (reason: string): Fault => {
  const { title } = volumeSource();
  const [word, sentence = reason] = reason.split(/: (.*)/s);
  return word === 'timeout'
    ? { ok: false, problem: 'timeout', word: 'timeout', reason: `${title} did not answer in time` }
    : {
        ok: false,
        problem: 'down',
        word: 'unreachable',
        reason: `${title} could not be reached (${sentence})`,
      };
};

const sendOverNetwork = async ({ url, ...request }: ProviderRequest, deadlineMs: number) => {
  // Imported on demand: most requests of the area need no connection, but its code would slow down every cold
  // start.
  const { callApi } = await import('../../net/call-api.ts');
  return callApi({ ...request, ...atOrigin(url, customOrigin()), deadlineMs, maxBytes });
};

/** Sends a request within `deadlineMs`. */
export const sendRequest = async (
  request: ProviderRequest,
  deadlineMs: number,
): Promise<Read<ProviderAnswer>> => {
  const send = isSandbox() ? answerInSandbox : sendOverNetwork;
  const answer = await send(request, deadlineMs);
  return answer.ok ? { ok: true, value: answer } : networkFault(answer.reason);
};

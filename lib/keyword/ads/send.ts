/** Sends one request to Google Ads or to its double in the sandbox. Makes a network failure a fault of the provider. */
import { setTimeout as sleep } from 'node:timers/promises';
import { origin } from '../../provider/google-ads/call.ts';
import { tokenOrigin } from '../../provider/google-ads/token.ts';
import type { Fault, ProviderAnswer, ProviderRequest, Read } from '../../provider/provider.ts';
import { clock } from '../../runtime/clock.ts';
import { setting } from '../../runtime/env.ts';
import { customOrigin, isSandbox } from './source.ts';

/** 10,000 keywords with the figures of a year are 8 MB of JSON. */
const maxBytes = 32 * 1024 * 1024;

/** `reason` is a stable word, a colon and a sentence. */
const networkFault = (reason: string): Fault => {
  const [word, sentence = reason] = reason.split(/: (.*)/s);
  return word === 'timeout'
    ? { ok: false, problem: 'timeout', reason: 'Google Ads did not answer in time' }
    : { ok: false, problem: 'down', reason: `Google Ads could not be reached (${sentence})` };
};

const sendToSandbox = async (request: ProviderRequest, deadlineMs: number): Promise<Read<ProviderAnswer>> => {
  // Imported on demand, so that a live stage has none of the sandbox.
  const { sandboxAds } = await import('#sandbox-provider');
  const answer = sandboxAds(request, clock(), setting('SANDBOX_MISFORTUNE') || undefined);
  await sleep(Math.min(answer.delayMs, deadlineMs));
  if (answer.delayMs > deadlineMs) return networkFault('timeout: the answer did not arrive in time');
  if (answer.cut) {
    const end = answer.body === '' ? 'was reset' : 'ended too early';
    return networkFault(`unreachable: the connection ${end}`);
  }
  return { ok: true, value: answer };
};

/** Sends a request within `deadlineMs`. `isToken`: the request goes to the token service, which has a separate origin. */
export const sendToAds = async (
  request: ProviderRequest,
  deadlineMs: number,
  isToken = false,
): Promise<Read<ProviderAnswer>> => {
  if (isSandbox()) return sendToSandbox(request, deadlineMs);
  // Imported on demand: most requests of the area need no connection, but its code would slow down every cold start.
  const { callApi } = await import('../../net/call-api.ts');
  const custom = customOrigin();
  const { method, path, headers, body } = request;
  const answer = await callApi({
    method,
    url: `${custom ? new URL(custom).origin : isToken ? tokenOrigin : origin}${path}`,
    headers,
    body,
    deadlineMs,
    maxBytes,
    ...(custom && { exempt: custom }),
  });
  return answer.ok ? { ok: true, value: answer } : networkFault(answer.reason);
};

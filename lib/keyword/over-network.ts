/** A call of a source over the network: at its origin or the operator's, through the proxy that the engine's pages have. */
import { proxyAuthority, proxyFor } from '../fetcher/proxy.ts';
import type { SourceAnswer, SourceFailure, SourceRequest } from '../model/source.ts';
import { getOnce } from '../net/get-once.ts';
import { withOrigin } from '../net/origin.ts';
import type { Conversation } from './call-source.ts';
import { sourceOrigin } from './source.ts';

export type Sent = { answer: SourceAnswer; setCookies: string[] } | SourceFailure;

/** Sends the request. @throws if the operator has chosen a proxy that the secret does not contain. */
export const overNetwork = async (
  { source, isoCode, session }: Conversation,
  { url, headers }: SourceRequest,
  deadlineMs: number,
): Promise<Sent> => {
  const origin = sourceOrigin(source);
  const proxyUrl = await proxyFor({ engine: source.engine, iso_code: isoCode }, { fetcher: 'http', session });
  const proxyCa = proxyUrl && (await proxyAuthority());
  const gotten = await getOnce({
    url: origin ? withOrigin(url, origin) : url,
    headers,
    deadlineMs,
    ...(origin && { exempt: origin }),
    ...(proxyUrl && { proxyUrl }),
    ...(proxyCa && { proxyCa }),
  });
  if (!gotten.ok) return { outcome: 'failed', reason: gotten.reason };
  const { status, headers: received, setCookies, body } = gotten;
  return { answer: { status, headers: received, body }, setCookies };
};

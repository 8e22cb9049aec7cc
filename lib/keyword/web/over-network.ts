/** A call of a source over the network: at its origin or the operator's, through the proxy that the engine's pages have. */
import { proxyAuthority, proxyFor } from '../../fetcher/proxy.ts';
import type { SourceAnswer, SourceFailure, SourceRequest } from '../../model/source.ts';
import { callApi } from '../../net/call-api.ts';
import { withOrigin } from '../../net/origin.ts';
import type { Conversation } from './call-source.ts';
import { sourceOrigin } from './source.ts';

/** Ten times the size of a usual answer, and less than DynamoDB stores in a row. */
const maxBytes = 350 * 1024;

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
  const answered = await callApi({
    method: 'GET',
    url: origin ? withOrigin(url, origin) : url,
    headers,
    deadlineMs,
    maxBytes,
    ...(origin && { exempt: origin }),
    ...(proxyUrl && { proxyUrl }),
    ...(proxyCa && { proxyCa }),
  });
  if (!answered.ok) return { outcome: 'failed', reason: answered.reason };
  const { status, headers: received, setCookies, body } = answered;
  return { answer: { status, headers: received, body }, setCookies };
};

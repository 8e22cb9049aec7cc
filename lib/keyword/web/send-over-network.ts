/**
 * Sends a request to a source over the network: to its origin or the operator's, through the proxy that the
 * engine's pages have.
 */
import { proxyAuthority, proxyFor } from '../../fetcher/proxy.ts';
import { type ApiAnswer, callApi } from '../../net/call-api.ts';
import { atOrigin } from '../../net/origin.ts';
import type { ProviderRequest } from '../../provider/contract.ts';
import type { Conversation } from './conversation.ts';
import { sourceOrigin } from './source.ts';

/** Ten times the size of a usual answer, and less than DynamoDB stores in a row. */
const maxBytes = 350 * 1024;

/** Sends the request. @throws if the operator has chosen a proxy that the secret does not contain. */
export const sendOverNetwork = async (
  { source, isoCode, session }: Conversation,
  { url, ...request }: ProviderRequest,
  deadlineMs: number,
): Promise<ApiAnswer> => {
  const proxyUrl = await proxyFor({ engine: source.engine, iso_code: isoCode }, { fetcher: 'http', session });
  const proxyCa = proxyUrl && (await proxyAuthority());
  return callApi({
    ...request,
    ...atOrigin(url, sourceOrigin(source)),
    deadlineMs,
    maxBytes,
    ...(proxyUrl && { proxyUrl }),
    ...(proxyCa && { proxyCa }),
  });
};

/** The fetcher `upstream`: a provider that fetches the pages of a search on the service's behalf, and calls back when it has them. */
import { type EngineName, hasUpstream } from '../model/engine.ts';
import { callApi } from '../net/call-api.ts';
import { withOrigin } from '../net/origin.ts';
import * as provider from '../provider/dataforseo.ts';
import { resource, setting } from '../runtime/env.ts';
import { keepSecret } from '../runtime/secret.ts';
import { isSandbox } from './choose.ts';

const credentials = keepSecret(resource('UPSTREAM_CREDENTIALS_SECRET'));

/** The provider creates a task in less than a second. The answer with ten pages has up to 20 MB. */
const limits = {
  order: { deadlineMs: 15_000, maxBytes: 1024 * 1024 },
  collect: { deadlineMs: 30_000, maxBytes: 40 * 1024 * 1024 },
};

/** Whether the provider's pages come from an origin that the operator set, which may replay older pages. */
export const isUpstreamReplay = (): boolean => setting('UPSTREAM_ORIGIN') !== '';

/**
 * Whether the provider can be asked for pages of the engine. Not without credentials; and not while the pages come from the sandbox, unless
 * the operator has set the provider's origin too.
 */
export const isUpstreamOffered = async (engine: EngineName): Promise<boolean> =>
  hasUpstream(engine) && (isUpstreamReplay() || !isSandbox(engine)) && (await credentials()) !== '';

const send = async (
  { method, path, body }: provider.ProviderRequest,
  limit: { deadlineMs: number; maxBytes: number },
): Promise<provider.ProviderAnswer | provider.Fault> => {
  const secret = await credentials();
  // The operator has removed the credentials since the fetcher was chosen.
  if (secret === '') return { outcome: 'account', code: 0, reason: 'the service has no credentials' };
  const origin = setting('UPSTREAM_ORIGIN');
  const answer = await callApi({
    method,
    url: withOrigin(`${provider.origin}${path}`, origin || provider.origin),
    headers: {
      ...provider.headersFor(secret),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body }),
    ...(origin && { exempt: origin }),
    ...limit,
  });
  if (answer.ok) return answer;
  return { outcome: 'broken', code: 0, reason: 'the provider did not answer' };
};

/** Orders the pages of a search. Repeated orders are separate tasks of the provider, each of which costs money. */
export const orderPages = async (search: provider.OrderedSearch): Promise<provider.OrderAnswer> => {
  const answer = await send(provider.orderRequest(search), limits.order);
  return 'outcome' in answer ? answer : provider.readOrder(answer);
};

/** Collects the pages of an ordered search, as often as necessary. */
export const collectPagesOf = async (engine: EngineName, id: string): Promise<provider.CollectAnswer> => {
  const answer = await send(provider.collectRequest(engine, id), limits.collect);
  return 'outcome' in answer ? answer : provider.readPages(answer, id);
};

export type { Fault } from '../provider/dataforseo.ts';
export { isTaskId } from '../provider/dataforseo.ts';

/** The fetcher `upstream`: a provider that fetches the pages of a search on the service's behalf, and calls back when it has them. */
import type { EngineName } from '../model/engine.ts';
import { callApi } from '../net/call-api.ts';
import { withOrigin } from '../net/origin.ts';
import * as provider from '../provider/dataforseo.ts';
import { stopwatch } from '../runtime/clock.ts';
import { setting } from '../runtime/env.ts';
import { upstreamCredentials } from './upstream-offer.ts';

/** The provider creates a task in less than a second. The answer with ten pages has up to 20 MB. */
const limits = {
  order: { deadlineMs: 15_000, maxBytes: 1024 * 1024 },
  collect: { deadlineMs: 30_000, maxBytes: 40 * 1024 * 1024 },
  // For all lists of a search together. A task of a list has up to 4 KB: its request is in it.
  list: { deadlineMs: 10_000, maxBytes: 8 * 1024 * 1024 },
};

const send = async (
  { method, path, body }: provider.ProviderRequest,
  limit: { deadlineMs: number; maxBytes: number },
): Promise<provider.ProviderAnswer | provider.Fault> => {
  const secret = await upstreamCredentials();
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

/** Orders the pages of a search. Repeated orders are separate tasks of the provider, each of which costs money: ask `findOrder` first. */
export const orderPages = async (search: provider.OrderedSearch): Promise<provider.OrderAnswer> => {
  const answer = await send(provider.orderRequest(search), limits.order);
  return 'outcome' in answer ? answer : provider.readOrder(answer);
};

/** The clock of the provider may differ from ours by so much. */
const skewSeconds = 60;

/**
 * Finds the order of a search among those that the provider accepted between two times (Unix seconds), by its tag. `none`: the provider has
 * no such order. A fault says nothing about the search: it is that of the list.
 */
export const findOrder = async (
  tags: ReadonlySet<string>,
  { from, to }: { from: number; to: number },
): Promise<provider.OrderAnswer | { outcome: 'none' }> => {
  const end = stopwatch() + limits.list.deadlineMs;
  for (let offset = 0; ; offset += provider.listLimit) {
    const deadlineMs = Math.floor(end - stopwatch());
    if (deadlineMs <= 0) {
      return { outcome: 'broken', code: 0, reason: 'the provider did not list its searches in time' };
    }
    const request = provider.listRequest(from - skewSeconds, to, offset);
    const answer = await send(request, { ...limits.list, deadlineMs });
    const list = 'outcome' in answer ? answer : provider.readList(answer);
    if (list.outcome !== 'listed') {
      // The provider has refused the list, not the search.
      return list.outcome === 'refused' ? { ...list, outcome: 'broken' } : list;
    }
    const found = list.tasks.find(({ id, tag }) => tags.has(tag) && provider.isTaskId(id));
    if (found) return { outcome: 'accepted', id: found.id };
    if (list.tasks.length < provider.listLimit) return { outcome: 'none' };
  }
};

/** Collects the pages of an ordered search, as often as necessary. */
export const collectPagesOf = async (engine: EngineName, id: string): Promise<provider.CollectAnswer> => {
  const answer = await send(provider.collectRequest(engine, id), limits.collect);
  return 'outcome' in answer ? answer : provider.readPages(answer, id);
};

export type { Fault } from '../provider/dataforseo.ts';
export { isTaskId } from '../provider/dataforseo.ts';

/**
 * The fetcher `upstream`: a provider that fetches the pages of a search on the service's behalf, and calls
 * back when it has them.
 */
import type { EngineName } from '../model/engine.ts';
import { callApi } from '../net/call-api.ts';
import { atOrigin } from '../net/origin.ts';
import type { ProviderAnswer, ProviderRequest, Read } from '../provider/contract.ts';
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

/** Sends a request with the operator's credentials, and reads its answer. */
const callProvider = async <Value>(
  request: (credentials: string) => ProviderRequest,
  read: (answer: ProviderAnswer) => Read<Value>,
  limit: { deadlineMs: number; maxBytes: number },
): Promise<Read<Value>> => {
  const secret = await upstreamCredentials();
  // The operator has removed the credentials since the fetcher was chosen.
  if (secret === '') return provider.upstreamFault('credentials', 0, 'the service has no credentials');
  const { url, ...rest } = request(secret);
  const answer = await callApi({
    ...rest,
    ...atOrigin(url, setting('UPSTREAM_ORIGIN')),
    ...limit,
  });
  return answer.ok ? read(answer) : provider.upstreamFault('down', 0, 'the provider did not answer');
};

/**
 * Orders the pages of a search, and gives the id of the order. Repeated orders are separate tasks of the
 * provider, each of which costs money: ask `findOrder` first.
 */
export const orderPages = (search: provider.OrderedSearch): Promise<Read<string>> =>
  callProvider((credentials) => provider.orderRequest(credentials, search), provider.readOrder, limits.order);

/** The clock of the provider may differ from ours by so much. */
const skewSeconds = 60;

/**
 * Finds the id of a search's order among those that the provider accepted between two times (Unix seconds),
 * by its tag. Null: the provider has no such order. A fault says nothing about the search: it is that of the
 * list.
 */
export const findOrder = async (
  tags: ReadonlySet<string>,
  { from, to }: { from: number; to: number },
): Promise<Read<string | null>> => {
  const end = stopwatch() + limits.list.deadlineMs;
  for (let offset = 0; ; offset += provider.listLimit) {
    const deadlineMs = Math.floor(end - stopwatch());
    if (deadlineMs <= 0) {
      return provider.upstreamFault('timeout', 0, 'the provider did not list its searches in time');
    }
    const list = await callProvider(
      (credentials) => provider.listRequest(credentials, { from: from - skewSeconds, to, offset }),
      provider.readList,
      { ...limits.list, deadlineMs },
    );
    if (!list.ok) {
      // The provider has refused the list, not the search.
      return list.problem === 'rejected' ? { ...list, problem: 'down' } : list;
    }
    const found = list.value.find(({ id, tag }) => tags.has(tag) && provider.isTaskId(id));
    if (found) return { ok: true, value: found.id };
    if (list.value.length < provider.listLimit) return { ok: true, value: null };
  }
};

/** Collects the pages of an ordered search, as often as necessary. Null: they are not ready yet. */
export const collectPagesOf = (
  engine: EngineName,
  id: string,
): Promise<Read<provider.DeliveredPage[] | null>> =>
  callProvider(
    (credentials) => provider.collectRequest(credentials, engine, id),
    (answer) => provider.readPages(answer, id),
    limits.collect,
  );

export { type Fault, isOfAccount, isPassing } from '../provider/contract.ts';
export { isTaskId } from '../provider/dataforseo.ts';

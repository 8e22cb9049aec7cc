/** A client like a user's own: sends JSON over HTTP and polls with a deadline. */

import { idempotencyHeader } from '../../lib/model/idempotency.ts';
import type { V1Task } from '../../lib/model/v1-task.ts';
import type { V2Task } from '../../lib/model/v2-task.ts';
import { patienceMs, until } from './until.ts';

export type Client = ReturnType<typeof clientOf>;

export const finalStates: readonly string[] = ['success', 'error', 'dead_letter'];

/**
 * The emulator ends the process of a function that it updates, also during a call. A busy machine may start a
 * process slower than the time limit of its function.
 */
const endedByEmulator = /"(?:Worker process died|Task timed out)|Sandbox\.Timedout/;

const lateVerdict = /\btimeout\b/;

/**
 * As `fetch` of a path of `/compat`, and again while the answer says that a search did not end while the
 * request waited. A busy machine can take longer for some searches.
 */
export const fetchInTime = async (url: string, init: RequestInit = {}): Promise<Response> => {
  const answer = await fetch(url, init);
  if (!lateVerdict.test(answer.headers.get('x-search-verdict') ?? '')) return answer;
  await answer.body?.cancel();
  return fetchInTime(url, init);
};

/** A busy machine can take longer for some pages than a page may take. */
const mostSearches = 10;

/** The task of `search`, and of a further search while a page of it was not ready in time. */
export const searchedInTime = async <Task extends { error_message: string | null }>(
  search: () => Promise<Task>,
  left = mostSearches,
): Promise<Task> => {
  const task = await search();
  return left > 1 && lateVerdict.test(task.error_message ?? '') ? searchedInTime(search, left - 1) : task;
};

const isRepeatable = ({ method = 'GET', headers = {} }: RequestInit): boolean =>
  method === 'GET' || new Headers(headers).has(idempotencyHeader);

export const clientOf = (service: { url: string; apiKey: string }) => {
  const call = (path: string, init: RequestInit = {}) =>
    fetch(`${service.url}${path}`, {
      ...init,
      headers: {
        authorization: `Bearer ${service.apiKey}`,
        'content-type': 'application/json',
        ...init.headers,
      },
      signal: AbortSignal.timeout(patienceMs),
    });
  const json = async <T>(path: string, init: RequestInit = {}, isRepeated = false): Promise<T> => {
    const reply = await call(path, init);
    if (reply.status === 200) return (await reply.json()) as T;
    const text = await reply.text();
    const isEnded = reply.status === 502 && endedByEmulator.test(text);
    // 409: the ended request has begun to accept the same one.
    if (isRepeatable(init) && (isEnded || (isRepeated && reply.status === 409))) {
      await new Promise((resolve) => setTimeout(resolve, 1000));
      return json(path, init, true);
    }
    throw new Error(`${path} answered ${reply.status}: ${text}`);
  };
  const read = (id: number) => json<V2Task>(`/api/v2/serp/crawl/${id}`);
  const search = (fields: Record<string, unknown> = {}) =>
    json<V2Task>('/api/v2/serp/crawl', {
      method: 'POST',
      body: JSON.stringify({ keyword: 'coffee', location_name: 'United States', iso_code: 'US', ...fields }),
    });
  const finalOf = async <Task extends { status: string }>(
    id: number,
    readTask: (id: number) => Promise<Task>,
    withinMs = patienceMs,
  ): Promise<Task> => {
    let task: Task | undefined;
    const isFinal = async () => {
      task = await readTask(id);
      return finalStates.includes(task.status);
    };
    await until(isFinal, () => `task ${id} is still ${task?.status}`, withinMs);
    if (!task) throw new Error(`task ${id} was not read`);
    return task;
  };
  const finished = (id: number, withinMs?: number) => finalOf(id, read, withinMs);
  /** Waits for one task after the other: to look at all of them would take the processor from their work. */
  const eachInTurn = async <Task>(ids: readonly number[], finalTask: (id: number) => Promise<Task>) => {
    const ended: Task[] = [];
    for (const id of ids) ended.push(await finalTask(id));
    return ended;
  };
  const searchV1 = (engine: string, fields: Record<string, unknown> = {}) =>
    json<V1Task>(`/api/v1/serp/${engine}/crawl`, {
      method: 'POST',
      body: JSON.stringify({ keyword: 'coffee', location_name: 'United States', iso_code: 'US', ...fields }),
    });
  const finishedV1 = (id: number) => finalOf(id, (each) => json<V1Task>(`/api/v1/serp/crawl/${each}`));
  return {
    call,
    json,
    read,
    search,
    finished,
    allFinished: (ids: readonly number[]) => eachInTurn(ids, finished),
    /** Posts a search and returns the task in its final state. */
    searched: async (fields: Record<string, unknown> = {}) => finished((await search(fields)).id),
    searchV1,
    finishedV1,
    allFinishedV1: (ids: readonly number[]) => eachInTurn(ids, finishedV1),
    /** As `searched`, with an engine of v1. */
    searchedV1: async (engine: string, fields: Record<string, unknown> = {}) =>
      finishedV1((await searchV1(engine, fields)).id),
  };
};

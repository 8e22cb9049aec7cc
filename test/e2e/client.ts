/** A client like a user's own: sends JSON over HTTP and polls with a deadline. */

import type { V1Task } from '../../lib/model/v1-task.ts';
import type { V2Task } from '../../lib/model/v2-task.ts';
import { patienceMs, until } from './until.ts';

export type Client = ReturnType<typeof clientOf>;

const finalStates = ['success', 'error', 'dead_letter'];

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
  const json = async <T>(path: string, init?: RequestInit): Promise<T> => {
    const reply = await call(path, init);
    if (reply.status !== 200) throw new Error(`${path} answered ${reply.status}: ${await reply.text()}`);
    return (await reply.json()) as T;
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
    /** Posts a search and returns the task in its final state. */
    searched: async (fields: Record<string, unknown> = {}) => finished((await search(fields)).id),
    searchV1,
    finishedV1,
    /** As `searched`, with an engine of v1. */
    searchedV1: async (engine: string, fields: Record<string, unknown> = {}) =>
      finishedV1((await searchV1(engine, fields)).id),
  };
};

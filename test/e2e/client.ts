/** A client like a user's own: sends JSON over HTTP and polls with a deadline. */

import type { V1Task } from '../../lib/model/v1-task.ts';
import type { V2Task } from '../../lib/model/v2-task.ts';

export type Client = ReturnType<typeof clientOf>;

const finalStates = ['success', 'error', 'dead_letter'];

/**
 * The pause before a task is read again. It grows with the time that has passed, because some tests wait for
 * many tasks at a time, and the requests would use the processor that the tasks need.
 */
const pauseMs = (passedMs: number): number => Math.min(1000, Math.max(50, passedMs / 5));

export const clientOf = (service: { url: string; apiKey: string }) => {
  const call = (path: string, init: RequestInit = {}) =>
    fetch(`${service.url}${path}`, {
      ...init,
      headers: {
        authorization: `Bearer ${service.apiKey}`,
        'content-type': 'application/json',
        ...init.headers,
      },
      signal: AbortSignal.timeout(60_000),
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
    withinMs = 100_000,
  ): Promise<Task> => {
    const begun = Date.now();
    for (;;) {
      const task = await readTask(id);
      if (finalStates.includes(task.status)) return task;
      const passedMs = Date.now() - begun;
      if (passedMs > withinMs) throw new Error(`task ${id} is still ${task.status}`);
      await new Promise((resolve) => setTimeout(resolve, pauseMs(passedMs)));
    }
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

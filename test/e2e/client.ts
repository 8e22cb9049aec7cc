/** A client like a user's own: sends JSON over HTTP and polls with a deadline. */
import type { GoogleSerpTask } from '../../lib/model/google-serp-task.ts';

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
      signal: AbortSignal.timeout(60_000),
    });
  const json = async <T>(path: string, init?: RequestInit): Promise<T> => {
    const reply = await call(path, init);
    if (reply.status !== 200) throw new Error(`${path} answered ${reply.status}: ${await reply.text()}`);
    return (await reply.json()) as T;
  };
  const read = (id: number) => json<GoogleSerpTask>(`/api/v2/serp/crawl/${id}`);
  const search = (fields: Record<string, unknown> = {}) =>
    json<GoogleSerpTask>('/api/v2/serp/crawl', {
      method: 'POST',
      body: JSON.stringify({ keyword: 'coffee', location_name: 'United States', iso_code: 'US', ...fields }),
    });
  const finished = async (id: number, withinMs = 100_000): Promise<GoogleSerpTask> => {
    const deadline = Date.now() + withinMs;
    for (;;) {
      const task = await read(id);
      if (finalStates.includes(task.status)) return task;
      if (Date.now() > deadline) throw new Error(`task ${id} is still ${task.status}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  return {
    call,
    json,
    read,
    search,
    finished,
    /** Posts a search and returns the task in its final state. */
    searched: async (fields: Record<string, unknown> = {}) => finished((await search(fields)).id),
  };
};

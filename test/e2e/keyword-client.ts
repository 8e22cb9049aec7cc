/** Keyword tasks as a client uses them: posts keywords in batches, and waits until all of them are final. */
import type { IdeasTask, KeywordDataTask, ListKeywordDataTask } from '../../lib/model/keyword-task.ts';
import type { Client } from './client.ts';
import { patienceMs, until } from './until.ts';

const batch = 1000;

const isFinal = ({ status }: { status: string }): boolean =>
  ['success', 'error', 'dead_letter'].includes(status);

export const keywordsOf = ({ json }: Client) => {
  const read = (id: number) => json<KeywordDataTask>(`/api/v1/keyword-sv/${id}`);
  const list = (query = '') => json<ListKeywordDataTask>(`/api/v1/keyword-sv${query}`);
  const finalOf = async <Task extends { status: string }>(
    readTask: () => Promise<Task>,
    withinMs: number,
  ) => {
    let task = await readTask();
    const ended = async () => {
      if (!isFinal(task)) task = await readTask();
      return isFinal(task);
    };
    await until(ended, () => `the task is still in ${task.status}`, withinMs);
    return task;
  };
  return {
    read,
    list,
    /** Posts keywords as tasks, 1,000 with a request. */
    post: async (requests: readonly object[]): Promise<KeywordDataTask[]> => {
      const tasks: KeywordDataTask[] = [];
      for (let from = 0; from < requests.length; from += batch) {
        const body = JSON.stringify(requests.slice(from, from + batch));
        tasks.push(...(await json<KeywordDataTask[]>('/api/v1/keyword-sv', { method: 'POST', body })));
      }
      return tasks;
    },
    finalOf: (id: number, withinMs = patienceMs) => finalOf(() => read(id), withinMs),
    /** Waits until all tasks of the user are final. */
    allFinal: (withinMs?: number): Promise<void> =>
      until(
        async () =>
          (await list('?status=awaiting')).num_items + (await list('?status=parsing')).num_items === 0,
        'some tasks are still in awaiting or parsing',
        withinMs,
      ),
    ideas: async (body: object): Promise<IdeasTask> => {
      const { id } = await json<IdeasTask>('/api/v1/keyword-research/ideas', {
        method: 'POST',
        body: JSON.stringify(body),
      });
      return finalOf(() => json<IdeasTask>(`/api/v1/keyword-research/ideas/${id}`), patienceMs);
    },
  };
};

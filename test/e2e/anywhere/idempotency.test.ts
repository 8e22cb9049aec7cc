/** The `Idempotency-Key` and the list of v1 through the gateway, as a client uses them. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { V1Task, V1TaskList } from '../../../lib/model/v1-task.ts';
import type { V2Task } from '../../../lib/model/v2-task.ts';
import { clientOf } from '../client.ts';
import { sharedService } from '../injected-service.ts';

const client = clientOf(sharedService());

const place = { location_name: 'United States', iso_code: 'US' };
const post = (path: string, key: string, body: unknown) =>
  client.call(path, { method: 'POST', body: JSON.stringify(body), headers: { 'Idempotency-Key': key } });

test.concurrent.each(['/api/v2/serp/crawl', '/api/v1/serp/bing/crawl'])(
  'requests with one key at once create one task: %s',
  async (path) => {
    const key = randomUUID();
    const body = { ...place, keyword: `once ${key}` };
    const replies = await Promise.all(Array.from({ length: 8 }, () => post(path, key, body)));

    const tasks: { id: number }[] = [];
    for (const reply of replies) {
      if (reply.status === 200) tasks.push((await reply.json()) as { id: number });
      else expect([reply.status, reply.headers.get('retry-after')]).toEqual([409, '1']);
    }
    expect(new Set(tasks.map(({ id }) => id)).size).toBe(1);
    const again = await post(path, key, body);
    expect([again.status, await again.json()]).toEqual([200, tasks[0]]);
    expect((await post(path, key, { ...body, keyword: 'other' })).status).toBe(422);
  },
);

test.concurrent('a batch that is sent again has the same tasks, and each of them ends once', async () => {
  const key = randomUUID();
  const path = '/api/v2/serp/crawl/google/batch';
  const body = Array.from({ length: 30 }, (_, n) => ({ ...place, keyword: `batch ${key} ${n}` }));
  const first = (await (await post(path, key, body)).json()) as V2Task[];
  const ended = await client.allFinished(first.map(({ id }) => id));

  const again = (await (await post(path, key, body)).json()) as V2Task[];

  expect(again).toEqual(first);
  expect(ended.map(({ status, retries_count }) => [status, retries_count])).toEqual(
    first.map(() => ['success', 0]),
  );
  expect(await Promise.all(first.map(({ id }) => client.read(id)))).toEqual(ended);
});

test.concurrent('the list has each task once, newest first, over all its pages', async () => {
  const body = Array.from({ length: 30 }, (_, n) => ({ ...place, keyword: `listed ${randomUUID()} ${n}` }));
  const created = await client.json<V1Task[]>('/api/v1/serp/crawl/bing/batch', {
    method: 'POST',
    body: JSON.stringify(body),
  });
  const ended = await client.allFinishedV1(created.map(({ id }) => id));

  const listed: V1Task[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: V1TaskList = await client.json<V1TaskList>(`/api/v1/serp/crawl?cursor=${cursor}`);
    expect(page.num_items).toBe(page.items.length);
    listed.push(...page.items);
    cursor = page.cursor;
  }

  const ids = listed.map(({ id }) => id);
  expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => b - a));
  expect(listed.filter(({ id }) => created.some((task) => task.id === id))).toEqual(ended.toReversed());
});

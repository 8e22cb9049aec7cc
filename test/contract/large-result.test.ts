/** A task whose result is larger than a response of Lambda may be. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { detailOf, onePath, type Service, startService } from './service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

/** A finished task of the service's user, whose result has one item with this snippet. */
const givenTask = async (snippet: string): Promise<number> => {
  const { id, user_id } = JSON.parse((await service.call()).body);
  const { moveRow, readRow } = await import('../../lib/store/tasks.ts');
  const { putResult } = await import('../../lib/store/put-result.ts');
  const row = await readRow(user_id, id);
  if (!row) throw new Error('The task is missing');
  const item = {
    type: 'organic',
    position: '1',
    title: 't',
    url: '',
    breadcrumb: '',
    snippet,
    absolute_position: 1,
  };
  const result = { left: [{ ...item, type: 'organic' as const }], right: [] };
  const stored = await putResult(
    { user_id, id, attempt: 1, ttl: row.ttl },
    {
      result,
      tracking: null,
      pages: {},
      total_results: '',
      search_time: null,
    },
  );
  await moveRow(row, { from: ['awaiting'], attempt: 0 }, { status: 'success', stored });
  return id;
};

const read = (id: number) => service.call({ method: 'GET', path: `${onePath}/${id}`, body: null });

test.each([
  ['fits, as it has few quotes', 'a'.repeat(5_000_000), 200],
  ['fits, at the limit', '"'.repeat(1_490_000), 200],
  ['is too large as Lambda counts it: a quote is four bytes', '"'.repeat(1_510_000), 413],
  ['is too large in text outside of ASCII', 'ä'.repeat(3_100_000), 413],
])('a task whose result %s', async (_, snippet, status) => {
  const answer = await read(await givenTask(snippet));

  expect(answer.status).toBe(status);
  if (status === 413) {
    expect(detailOf(answer)).toBe(
      'The result of this task is larger than 6 MB: search with a smaller depth, or receive it by webhook',
    );
  } else {
    expect(JSON.parse(answer.body).result.left[0].snippet).toBe(snippet);
  }
});

/** The searches of a user and their cost. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Usage } from '../../lib/model/usage.ts';
import { crawl, type Service, startService } from './service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

/** A new user, with calls in its name. */
const newUser = async () => {
  const { apiKey } = await service.createAccount({ rate_limit: 0 });
  const headers = { Authorization: `Bearer ${apiKey}` };
  const batch = async (path: string, count: number): Promise<{ id: number; user_id: number }[]> => {
    const bodies = Array.from({ length: count }, (_, n) => ({ ...crawl, keyword: `k${n}` }));
    return JSON.parse((await service.call({ path, body: JSON.stringify(bodies), headers })).body);
  };
  const usage = async (): Promise<Usage> =>
    JSON.parse((await service.call({ method: 'GET', path: '/api/v1/usage', body: null, headers })).body);
  return { batch, usage };
};

test('counts the searches of both versions by engine, in the order of the specification', async () => {
  const { batch, usage } = await newUser();
  await batch('/api/v1/serp/crawl/yahoo/batch', 2);
  await batch('/api/v2/serp/crawl/google/batch', 3);
  await batch('/api/v1/serp/crawl/google/batch', 1);

  const { engines, total, complete, since, until } = await usage();

  expect(engines.map(({ engine, searches }) => [engine, searches])).toEqual([
    ['google', 4],
    ['yahoo', 2],
  ]);
  expect([total.searches, total.pages, complete, until - since]).toEqual([6, 0, true, 86_400]);
});

test('does not count the searches of other users', async () => {
  const { batch } = await newUser();
  await batch('/api/v2/serp/crawl/google/batch', 2);

  expect((await (await newUser()).usage()).total).toEqual({
    searches: 0,
    succeeded: 0,
    failed: 0,
    blocked: 0,
    reused: 0,
    pages: 0,
    dollars: 0,
  });
});

test('tells searches that the engine refused from other failures', async () => {
  const { moveRow } = await import('../../lib/store/tasks.ts');
  const { batch, usage } = await newUser();
  const tasks = await batch('/api/v2/serp/crawl/google/batch', 4);
  const ends = [
    { status: 'error', error_message: 'captcha: the engine asked for proof that a person is searching' },
    { status: 'error', error_message: 'timeout: the task was not finished by its deadline' },
    { status: 'dead_letter', error_message: 'machinery: the task could not be processed' },
    { status: 'success', error_message: null },
  ] as const;
  for (const [n, task] of tasks.entries()) await moveRow(task, { from: ['awaiting'] }, ends[n] ?? ends[3]);

  expect((await usage()).total).toMatchObject({ searches: 4, succeeded: 1, failed: 3, blocked: 1 });
});

test('a page costs more in the browser, and nothing if it was reused', async () => {
  const { moveRow } = await import('../../lib/store/tasks.ts');
  const dollarsOf = async (retries: number, reused: boolean): Promise<number> => {
    const { batch, usage } = await newUser();
    const [task] = await batch('/api/v2/serp/crawl/google/batch', 1);
    if (!task) throw new Error('No task was created');
    const page = { page: 1, url: '', status: 'parsed' as const, retry_count: retries, html: '' };
    await moveRow(task, { from: ['awaiting'] }, { status: 'success', pages: [page], reused });
    return (await usage()).total.dollars;
  };
  const [http, browser, none] = [
    await dollarsOf(0, false),
    await dollarsOf(2, false),
    await dollarsOf(0, true),
  ];

  expect(browser).toBeGreaterThan(http * 2);
  expect(none).toBeLessThan(http);
  expect(none).toBeGreaterThan(0);
});

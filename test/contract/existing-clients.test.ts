/** The forms of other services give nothing of another user. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { parseTaskId, taskIdOf } from '../../lib/compat/dataforseo/task-id.ts';
import { searchIdOf } from '../../lib/compat/serpapi/search-id.ts';
import { type Service, startService } from './service.ts';

let service: Service;
type User = { id: number; key: string };
let owner: User;
let stranger: User;
let uuid: string;
let taskId: number;

const makeUser = async (): Promise<User> => {
  const { account, apiKey } = await service.createAccount({ rate_limit: 0 });
  return { id: account.id, key: apiKey };
};

const ask = ({ id, key }: User, path: string, body?: unknown) =>
  service.call({
    method: body === undefined ? 'GET' : 'POST',
    path: `/compat/${path}`,
    body: body === undefined ? null : JSON.stringify(body),
    headers: { Authorization: `Basic ${Buffer.from(`${id}:${key}`).toString('base64')}` },
  });

const serpapi = ({ key }: User, path: string) =>
  service.call({ method: 'GET', path: `/compat/serpapi/${path}?api_key=${key}`, body: null, headers: {} });

const task = { keyword: 'coffee', location_code: 2840, language_code: 'en' };

beforeAll(async () => {
  service = await startService();
  [owner, stranger] = [await makeUser(), await makeUser()];
  const { body } = await ask(owner, 'dataforseo/v3/serp/google/organic/task_post', [task]);
  uuid = JSON.parse(body).tasks[0].id;
  taskId = Number.parseInt(uuid.replaceAll('-', '').slice(0, 16), 16);
  expect(taskIdOf(taskId)).toBe(uuid);
});
afterAll(() => service.stop());

const statusOf = async (user: User, form: string): Promise<number> => {
  const { body } = await ask(user, `dataforseo/v3/serp/google/organic/task_get/${form}/${uuid}`);
  return JSON.parse(body).tasks[0].status_code;
};

test.each(['regular', 'advanced', 'html'])('a task of another user is not found, as %s', async (form) => {
  expect(await statusOf(owner, form)).toBe(40602);
  expect(await statusOf(stranger, form)).toBe(40401);
});

test('a search that has not ended has no verdict yet', async () => {
  const own = await ask(owner, `dataforseo/v3/serp/google/organic/task_get/regular/${uuid}`);
  const archived = await serpapi(owner, `searches/${searchIdOf(taskId, { size: 10, from: 0 })}`);

  for (const { headers } of [own, archived]) {
    expect(headers).toMatchObject({ 'x-search-verdict': 'pending', 'x-search-crawled-at': 'none' });
  }
});

test.each(['.json', '.html', ''])(
  'a search of another user is not found in the archive (%j)',
  async (ending) => {
    const ids = [String(taskId), searchIdOf(taskId, { size: 10, from: 0 })];

    for (const id of ids) expect((await serpapi(stranger, `searches/${id}${ending}`)).status).toBe(404);
    expect((await serpapi(owner, `searches/${ids[1]}`)).status).toBe(200);
  },
);

test('a search that has ended is ready for its user only', async () => {
  const { failTask, failures } = await import('../../lib/task/fail.ts');
  await failTask({ user_id: owner.id, id: taskId }, failures.late);
  const readyOf = async (user: User) =>
    JSON.parse((await ask(user, 'dataforseo/v3/serp/google/organic/tasks_ready')).body).tasks[0].result;

  expect(await readyOf(stranger)).toEqual([]);
  expect(await readyOf(owner)).toMatchObject([{ id: uuid }]);
  expect(await statusOf(stranger, 'regular')).toBe(40401);
  expect(await readyOf(owner)).toHaveLength(1);
  expect(await statusOf(owner, 'regular')).toBe(40103);
  expect(await readyOf(owner)).toEqual([]);
});

test.each(['search_volume', 'keywords_for_keywords'])('a task of %s is of its user only', async (name) => {
  const path = `dataforseo/v3/keywords_data/google_ads/${name}`;
  const keywords = [{ keywords: ['coffee'], location_code: 2840 }];
  const { id } = JSON.parse((await ask(owner, `${path}/task_post`, keywords)).body).tasks[0];
  const codeOf = async (user: User): Promise<number> =>
    JSON.parse((await ask(user, `${path}/task_get/${id}`)).body).tasks[0].status_code;
  expect([await codeOf(owner), await codeOf(stranger)]).toEqual([40602, 40401]);

  const { failTask, failures } = await import('../../lib/task/fail.ts');
  await failTask({ user_id: owner.id, id: parseTaskId(id) ?? 0 }, failures.noMoreCalls);
  const readyOf = async (user: User) =>
    JSON.parse((await ask(user, `${path}/tasks_ready`)).body).tasks[0].result;

  expect([await readyOf(stranger), await readyOf(owner)]).toEqual([[], [expect.objectContaining({ id })]]);
  expect([await codeOf(stranger), await codeOf(owner)]).toEqual([40401, 40103]);
  expect(await readyOf(owner)).toEqual([]);
});

test('tasks count their pages, as those of a batch of our own do', async () => {
  // All requests are in one minute.
  vi.useFakeTimers({ now: Math.floor(Date.now() / 60_000) * 60_000, toFake: ['Date'] });
  try {
    // 125 pages in a minute.
    const { account, apiKey } = await service.createAccount({ rate_limit: 5 });
    const limited = { id: account.id, key: apiKey };
    const many = Array.from({ length: 100 }, (_, n) => ({ ...task, keyword: `coffee ${n}` }));
    const post = () => ask(limited, 'dataforseo/v3/serp/google/organic/task_post', many);

    // The request that reaches the limit is accepted, and no other.
    const answers = [await post(), await post(), await post()];

    expect(answers.map(({ body }) => JSON.parse(body).status_code)).toEqual([20000, 20000, 40202]);
    expect(answers[2]?.body).toContain('Too many pages');
    expect(answers[2]?.headers).toHaveProperty('retry-after');
  } finally {
    vi.useRealTimers();
  }
});

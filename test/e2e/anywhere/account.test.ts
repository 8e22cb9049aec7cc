/** Tokens, users, health and HEAD over HTTP, as a client uses them. */
import { expect, test } from 'vitest';
import { clientOf } from '../client.ts';
import { sharedService } from '../injected-service.ts';

const service = sharedService();
const { call, json } = clientOf(service);

type User = { id: number; api_key: string };
const me = () => json<User>('/api/v1/users/me');

/** `fetch` sends a form with the content type of a form. */
const getToken = async (username: string, password: string) =>
  fetch(`${service.url}/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'password', username, password }),
  });

test('a token searches and reads in place of the key', async () => {
  const { id } = await me();
  const { access_token, token_type, expires_in } = (await (
    await getToken(String(id), service.apiKey)
  ).json()) as { access_token: string; token_type: string; expires_in: number };
  expect([token_type, expires_in]).toEqual(['bearer', 3600]);

  const byToken = clientOf({ url: service.url, apiKey: access_token });
  const task = await byToken.searched({ keyword: 'coffee' });

  expect(task).toMatchObject({ status: 'success', user_id: id });
  expect(await clientOf(service).read(task.id)).toMatchObject({ id: task.id });
});

test('a wrong pair gets no token', async () => {
  const answer = await getToken('1', 'serp_none');

  expect([answer.status, await answer.json()]).toEqual([401, { detail: 'Could not validate credentials' }]);
});

test('the service is healthy, and says so without a key', async () => {
  const health = async () => {
    const answer = await fetch(`${service.url}/health`);
    return [answer.status, await answer.json()];
  };

  // Each part has three seconds for its answer, which a busy machine can take longer for: ask again.
  await expect
    .poll(health)
    .toEqual([200, { status: 'ok', parts: { table: 'ok', queue: 'ok', bucket: 'ok', secrets: 'ok' } }]);
});

test('the status shows the engines and the queues', async () => {
  const { engines, queues } = await json<{ engines: unknown[]; queues: unknown[] }>('/api/v1/status');

  expect(engines.length).toBeGreaterThan(0);
  expect(queues).toEqual(
    ['crawl', 'keyword', 'postback', 'patient', 'parked'].map((name) => expect.objectContaining({ name })),
  );
});

test.each(['/', '/health', '/api/v1/users/me', '/api/v2/serp/crawl/17'])(
  'HEAD of %s has the status and the headers of GET',
  async (path) => {
    const [get, head] = [await call(path), await call(path, { method: 'HEAD' })];
    const headers = (answer: Response) =>
      Object.fromEntries(
        ['content-type', 'cache-control', 'content-security-policy', 'x-search-source'].map((name) => [
          name,
          answer.headers.get(name),
        ]),
      );

    expect([head.status, headers(head), await head.text()]).toEqual([get.status, headers(get), '']);
    await get.body?.cancel();
  },
);

/** Users as an admin lists, changes and disables them, and replaces their keys and secrets (Reading 23). */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { hashApiKey } from '../../lib/access/api-key.ts';
import { type ApiRequest, callArea } from '../api-call.ts';
import { detailOf, type Service, startService } from './service.ts';

let service: Service;
let admin: string;
beforeAll(async () => {
  service = await startService();
  const { ensureFirstAccount } = await import('../../lib/access/first-account.ts');
  admin = (await ensureFirstAccount({ rateLimit: 0 })).apiKey;
});
afterAll(() => service.stop());

const callAs = async (key: string, method: string, path: string, request: Partial<ApiRequest> = {}) =>
  callArea(service.account, { method, path, headers: { Authorization: `Bearer ${key}` }, ...request });
const asUser = (key: string, path: string): ApiRequest => ({
  method: 'GET',
  path,
  headers: { Authorization: `Bearer ${key}` },
  body: null,
});
const bodyOf = ({ body }: { body: string }) => JSON.parse(body);

const path = '/api/v1/admin/users';
const keyOf = async (account: { id: number }, query = '') =>
  callAs(admin, 'POST', `${path}/${account.id}/api-key/rotate${query}`);
const change = (id: number | string, body: unknown, key = admin) =>
  callAs(key, 'PATCH', `${path}/${id}`, { body: JSON.stringify(body) });

/** All pages of the list. */
const listed = async (perPage: number) => {
  const users: { id: number }[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page = bodyOf(await callAs(admin, 'GET', `${path}?per_page=${perPage}&cursor=${cursor}`));
    expect(page.data.length).toBeLessThanOrEqual(perPage);
    users.push(...page.data);
    ({ cursor } = page);
  }
  return users;
};

test('are listed once each, by pages, without keys and secrets', async () => {
  const { account, apiKey, webhookSecret } = await service.createAccount({ name: 'Ada', rate_limit: 5 });

  const users = await listed(3);

  expect(new Set(users.map(({ id }) => id)).size).toBe(users.length);
  expect(users.map(({ id }) => id).toSorted((one, other) => one - other)).toEqual(
    Array.from({ length: users.length }, (_, n) => n + 1),
  );
  expect(users.find(({ id }) => id === account.id)).toEqual({
    id: account.id,
    name: 'Ada',
    email: '',
    enabled: true,
    ttl: 0,
    permissions: ['engines'],
    read_only: false,
    rate_limit: 5,
    created_at: account.created_at,
    key_hint: hashApiKey(apiKey).slice(0, 8),
    former_key: null,
    former_secret_until: null,
  });
  for (const secret of [apiKey, webhookSecret, account.signing_key, hashApiKey(apiKey)]) {
    expect(JSON.stringify(users)).not.toContain(secret);
  }
});

test('a cursor of another admin is refused', async () => {
  const { apiKey } = await service.createAccount({ permissions: ['admin'] });
  const { cursor } = bodyOf(await callAs(admin, 'GET', `${path}?per_page=1`));

  const answer = await callAs(apiKey, 'GET', `${path}?cursor=${cursor}`);

  expect([answer.status, detailOf(answer)]).toMatchObject([422, [{ loc: ['query', 'cursor'] }]]);
});

test('are disabled, enabled and limited from the next request on', async () => {
  const { account, apiKey } = await service.createAccount({ rate_limit: 0 });
  const me = async () => (await callAs(apiKey, 'GET', '/api/v1/users/me')).status;

  expect(bodyOf(await change(account.id, { enabled: false }))).toMatchObject({
    enabled: false,
    rate_limit: 0,
  });
  expect(await me()).toBe(401);
  expect(bodyOf(await change(account.id, { enabled: true, rate_limit: 2 }))).toMatchObject({
    enabled: true,
    rate_limit: 2,
  });
  expect([await me(), await me(), await me()]).toEqual([200, 200, 429]);
  expect(bodyOf(await change(account.id, {}))).toEqual(
    bodyOf(await callAs(admin, 'GET', `${path}/${account.id}`)),
  );
});

test('get a new key: the former one works until the grace ends', async () => {
  const { account, apiKey } = await service.createAccount({ rate_limit: 0 });
  const me = async (key: string) => (await callAs(key, 'GET', '/api/v1/users/me')).status;

  const { api_key, former_until } = bodyOf(await keyOf(account, '?grace=60'));

  expect([await me(apiKey), await me(api_key)]).toEqual([200, 200]);
  expect(bodyOf(await callAs(admin, 'GET', `${path}/${account.id}`))).toMatchObject({
    key_hint: hashApiKey(api_key).slice(0, 8),
    former_key: { hint: hashApiKey(apiKey).slice(0, 8), until: former_until },
  });
  expect((await keyOf(account)).status).toBe(409);
  const newest = bodyOf(await keyOf(account, '?lost=true'));
  expect([await me(apiKey), await me(api_key), await me(newest.api_key)]).toEqual([200, 401, 200]);
  const { api_key: last } = bodyOf(await keyOf(account, '?grace=0'));
  expect([await me(apiKey), await me(newest.api_key), await me(last)]).toEqual([401, 401, 200]);
});

test('get a new webhook secret', async () => {
  const { account, apiKey, webhookSecret } = await service.createAccount({ rate_limit: 0 });

  const made = bodyOf(await callAs(admin, 'POST', `${path}/${account.id}/webhook-secret/rotate`));

  expect(bodyOf(await callAs(apiKey, 'GET', '/api/v1/users/me/webhook-secret'))).toEqual({
    secret: made.secret,
    former_secret: webhookSecret,
    former_until: made.former_until,
  });
});

test('are not changed if they are admins, neither the admin itself nor another one', async () => {
  const { account, apiKey } = await service.createAccount({ permissions: ['admin'], rate_limit: 0 });

  for (const id of [1, account.id]) {
    const answers = [
      await change(id, { enabled: false }),
      await change(id, { rate_limit: 1 }),
      await keyOf({ id }, '?grace=0'),
      await callAs(admin, 'POST', `${path}/${id}/webhook-secret/rotate`),
    ];

    for (const answer of answers) {
      expect([answer.status, detailOf(answer)]).toEqual([
        409,
        `User ${id} is an admin. Only the operator can change it, with npm run user`,
      ]);
    }
  }
  expect((await callAs(apiKey, 'GET', `${path}/${account.id}`)).status).toBe(200);
});

test('keep their keys if the rotation has both a grace and `lost`', async () => {
  const { account, apiKey } = await service.createAccount({ rate_limit: 0 });

  const answer = await keyOf(account, '?grace=0&lost=true');

  expect([answer.status, detailOf(answer)]).toEqual([
    422,
    [{ loc: ['query', 'grace'], type: 'value_error', msg: 'Value error, give either grace or lost' }],
  ]);
  expect((await callAs(apiKey, 'GET', '/api/v1/users/me')).status).toBe(200);
});

test.each<[string, () => ReturnType<typeof callAs>]>([
  ['read', () => callAs(admin, 'GET', `${path}/999999`)],
  ['changed', () => change(999_999, { rate_limit: 1 })],
  ['given a key', () => keyOf({ id: 999_999 })],
  ['given a secret', () => callAs(admin, 'POST', `${path}/999999/webhook-secret/rotate`)],
  ['read as the counter of ids', () => callAs(admin, 'GET', `${path}/0`)],
  ['changed as the counter of ids', () => change(0, { enabled: false })],
  ['read with an id beyond 2^53', () => callAs(admin, 'GET', `${path}/9007199254740992`)],
])('an unknown one cannot be %s', async (_, call) => {
  const answer = await call();

  expect([answer.status, detailOf(answer)]).toEqual([
    404,
    expect.stringMatching(/^There is no (user (0|999999)|such user)$/),
  ]);
});

test.each<[string, unknown, unknown]>([
  ['a limit below 0', { rate_limit: -1 }, [{ loc: ['body', 'rate_limit'], type: 'greater_than_equal' }]],
  [
    'a limit above a million',
    { rate_limit: 1_000_001 },
    [{ loc: ['body', 'rate_limit'], type: 'less_than_equal' }],
  ],
  ['a state that is null', { enabled: null }, [{ loc: ['body', 'enabled'], type: 'bool_type' }]],
])('are not changed by %s', async (_, body, detail) => {
  const { account } = await service.createAccount({});
  const answer = await change(account.id, body);

  expect([answer.status, detailOf(answer)]).toMatchObject([422, detail]);
});

test('each change is logged with the admin, without the key', async () => {
  const { account } = await service.createAccount({});
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const { api_key } = bodyOf(await keyOf(account));
  await change(account.id, { enabled: false });
  const lines = written.mock.calls.map(([line]) => String(line));
  written.mockRestore();

  expect(
    lines.map((line) => JSON.parse(line)).filter(({ message }) => message === 'user changed'),
  ).toMatchObject([
    { admin: 1, user: account.id, key: 'rotated' },
    { admin: 1, user: account.id, enabled: false },
  ]);
  expect(lines.join('')).not.toContain(api_key);
});

test('lose and get the permission for the catalogue of engines', async () => {
  const { account, apiKey } = await service.createAccount({ rate_limit: 0 });
  const engines = async () =>
    (await callArea(service.keyword, asUser(apiKey, '/api/v1/common/engines/google'))).status;

  expect(bodyOf(await change(account.id, { permissions: [] })).permissions).toEqual([]);
  expect(await engines()).toBe(403);
  expect(bodyOf(await change(account.id, { permissions: ['engines'] })).permissions).toEqual(['engines']);
  expect(await engines()).toBe(200);
});

test('can be read-only: they read, and every other method is 403', async () => {
  const { account, apiKey } = await service.createAccount({ rate_limit: 0 });
  const search = () => service.call({ headers: { Authorization: `Bearer ${apiKey}` } });
  const task = bodyOf(await search());

  expect(bodyOf(await change(account.id, { read_only: true })).read_only).toBe(true);
  expect([(await search()).status, detailOf(await search())]).toEqual([403, 'This user may only read']);
  expect((await callAs(apiKey, 'POST', '/api/v1/users/me/api-key/rotate')).status).toBe(403);
  expect((await callAs(apiKey, 'GET', '/api/v1/users/me')).status).toBe(200);
  expect((await service.call(asUser(apiKey, `/api/v2/serp/crawl/${task.id}`))).status).toBe(200);
  await change(account.id, { read_only: false });
  expect((await search()).status).toBe(200);
});

test('those who may only read have the tools of agents that read what is stored, and no others', async () => {
  const { account, apiKey } = await service.createAccount({ rate_limit: 0 });
  await change(account.id, { read_only: true });
  const send = async (method: string, params: object) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const request = { ...asUser(apiKey, '/mcp'), method: 'POST', body };
    return bodyOf(await callArea(service.mcp, request)).result;
  };
  const call = (name: string, args: object) => send('tools/call', { name, arguments: args });

  const { tools } = await send('tools/list', {});
  expect(tools.map(({ name }: { name: string }) => name)).toEqual(['read_task', 'read_page']);
  expect((await call('read_task', { task_id: 5 })).content[0].text).toContain('Task not found');
  for (const name of ['search', 'rank', 'keyword_volume', 'keyword_ideas', 'suggest', 'trends'])
    expect(await call(name, { keyword: 'k', keywords: ['k'], iso_code: 'US' })).toEqual({
      content: [{ type: 'text', text: 'This user may only read: its tools are read_task, read_page' }],
      isError: true,
    });
});

test.each([
  [{ permissions: ['admin'] }, ['body', 'permissions', 0], 'enum'],
  [{ permissions: 'engines' }, ['body', 'permissions'], 'list_type'],
  [{ rate_limit: false }, ['body', 'rate_limit'], 'int_type'],
  [{ read_only: 7 }, ['body', 'read_only'], 'bool_parsing'],
])('%j is 422', async (body, loc, type) => {
  const { account } = await service.createAccount();
  const answer = await change(account.id, body);

  expect(answer.status).toBe(422);
  expect(detailOf(answer)).toMatchObject([{ loc, type }]);
});

test('replace their own key, and the former one works for the grace', async () => {
  const { apiKey } = await service.createAccount({ rate_limit: 0 });
  const rotate = (key: string, query = '') => callAs(key, 'POST', `/api/v1/users/me/api-key/rotate${query}`);
  const me = async (key: string) => (await callAs(key, 'GET', '/api/v1/users/me')).status;
  const { api_key: second, former_until } = bodyOf(await rotate(apiKey, '?grace=60'));

  expect(former_until).toBeGreaterThan(0);
  expect([await me(apiKey), await me(second)]).toEqual([200, 200]);
  expect((await rotate(second)).status).toBe(409);
  const third = bodyOf(await rotate(second, '?grace=0'));
  expect(third.former_until).toBeNull();
  expect([await me(apiKey), await me(second), await me(third.api_key)]).toEqual([401, 401, 200]);
});

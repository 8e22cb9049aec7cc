/** Users, their keys and their webhook secrets (Readings 23 and 34). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashApiKey, isApiKey } from '../../lib/access/api-key.ts';
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
const create = (body: unknown, key = admin) =>
  callAs(key, 'POST', '/api/v1/users', { body: JSON.stringify(body) });
const bodyOf = ({ body }: { body: string }) => JSON.parse(body);

describe('POST /api/v1/users', () => {
  test('creates a user with every permission except admin, and shows its key', async () => {
    const answer = await create({ name: 'Ada', email: 'ada@example.com' });
    const user = bodyOf(answer);

    expect([answer.status, user]).toEqual([
      200,
      {
        id: expect.any(Number),
        api_key: expect.stringMatching(/^serp_[0-9A-Za-z]{46}$/),
        email: 'ada@example.com',
        name: 'Ada',
        ttl: 0,
        enabled: true,
      },
    ]);
    expect(isApiKey(user.api_key)).toBe(true);
    expect(bodyOf(await callAs(user.api_key, 'GET', '/api/v1/users/me'))).toEqual(user);
    const { readAccount } = await import('../../lib/store/users.ts');
    const account = await readAccount(user.id);
    expect(account).toMatchObject({ permissions: ['engines'], rate_limit: 2000 });
    expect(JSON.stringify(account)).not.toContain(user.api_key);
    expect(account?.key_hash).toBe(hashApiKey(user.api_key));
  });

  test('an empty object creates a user without name and e-mail address', async () => {
    expect(bodyOf(await create({}))).toMatchObject({ name: '', email: '' });
  });

  test('each user has its own id and key', async () => {
    const users = await Promise.all(Array.from({ length: 5 }, async () => bodyOf(await create({}))));

    expect(new Set(users.map(({ id }) => id)).size).toBe(5);
    expect(new Set(users.map(({ api_key }) => api_key)).size).toBe(5);
  });

  test('without the permission is 403, before the body is read', async () => {
    for (const body of ['{}', '{', '[]']) {
      const answer = await callAs(service.apiKey, 'POST', '/api/v1/users', { body });

      expect([answer.status, detailOf(answer)]).toEqual([403, 'This needs the permission admin']);
    }
  });

  test('a new user cannot create users', async () => {
    const { api_key } = bodyOf(await create({}));

    expect((await create({}, api_key)).status).toBe(403);
  });

  test.each<[string, string, number, unknown]>([
    ['no body', '', 422, [{ loc: ['body'], type: 'missing', msg: 'Field required' }]],
    ['invalid JSON', '{', 400, 'The body is not valid JSON'],
    ['a list', '[]', 422, [expect.objectContaining({ loc: ['body'], type: 'model_attributes_type' })]],
    [
      'a name that is null',
      '{"name":null}',
      422,
      [expect.objectContaining({ loc: ['body', 'name'], type: 'string_type' })],
    ],
    [
      'a name and an e-mail address that are no text',
      '{"name":1,"email":[]}',
      422,
      [
        expect.objectContaining({ loc: ['body', 'name'], type: 'string_type' }),
        expect.objectContaining({ loc: ['body', 'email'], type: 'string_type' }),
      ],
    ],
    [
      'a name that is too long',
      JSON.stringify({ name: 'ä'.repeat(257) }),
      422,
      [
        {
          loc: ['body', 'name'],
          type: 'string_too_long',
          msg: 'String should have at most 256 characters',
        },
      ],
    ],
    [
      'an e-mail address that is too long',
      JSON.stringify({ email: 'a'.repeat(321) }),
      422,
      [expect.objectContaining({ loc: ['body', 'email'], type: 'string_too_long' })],
    ],
  ])('with %s', async (_, body, status, detail) => {
    const answer = await callAs(admin, 'POST', '/api/v1/users', { body });

    expect([answer.status, detailOf(answer)]).toEqual([status, detail]);
  });
});

describe('GET /api/v1/users/me', () => {
  test('returns the key that was presented, also the former one of a rotation', async () => {
    const { rotateKey } = await import('../../lib/access/rotate-key.ts');
    const { account, apiKey } = await service.createAccount({ rate_limit: 0 });
    const { apiKey: newest } = await rotateKey(account.id, { grace: 60 });

    for (const key of [apiKey, newest]) {
      expect(bodyOf(await callAs(key, 'GET', '/api/v1/users/me'))).toMatchObject({
        id: account.id,
        api_key: key,
      });
    }
  });

  test('is not cached', async () => {
    expect((await callAs(admin, 'GET', '/api/v1/users/me')).headers['cache-control']).toBe('no-store');
  });
});

describe('the webhook secret', () => {
  const path = '/api/v1/users/me/webhook-secret';
  const rotate = (key: string, query = '') => callAs(key, 'POST', `${path}/rotate${query}`);

  test('is shown to its user', async () => {
    const { apiKey, webhookSecret } = await service.createAccount({ rate_limit: 0 });

    expect(bodyOf(await callAs(apiKey, 'GET', path))).toEqual({
      secret: webhookSecret,
      former_secret: null,
      former_until: null,
    });
  });

  test('is rotated: both secrets sign for a day, and another rotation is refused until then', async () => {
    const { account, apiKey, webhookSecret } = await service.createAccount({ rate_limit: 0 });
    const { secretsAt } = await import('../../lib/model/user.ts');
    const { readAccount } = await import('../../lib/store/users.ts');
    const before = Math.floor(Date.now() / 1000);

    const rotated = bodyOf(await rotate(apiKey));

    expect(rotated).toEqual({
      secret: expect.stringMatching(/^whsec_/),
      former_secret: webhookSecret,
      former_until: expect.any(Number),
    });
    expect(rotated.secret).not.toBe(webhookSecret);
    expect(rotated.former_until - before).toBeGreaterThanOrEqual(86_400);
    expect(bodyOf(await callAs(apiKey, 'GET', path))).toEqual(rotated);
    const stored = (await readAccount(account.id))!;
    expect(secretsAt(stored, rotated.former_until - 1)).toEqual([rotated.secret, webhookSecret]);
    expect(secretsAt(stored, rotated.former_until)).toEqual([rotated.secret]);

    const again = await rotate(apiKey);
    expect([again.status, detailOf(again)]).toEqual([409, expect.stringMatching(/already has two secrets/)]);
    expect(bodyOf(await callAs(apiKey, 'GET', path))).toEqual(rotated);
  });

  test('a grace of 0 ends all former secrets at once', async () => {
    const { apiKey } = await service.createAccount({ rate_limit: 0 });
    const first = bodyOf(await rotate(apiKey, '?grace=60'));

    const second = bodyOf(await rotate(apiKey, '?grace=0'));

    expect(second).toEqual({ secret: expect.any(String), former_secret: null, former_until: null });
    expect(second.secret).not.toBe(first.secret);
  });

  test.each([
    ['-1', 'greater_than_equal'],
    ['2592001', 'less_than_equal'],
    ['day', 'int_parsing'],
    ['1.5', 'int_parsing'],
    ['', 'int_parsing'],
  ])('a grace of `%s` is 422', async (grace, type) => {
    const answer = await rotate(service.apiKey, `?grace=${grace}`);

    expect([answer.status, detailOf(answer)]).toEqual([
      422,
      [expect.objectContaining({ loc: ['query', 'grace'], type })],
    ]);
  });

  test('is not rotated if a form has a query parameter', async () => {
    const { api_key } = bodyOf(await create({}));
    const headers = {
      Authorization: `Bearer ${api_key}`,
      'Content-Type': 'application/x-www-form-urlencoded',
    };

    const answer = await callAs(api_key, 'POST', `${path}/rotate`, { body: 'grace=0', headers });

    expect([answer.status, detailOf(answer)[0].loc]).toEqual([422, ['body', 'grace']]);
  });

  test.each([
    ['{"grace": 0}', 422],
    ['{"grace": 0, "lost": true}', 422],
    ['{}', 200],
    ['', 200],
    ['{', 200],
    ['["grace"]', 200],
    ['{"name": "a client that sends its form"}', 200],
  ])('is not rotated if the body has a query parameter: %s', async (body, status) => {
    const { api_key } = bodyOf(await create({}));

    const answer = await callAs(api_key, 'POST', `${path}/rotate`, { body });

    expect(answer.status).toBe(status);
    if (status === 422) {
      expect(detailOf(answer)).toEqual([
        {
          loc: ['body', 'grace'],
          type: 'value_error',
          msg: 'Value error, grace is a query parameter, as in ?grace=',
        },
      ]);
    }
  });
});

/** `POST /token`, and the tokens as keys (Readings 24 to 26). */
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Account } from '../../lib/model/user.ts';
import { callArea } from '../api-call.ts';
import { detailOf, type Service, startService } from './service.ts';

let service: Service;
let user: { account: Account; apiKey: string };
beforeAll(async () => {
  service = await startService();
  user = await service.createAccount({ rate_limit: 0, name: 'Ada', email: 'Ada@Example.com' });
});
afterAll(() => service.stop());

const urlencoded = 'application/x-www-form-urlencoded';

/** Each address has its own limit of failed keys. */
let addresses = 0;
const send = (
  body: string | Uint8Array | null,
  type: string | null = urlencoded,
  sourceIp = `192.0.2.${addresses++}`,
) =>
  callArea(service.account, {
    method: 'POST',
    path: '/token',
    headers: type === null ? {} : { 'Content-Type': type },
    body,
    sourceIp,
  });
const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString();
const good = () => ({
  grant_type: 'password',
  username: String(user.account.id),
  password: user.apiKey,
});
const tokenFor = async (fields = good()): Promise<string> =>
  JSON.parse((await send(form(fields))).body).access_token;
const me = (token: string) =>
  callArea(service.account, {
    method: 'GET',
    path: '/api/v1/users/me',
    headers: { Authorization: `Bearer ${token}` },
  });

describe('a right pair', () => {
  test.each([
    ['the id', () => ({})],
    ['the e-mail address', () => ({ username: 'Ada@Example.com' })],
    ['the e-mail address in another case', () => ({ username: ' ada@example.COM' })],
    [
      'a scope and a client, which have no effect',
      () => ({ scope: 'admin', client_id: 'x', client_secret: 'y' }),
    ],
    ['a field that does not exist', () => ({ foo: 'bar' })],
  ])('with %s gets a token', async (_, changes) => {
    const answer = await send(form({ ...good(), ...changes() }));

    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body)).toEqual({
      access_token: expect.stringMatching(/^eyJ[\w-]+\.[\w-]+\.[\w-]{43}$/),
      token_type: 'bearer',
      expires_in: 3600,
      scope: 'engines',
    });
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  test('is accepted with parameters of the content type, in capitals, and with a client in `Authorization`', async () => {
    const answer = await callArea(service.account, {
      method: 'POST',
      path: '/token',
      headers: {
        'Content-Type': 'Application/X-WWW-Form-Urlencoded; charset=UTF-8',
        Authorization: 'Basic Og==',
      },
      body: form(good()),
    });

    expect(answer.status).toBe(200);
  });

  test('the last value of a repeated field counts', async () => {
    expect((await send(`username=nobody&${form(good())}`)).status).toBe(200);
    expect((await send(`${form(good())}&username=nobody`)).status).toBe(401);
    expect((await send(`${form(good())}&username=`)).status).toBe(422);
  });

  test('the scope names all permissions', async () => {
    const admin = await service.createAccount({ rate_limit: 0, permissions: ['admin', 'engines'] });
    const fields = { grant_type: 'password', username: String(admin.account.id), password: admin.apiKey };

    expect(JSON.parse((await send(form(fields))).body).scope).toBe('admin engines');
  });

  test('two users may have one e-mail address: the key decides', async () => {
    const other = await service.createAccount({ rate_limit: 0, email: 'ada@example.com' });
    const token = await tokenFor({ ...good(), username: 'ada@example.com', password: other.apiKey });

    expect(JSON.parse((await me(token)).body).id).toBe(other.account.id);
  });

  test('counts against the rate limit of the user', async () => {
    const slow = await service.createAccount({ rate_limit: 2 });
    const fields = { grant_type: 'password', username: String(slow.account.id), password: slow.apiKey };
    const answers = [];
    for (let n = 0; n < 5; n++) answers.push(await send(form(fields)));
    const refused = answers.find(({ status }) => status === 429);

    expect(answers[0]?.status).toBe(200);
    expect(refused?.headers).toMatchObject({ 'ratelimit-limit': '2' });
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0);
  });
});

describe('a wrong pair', () => {
  const stray = 'serp_2z0GEYqfhJgPwsupKt7mWo4jzd2M3BEr25mvYr0v4FnqkP';

  test.each([
    ['another id', () => ({ username: '1' })],
    ['an id with a zero before it', () => ({ username: `0${user.account.id}` })],
    ['another e-mail address', () => ({ username: 'bob@example.com' })],
    ['the name of the user', () => ({ username: 'Ada' })],
    ['a key of nobody', () => ({ password: stray })],
    ['a malformed key', () => ({ password: 'sesame' })],
    ['spaces around the key', () => ({ password: ` ${user.apiKey} ` })],
  ])('with %s is 401, as a wrong key is', async (_, changes) => {
    const answer = await send(form({ ...good(), ...changes() }));

    expect([answer.status, detailOf(answer), answer.headers['www-authenticate']]).toEqual([
      401,
      'Could not validate credentials',
      'Bearer',
    ]);
  });

  test('a user without an e-mail address cannot be named by white space', async () => {
    const nameless = await service.createAccount({ rate_limit: 0 });

    expect(
      (await send(form({ grant_type: 'password', username: ' ', password: nameless.apiKey }))).status,
    ).toBe(401);
  });

  test.each([{ enabled: false }, { ttl: 1 }])('of a user with %j is 401', async (changes) => {
    const { changeFields } = await import('./account-fields.ts');
    const other = await service.createAccount({ rate_limit: 0 });
    await changeFields(other.account.id, changes);

    expect(
      (
        await send(
          form({ grant_type: 'password', username: String(other.account.id), password: other.apiKey }),
        )
      ).status,
    ).toBe(401);
  });

  test('counts as a failed key of the address: 429 after 30 in a minute, and a right pair is still accepted', async () => {
    const address = '198.51.100.7';
    const wrong = form({ ...good(), username: '1' });
    const answers = [];
    for (let n = 0; n < 62; n++) answers.push(await send(wrong, undefined, address));
    const refused = answers.find(({ status }) => status === 429);

    // The requests span at most two windows, and the first 30 of each window get 401.
    expect(answers.slice(0, 30).map(({ status }) => status)).toEqual(Array(30).fill(401));
    expect(refused?.headers['retry-after']).toBe(refused?.headers['ratelimit-reset']);
    expect((await send(form(good()), undefined, address)).status).toBe(200);
    const guess = await callArea(service.account, {
      method: 'GET',
      path: '/api/v1/users/me',
      headers: { Authorization: 'Bearer guess' },
      sourceIp: address,
    });
    expect([401, 429]).toContain(guess.status);
  });

  test('a malformed key is refused without a read of the table', async () => {
    const { dynamo } = await import('../../lib/runtime/aws.ts');
    const sent = vi.spyOn(dynamo, 'send');
    onTestFinished(() => sent.mockRestore());

    await send(form({ ...good(), password: `${user.apiKey.slice(0, -1)}~` }));

    // The only write counts the failed key.
    expect(sent.mock.calls.map(([command]) => command.constructor.name)).toEqual(['UpdateCommand']);
  });
});

describe('an invalid form', () => {
  const missing = (name: string) => ({ loc: ['body', name], type: 'missing', msg: 'Field required' });
  const all = ['grant_type', 'username', 'password'].map(missing);
  const pattern = {
    loc: ['body', 'grant_type'],
    type: 'string_pattern_mismatch',
    msg: "String should match pattern 'password'",
  };
  const json = JSON.stringify({ grant_type: 'password', username: '1', password: 'x' });

  test.each<[string, string, string | null, unknown]>([
    ['an empty body', '', urlencoded, all],
    ['no grant', 'username=u&password=p', urlencoded, [missing('grant_type')]],
    ['no user name', 'grant_type=password&password=p', urlencoded, [missing('username')]],
    ['no password', 'grant_type=password&username=u', urlencoded, [missing('password')]],
    ['empty fields', 'grant_type=&username=&password=', urlencoded, all],
    ['names without values', 'grant_type&username&password', urlencoded, all],
    ['another grant', 'grant_type=client_credentials&username=u&password=p', urlencoded, [pattern]],
    ['a longer grant', 'grant_type=passwords&username=u&password=p', urlencoded, [pattern]],
    ['a grant in capitals', 'grant_type=Password&username=u&password=p', urlencoded, [pattern]],
    ['all faults at once', 'grant_type=x', urlencoded, [pattern, missing('username'), missing('password')]],
    ['JSON', json, 'application/json', all],
    ['JSON as a form', json, urlencoded, all],
    ['invalid JSON', '{', 'application/json', all],
    ['a form as text', 'grant_type=password&username=u&password=p', 'text/plain', all],
    ['multipart', 'grant_type=password&username=u&password=p', 'multipart/form-data; boundary=x', all],
    ['a form without a content type', 'grant_type=password&username=u&password=p', null, all],
  ])('%s is 422', async (_, body, type, detail) => {
    const answer = await send(body, type);

    expect([answer.status, detailOf(answer)]).toEqual([422, detail]);
  });

  test('without a body is 422', async () => {
    expect(detailOf(await send(null))).toEqual(all);
  });

  test('of more than 1 MiB is 413', async () => {
    expect((await send(`grant_type=${'x'.repeat(1024 * 1024)}`)).status).toBe(413);
  });
});

describe('a token', () => {
  test('is valid in every area that needs a key', async () => {
    const headers = { Authorization: `Bearer ${await tokenFor()}` };
    const statuses = await Promise.all(
      [
        ['account', '/api/v1/users/me', 200],
        ['serp', '/api/v2/serp/crawl/17', 404],
        ['keyword', '/api/v1/common/locations?q=Ber', 200],
      ].map(async ([area, path, wanted]) => {
        const { status } = await callArea(service[area as 'serp'], {
          method: 'GET',
          path: String(path),
          headers,
        });
        return [area, status === wanted];
      }),
    );

    expect(statuses).toEqual([
      ['account', true],
      ['serp', true],
      ['keyword', true],
    ]);
  });

  test('shows a masked key', async () => {
    expect(JSON.parse((await me(await tokenFor())).body)).toEqual({
      id: user.account.id,
      api_key: `serp_${'*'.repeat(46)}`,
      email: 'Ada@Example.com',
      name: 'Ada',
      ttl: 0,
      enabled: true,
    });
  });

  test('is no password: a token for a token is 401', async () => {
    expect((await send(form({ ...good(), password: await tokenFor() }))).status).toBe(401);
  });

  test.each<[string, Partial<Account>]>([
    ['is disabled', { enabled: false }],
    ['has expired', { ttl: 1 }],
  ])('ends when its user %s', async (_, changes) => {
    const { changeFields } = await import('./account-fields.ts');
    const other = await service.createAccount({ rate_limit: 0 });
    const token = await tokenFor({ ...good(), username: String(other.account.id), password: other.apiKey });
    expect((await me(token)).status).toBe(200);

    await changeFields(other.account.id, changes);

    expect((await me(token)).status).toBe(401);
  });

  test('ends with its key: at once without a grace, and at the end of the grace otherwise', async () => {
    const { rotateKey } = await import('../../lib/access/rotate-key.ts');
    const other = await service.createAccount({ rate_limit: 0 });
    const { id } = other.account;
    const first = await tokenFor({ ...good(), username: String(id), password: other.apiKey });

    const { apiKey } = await rotateKey(id, { grace: 60 });
    const second = await tokenFor({ ...good(), username: String(id), password: apiKey });
    expect([(await me(first)).status, (await me(second)).status]).toEqual([200, 200]);

    await rotateKey(id, { lost: true });
    expect([(await me(first)).status, (await me(second)).status]).toEqual([200, 401]);

    await rotateKey(id, { grace: 0 });
    expect((await me(first)).status).toBe(401);
  });
});

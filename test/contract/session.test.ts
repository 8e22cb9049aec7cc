/** `/session`: the cookie of the console, and which requests may use it. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Account } from '../../lib/model/user.ts';
import { type ApiRequest, callArea } from '../api-call.ts';
import { type Service, startService } from './service.ts';

let service: Service;
let user: { account: Account; apiKey: string };
beforeAll(async () => {
  service = await startService();
  user = await service.createAccount({ rate_limit: 0, name: 'Ada', email: 'ada@example.com' });
});
afterAll(() => service.stop());

const ours = { 'X-Console': '1', 'Sec-Fetch-Site': 'same-origin' };

/** Each address has its own limit of failed keys. */
let addresses = 0;
const send = (method: string, request: Partial<ApiRequest> = {}) =>
  callArea(service.account, {
    method,
    path: '/session',
    headers: ours,
    sourceIp: `192.0.2.${addresses++}`,
    ...request,
  });

const open = (key = user.apiKey, request: Partial<ApiRequest> = {}) =>
  send('POST', {
    headers: { ...ours, 'Content-Type': 'application/json' },
    body: JSON.stringify({ key }),
    ...request,
  });

const cookieOf = ({ headers }: { headers: Record<string, string> }): string =>
  (headers['set-cookie'] ?? '').split(';', 1)[0] ?? '';

const me = (headers: Record<string, string>) =>
  callArea(service.account, {
    method: 'GET',
    path: '/api/v1/users/me',
    headers,
    sourceIp: `198.51.100.${addresses++}`,
  });

const shown = () => ({
  user: {
    id: user.account.id,
    name: 'Ada',
    email: 'ada@example.com',
    permissions: expect.any(Array),
    read_only: false,
  },
});

describe('a session', () => {
  test('is a token in a cookie that scripts cannot read and other sites do not send', async () => {
    const answer = await open();

    expect([answer.status, JSON.parse(answer.body)]).toEqual([200, shown()]);
    expect(answer.headers['set-cookie']).toMatch(
      /^search-ranking-session=eyJ[\w.-]+; Path=\/; Max-Age=3600; HttpOnly; SameSite=Strict; Secure$/,
    );
    expect(answer.headers['set-cookie']).not.toContain(user.apiKey);
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  test('is for the paths of its stage', async () => {
    expect((await open(user.apiKey, { stage: '/prod' })).headers['set-cookie']).toContain('; Path=/prod/; ');
  });

  test('is refused for a wrong key, as everywhere', async () => {
    const answer = await open('serp_wrong');

    expect([answer.status, answer.headers['set-cookie']]).toEqual([401, undefined]);
  });

  test('names its user, also in a new tab, and calls operations', async () => {
    const cookie = cookieOf(await open());

    expect(JSON.parse((await send('GET', { headers: { ...ours, cookie: `a=b; ${cookie}` } })).body)).toEqual(
      shown(),
    );
    const answer = await me({ ...ours, cookie });
    expect([answer.status, JSON.parse(answer.body).name]).toEqual([200, 'Ada']);
    expect(JSON.parse(answer.body).api_key).toMatch(/^serp_\*+$/);
  });

  test('without a cookie, with an invented one or with one of a disabled key, nobody is signed in', async () => {
    for (const cookie of [
      '',
      'search-ranking-session=',
      'search-ranking-session=eyJhbGciOiJIUzI1NiJ9.e30.AAAA',
      'search-ranking-session',
    ]) {
      const answer = await send('GET', { headers: { ...ours, cookie } });
      expect([answer.status, JSON.parse(answer.body)]).toEqual([200, { user: null }]);
    }
  });

  test('calls the forms of other services, but not for a page of another site', async () => {
    const cookie = cookieOf(await open());
    const account = (headers: Record<string, string>) =>
      callArea(service.compat, { method: 'GET', path: '/compat/serpapi/account.json', headers });

    const answer = await account({ ...ours, cookie });
    expect([answer.status, JSON.parse(answer.body).account_email]).toEqual([200, 'ada@example.com']);
    const others: Record<string, string>[] = [
      { cookie },
      { ...ours, 'Sec-Fetch-Site': 'cross-site', cookie },
      { 'Sec-Fetch-Site': 'same-origin', cookie },
    ];
    for (const headers of others) expect((await account(headers)).status).toBe(401);
  });

  test('does nothing for a page that shows another user', async () => {
    const cookie = cookieOf(await open());
    const shownUser = (id: number) => ({ ...ours, cookie, 'X-Console-User': String(id) });
    const account = (headers: Record<string, string>) =>
      callArea(service.compat, { method: 'GET', path: '/compat/serpapi/account.json', headers });

    for (const call of [me, account]) {
      expect((await call(shownUser(user.account.id))).status).toBe(200);
      expect((await call(shownUser(user.account.id + 1))).status).toBe(401);
    }
    expect(JSON.parse((await send('GET', { headers: shownUser(user.account.id + 1) })).body)).toEqual(
      shown(),
    );
  });

  test('ends when a person signs out', async () => {
    const answer = await send('DELETE');

    expect([answer.status, JSON.parse(answer.body)]).toEqual([200, { user: null }]);
    expect(answer.headers['set-cookie']).toContain('search-ranking-session=; Path=/; Max-Age=0; HttpOnly');
  });

  test('is made longer while it is used, for half a day after the key was given', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const begin = Date.now();
    let cookie = cookieOf(await open());
    const renew = () => send('POST', { headers: { ...ours, cookie }, body: null });
    for (let minutes = 50; minutes < 12 * 60; minutes += 50) {
      vi.setSystemTime(begin + minutes * 60_000);
      const renewed = await renew();
      expect([minutes, renewed.status]).toEqual([minutes, 200]);
      cookie = cookieOf(renewed);
    }
    vi.setSystemTime(begin + 12 * 3_600_000);
    expect([(await me({ ...ours, cookie })).status, (await renew()).status]).toEqual([200, 401]);
    vi.setSystemTime(begin + 14 * 3_600_000);
    expect((await me({ ...ours, cookie })).status).toBe(401);
  });

  test('is not made of a token of POST /token', async () => {
    const token = await callArea(service.account, {
      method: 'POST',
      path: '/token',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        grant_type: 'password',
        username: String(user.account.id),
        password: user.apiKey,
      }).toString(),
    });
    const cookie = `search-ranking-session=${JSON.parse(token.body).access_token}`;

    expect((await send('POST', { headers: { ...ours, cookie }, body: null })).status).toBe(401);
  });
});

describe('a request of another site', () => {
  test.each([
    ['a form or a link', {}],
    ['a script of another site', { 'Sec-Fetch-Site': 'cross-site', 'X-Console': '1' }],
    ['a sister domain', { 'Sec-Fetch-Site': 'same-site', 'X-Console': '1' }],
    ['an address that a person typed', { 'Sec-Fetch-Site': 'none', 'X-Console': '1' }],
    ['another value', { 'Sec-Fetch-Site': 'same-origin', 'X-Console': 'yes' }],
  ])('%s cannot use the cookie', async (_, headers) => {
    const cookie = cookieOf(await open());
    const asked = { ...headers, cookie };

    expect((await me(asked)).status).toBe(401);
    expect(JSON.parse((await send('GET', { headers: asked })).body)).toEqual({ user: null });
    expect((await send('DELETE', { headers: asked })).status).toBe(403);
    expect(
      (await open(user.apiKey, { headers: { ...asked, 'Content-Type': 'application/json' } })).status,
    ).toBe(403);
  });

  test('a key in the header counts more than the cookie', async () => {
    const cookie = cookieOf(await open());

    expect((await me({ ...ours, cookie, Authorization: 'Bearer serp_wrong' })).status).toBe(401);
  });
});

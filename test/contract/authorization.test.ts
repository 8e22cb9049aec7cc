/**
 * Who may call which route (Readings 13, 23 and 25). Every row of the route table is tested with the request
 * of its example event, so a new route is covered as soon as it exists. A route that names something of a
 * user needs a row in `things`.
 */
import { readFileSync } from 'node:fs';
import { HeadBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Route } from '../../lib/api/route.ts';
import { type Operation, routes } from '../../lib/api/routes.ts';
import { tokenSeconds } from '../../lib/model/token.ts';
import type { Account, Permission } from '../../lib/model/user.ts';
import { type ApiAnswer, type ApiRequest, callArea } from '../api-call.ts';
import { changeFields } from './account-fields.ts';
import { areaOf, type Service, startService } from './service.ts';

let service: Service;
type User = { id: number; key: string; token: string };
let owner: User;
let stranger: User;
let powerless: User;

/** A user without a rate limit, with its token. `changes` are made after the token. */
const makeUser = async (permissions: Permission[], changes: Partial<Account> = {}): Promise<User> => {
  const { account, apiKey } = await service.createAccount({ rate_limit: 0, permissions });
  const { makeToken } = await import('../../lib/access/token.ts');
  const token = await makeToken(account.id, account.key_hash, Math.floor(Date.now() / 1000));
  await changeFields(account.id, changes);
  return { id: account.id, key: apiKey, token };
};

const all: Permission[] = ['admin', 'engines'];

beforeAll(async () => {
  service = await startService();
  mockClient(S3Client).on(HeadBucketCommand).resolves({});
  [owner, stranger, powerless] = [await makeUser(all), await makeUser(all), await makeUser([])];
});
afterAll(() => service.stop());

const rows: [Operation, Route][] = Object.entries<Route>(routes).map(([name, route]) => [
  name as Operation,
  route,
]);
const guarded = rows.filter(([, { auth }]) => auth === 'bearer');

/** The example request of an operation. */
const sampleOf = (operation: Operation): ApiRequest => {
  const event = JSON.parse(
    readFileSync(new URL(`../../events/api/${operation}.json`, import.meta.url), 'utf8'),
  );
  const query = new URLSearchParams(event.queryStringParameters ?? {}).toString();
  const { Authorization: _, ...headers } = event.headers;
  return { method: event.httpMethod, path: event.path + (query && `?${query}`), headers, body: event.body };
};

/** Each call has its own address, so that none is refused for too many failed keys. */
let calls = 0;
const send = (request: ApiRequest, authorization?: string, headers = {}): Promise<ApiAnswer> => {
  calls += 1;
  return callArea(service[areaOf(request.path.split('?')[0] ?? '')], {
    ...request,
    headers: {
      ...request.headers,
      ...headers,
      ...(authorization !== undefined && { Authorization: authorization }),
    },
    sourceIp: `10.${calls >> 16}.${(calls >> 8) & 255}.${calls & 255}`,
  });
};

const always = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'content-type': 'application/json',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-search-source': 'sandbox',
};
const refused = (headers: Record<string, string> = {}): ApiAnswer => ({
  status: 401,
  headers: { ...always, 'www-authenticate': 'Bearer', ...headers },
  body: JSON.stringify({ detail: 'Could not validate credentials', hint: headers['x-auth-hint'] }),
});
const hint = { 'x-auth-hint': 'Send the header "Authorization: Bearer <API key or token>"' };

const strayKey = 'serp_2z0GEYqfhJgPwsupKt7mWo4jzd2M3BEr25mvYr0v4FnqkP';

/** A token that this service would accept, if another user, end or signature did not make it invalid. */
const tokenWith = async (changes: { id?: number; age?: number; signature?: string }): Promise<string> => {
  const { makeToken } = await import('../../lib/access/token.ts');
  const { hashApiKey } = await import('../../lib/access/api-key.ts');
  const made = Math.floor(Date.now() / 1000) - (changes.age ?? 0);
  const token = await makeToken(changes.id ?? owner.id, hashApiKey(owner.key), made);
  return changes.signature ? token.replace(/[^.]+$/, changes.signature) : token;
};

/** Authorizations that every route refuses, and what the refusal has besides. */
const refusals: [string, () => Promise<string | undefined> | string | undefined, Record<string, string>][] = [
  ['no header', () => undefined, {}],
  ['an empty header', () => '', {}],
  ['no key', () => 'Bearer', {}],
  ['a malformed key', () => `Bearer ${owner.key.slice(0, -1)}`, {}],
  [
    'a key with another checksum',
    () => `Bearer ${owner.key.slice(0, -1)}${owner.key.endsWith('0') ? '1' : '0'}`,
    {},
  ],
  ['two keys', () => `Bearer ${owner.key} ${owner.key}`, {}],
  ['an unknown key', () => `Bearer ${strayKey}`, {}],
  ['a key without a scheme', () => owner.key, hint],
  ['another scheme', () => `Basic ${Buffer.from(`${owner.id}:${owner.key}`).toString('base64')}`, hint],
  ['a disabled user', async () => `Bearer ${(await makeUser(all, { enabled: false })).key}`, {}],
  ['an expired user', async () => `Bearer ${(await makeUser(all, { ttl: 1 })).key}`, {}],
  [
    'the token of a disabled user',
    async () => `Bearer ${(await makeUser(all, { enabled: false })).token}`,
    {},
  ],
  ['the token of an expired user', async () => `Bearer ${(await makeUser(all, { ttl: 1 })).token}`, {}],
  ['an expired token', async () => `Bearer ${await tokenWith({ age: tokenSeconds })}`, {}],
  ['a token of an unknown user', async () => `Bearer ${await tokenWith({ id: 123_456 })}`, {}],
  ['a token for another user', async () => `Bearer ${await tokenWith({ id: stranger.id })}`, {}],
  [
    'a token with another signature',
    async () => `Bearer ${await tokenWith({ signature: 'A'.repeat(43) })}`,
    {},
  ],
];

describe.each(guarded)('%s', (operation, route) => {
  const sample = sampleOf(operation);

  test.each(refusals)('refuses %s', async (_, authorization, headers) => {
    expect(await send(sample, await authorization())).toEqual(refused(headers));
  });

  test('refuses a key in the header X-API-KEY, and says which header to send', async () => {
    expect(await send(sample, undefined, { 'X-API-KEY': owner.key })).toEqual(refused(hint));
  });

  test('accepts a key and a token of a user with all permissions', async () => {
    const [byKey, byToken] = [
      await send(sample, `Bearer ${(await makeUser(all)).key}`),
      await send(sample, `Bearer ${(await makeUser(all)).token}`),
    ];

    expect([401, 403, 405]).not.toContain(byKey.status);
    expect(byToken.status).toBe(byKey.status);
  });

  test(`${route.permission ? 'refuses' : 'accepts'} a user without permissions`, async () => {
    for (const authorization of [`Bearer ${powerless.key}`, `Bearer ${powerless.token}`]) {
      const answer = await send(sample, authorization);

      if (route.permission) {
        expect(answer).toEqual({
          status: 403,
          headers: always,
          body: JSON.stringify({ detail: `This needs the permission ${route.permission}` }),
        });
      } else {
        expect([401, 403]).not.toContain(answer.status);
      }
    }
  });
});

test.each(guarded.filter(([, { method }]) => method === 'GET'))(
  'HEAD of %s is refused as GET is',
  async (operation) => {
    expect(await send({ ...sampleOf(operation), method: 'HEAD' })).toEqual({ ...refused(), body: '' });
  },
);

test.each(rows.filter(([, { auth }]) => auth === 'none'))(
  '%s needs no key, and ignores a wrong one',
  async (operation) => {
    const sample = sampleOf(operation);
    const [without, wrong] = [await send(sample), await send(sample, `Bearer ${strayKey}`)];

    expect(wrong).toEqual(without);
    // These take a key in their body, here a wrong one.
    const takesKey = ['account/create-token', 'account/open-session'].includes(operation);
    if (!takesKey) expect(without.status).not.toBe(401);
  },
);

/** Makes something of the owner, and returns the id in the answer, or the first one in a list. */
const make = async (path: string, body: unknown): Promise<number> => {
  const request = { method: 'POST', path, body: JSON.stringify(body) };
  const { status, body: answer } = await send(request, `Bearer ${owner.key}`);
  expect(status, answer).toBe(200);
  return [JSON.parse(answer)].flat()[0].id;
};
const search = { keyword: 'tea', location_name: 'Canada', iso_code: 'CA' };
const v1Task = () => make('/api/v1/serp/bing/crawl', search);
const v2Task = () => make('/api/v2/serp/crawl', search);

/** Makes a project, and returns its id. */
const project = async (): Promise<number> => {
  const body = JSON.stringify({ name: 'Shop', domain: 'example.com' });
  const answer = await send({ method: 'POST', path: '/api/v1/projects', body }, `Bearer ${owner.key}`);
  return JSON.parse(answer.body).project_id;
};

/** Makes a tracked keyword, and returns its id. */
const keyword = async (): Promise<number> => {
  const { keywordOf, storeProject } = await import('../tracked-project.ts');
  const made = keywordOf();
  await storeProject(owner.id, [made]);
  return made.keyword_id;
};

/** Makes a batch, and returns its id, which is in a header of the answer. */
const batch = async (): Promise<number> => {
  const request = { method: 'POST', path: '/api/v2/serp/crawl/google/batch', body: JSON.stringify([search]) };
  return Number((await send(request, `Bearer ${owner.key}`)).headers['x-batch-id']);
};

/**
 * The parameter of a path that names something of a user, and how to make one. Null: the path names nothing
 * of a user, or the operation is for admins, who see all users.
 */
const things: Record<string, { param: string; make: () => Promise<number | string> } | null> = {
  'serp/create-task': null,
  'serp/create-batch': null,
  'serp/create-live-task': null,
  'serp/read-deliveries': { param: 'task_id', make: v1Task },
  'serp/send-postback': { param: 'task_id', make: v1Task },
  'serp/read-google-deliveries': { param: 'task_id', make: v2Task },
  'serp/send-google-postback': { param: 'task_id', make: v2Task },
  'serp/read-batch': { param: 'batch_id', make: batch },
  'serp/read-batch-results': { param: 'batch_id', make: batch },
  'serp/read-task': { param: 'task_id', make: v1Task },
  'serp/read-html': { param: 'task_id', make: v2Task },
  'serp/read-google-task': { param: 'task_id', make: v2Task },
  'reporting/read-project': { param: 'project_id', make: project },
  'reporting/update-project': { param: 'project_id', make: project },
  'reporting/delete-project': { param: 'project_id', make: project },
  'reporting/add-keywords': { param: 'project_id', make: project },
  'reporting/import-keywords': { param: 'project_id', make: project },
  'reporting/create-report-link': { param: 'project_id', make: project },
  'reporting/crawl-now': { param: 'project_id', make: project },
  'reporting/update-keywords': { param: 'project_id', make: project },
  'reporting/delete-keywords': { param: 'project_id', make: project },
  'reporting/list-tags': { param: 'project_id', make: project },
  'reporting/create-note': { param: 'project_id', make: project },
  'reporting/list-notes': { param: 'project_id', make: project },
  'reporting/update-note': { param: 'project_id', make: project },
  'reporting/delete-note': { param: 'project_id', make: project },
  'reporting/list-landing-pages': { param: 'project_id', make: project },
  'reporting/list-competing-pages': { param: 'project_id', make: project },
  'reporting/compare-days': { param: 'project_id', make: project },
  'reporting/export-positions': { param: 'project_id', make: project },
  'reporting/read-import': { param: 'project_id', make: project },
  'reporting/list-tracked-keywords': { param: 'project_id', make: project },
  'reporting/read-tracked-history': { param: 'project_id', make: project },
  'reporting/read-cost': { param: 'project_id', make: project },
  'reporting/list-alerts': { param: 'project_id', make: project },
  'reporting/read-alert-deliveries': { param: 'project_id', make: project },
  'reporting/send-alert-postback': { param: 'project_id', make: project },
  'reporting/read-visibility': { param: 'project_id', make: project },
  'reporting/read-overview': { param: 'project_id', make: project },
  'reporting/read-summary': { param: 'project_id', make: project },
  'reporting/read-project-report': { param: 'id', make: project },
  'reporting/list-keywords': { param: 'id', make: project },
  'reporting/read-keyword-report': { param: 'id', make: keyword },
  'reporting/list-history': { param: 'id', make: keyword },
  'reporting/read-keyword': { param: 'project_id', make: project },
  'reporting/update-keyword': { param: 'project_id', make: project },
  'reporting/delete-keyword': { param: 'project_id', make: project },
  'keyword/list-engines': null,
  'account/read-managed-user': null,
  'account/update-user': null,
  'account/rotate-user-key': null,
  'account/rotate-user-webhook-secret': null,
  'keyword/read-volume-task': { param: 'task_id', make: () => make('/api/v1/keyword-sv', [{ key: 'tea' }]) },
  'keyword/read-ideas-task': {
    param: 'task_id',
    make: () => make('/api/v1/keyword-research/ideas', { keywords: ['tea'] }),
  },
};

const named = guarded.filter(([, { path }]) => path.includes('{'));

test('every route with a parameter in its path has a row that says what the parameter names', () => {
  expect(named.map(([operation]) => operation).filter((operation) => !(operation in things))).toEqual([]);
});

describe.each(named.flatMap(([operation]) => (things[operation] ? [operation] : [])))('%s', (operation) => {
  const { param, make: makeThing } = things[operation] ?? { param: '', make: async () => 0 };
  const sample = sampleOf(operation);
  const template = routes[operation].path.split('/');
  /** The example request with another value of the parameter. */
  const withId = (id: number | string): ApiRequest => {
    const [path = '', query] = sample.path.split('?');
    const segments = path
      .split('/')
      .map((segment, n) => (template[n] === `{${param}}` ? String(id) : segment));
    return { ...sample, path: segments.join('/') + (query ? `?${query}` : '') };
  };

  test('answers the id of another user’s thing byte for byte as an unknown id', async () => {
    const thing = await makeThing();
    const unknown =
      typeof thing === 'number' ? thing + 1 : `${thing.slice(0, -1)}${thing.endsWith('0') ? '1' : '0'}`;

    for (const authorization of [`Bearer ${stranger.key}`, `Bearer ${stranger.token}`]) {
      const [foreign, missing] = [
        await send(withId(thing), authorization),
        await send(withId(unknown), authorization),
      ];

      expect(foreign.status).toBe(404);
      expect(foreign).toEqual(missing);
    }
    // The thing exists: without a key, nobody learns that.
    expect(await send(withId(thing))).toEqual(await send(withId(unknown)));
  });

  test('answers the owner', async () => {
    const answer = await send(withId(await makeThing()), `Bearer ${owner.key}`);
    const missing = await send(withId(1), `Bearer ${owner.key}`);

    // Not always 200: the HTML of a task that is not fetched yet is 404, too (Reading 13).
    expect(answer.body).not.toBe(missing.body);
    expect([401, 403]).not.toContain(answer.status);
  });
});

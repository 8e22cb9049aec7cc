/**
 * Which operation answers, the order of the checks, and the headers and links of every answer (Readings 25 to
 * 30).
 */

import { SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makePageToken } from '../../lib/access/page-link.ts';
import { routes } from '../../lib/api/routes.ts';
import { clock } from '../../lib/runtime/clock.ts';
import { type ApiRequest, callArea } from '../api-call.ts';
import { batchPath, crawl, detailOf, onePath, type Service, startService } from './service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

describe('routing', () => {
  test.each([
    ['GET', '/api/v2/serp'],
    ['GET', '/api/v2/serp/crawl/1/2'],
    ['GET', '/api/v2/serp/crawl//'],
    ['GET', '/api/v2/serp/crawl/a%2Fb'],
    ['GET', '/api/v2/serp/crawl/%2f'],
    ['PUT', '/api/v2/serp/crawl/a%2fb'],
    ['GET', '/pages/a%2fb'],
    ['GET', '/api/v1/common'],
    ['GET', '/api/v1/common/none'],
    ['GET', '/api/v1/common/locations/1'],
  ])('answers 404 to %s %s without a key', async (method, path) => {
    const answer = await service.call({ method, path, headers: { Authorization: '' } });

    expect([answer.status, detailOf(answer)]).toEqual([404, 'Not Found']);
  });

  test.each([
    ['PATCH', onePath, 'POST, GET, HEAD'],
    ['OPTIONS', onePath, 'POST, GET, HEAD'],
    ['PUT', `${onePath}/`, 'POST, GET, HEAD'],
    ['DELETE', `${onePath}/1`, 'GET, HEAD'],
    ['POST', `${onePath}/google`, 'GET, HEAD'],
    ['GET', batchPath, 'POST'],
    ['POST', '/pages/token', 'GET, HEAD'],
    ['POST', '/api/v1/common/locations', 'GET, HEAD'],
    ['GET', '/token', 'POST'],
    ['DELETE', '/api/v1/users/me', 'GET, HEAD'],
    ['OPTIONS', '/health', 'GET, HEAD'],
    ['GET', '/api/v1/keyword-sv/live', 'POST'],
    ['OPTIONS', '/api/v1/keyword-sv/live', 'POST'],
  ])('answers 405 to %s %s without a key', async (method, path, allowed) => {
    const answer = await service.call({ method, path, headers: { Authorization: '' } });

    expect([answer.status, detailOf(answer), answer.headers.allow]).toEqual([
      405,
      'Method Not Allowed',
      allowed,
    ]);
  });

  test('answers 405 to HEAD where there is no GET, without a body', async () => {
    const { status, headers, body } = await service.call({ method: 'HEAD', path: batchPath });

    expect([status, headers.allow, body]).toEqual([405, 'POST', '']);
  });

  test('ignores a trailing slash', async () => {
    expect((await service.call({ path: `${onePath}/` })).status).toBe(200);
    expect((await service.call({ method: 'GET', path: `${onePath}/17/`, body: null })).status).toBe(404);
  });
});

describe('order of checks', () => {
  const large = 'x'.repeat(1024 * 1024 + 1);

  test.each([
    [
      'an unknown path before a missing key',
      { path: '/api/v2/serp/none', headers: { Authorization: '' } },
      404,
    ],
    ['a missing key before a large body', { body: large, headers: { Authorization: '' } }, 401],
    ['a large body before invalid JSON', { body: large }, 413],
    ['invalid JSON before its fields', { body: '{"depth": 0' }, 400],
    ['a list that is too long before its items', { path: batchPath, body: `[${'1,'.repeat(1000)}1]` }, 422],
  ])('%s', async (_, request, status) => {
    expect((await service.call(request)).status).toBe(status);
  });

  test('a body of exactly 1 MiB is read', async () => {
    const body = JSON.stringify(crawl).padEnd(1024 * 1024, ' ');

    expect((await service.call({ body })).status).toBe(200);
  });

  test('a missing permission before the rate limit and invalid JSON', async () => {
    const { area } = await import('../../lib/api/area.ts');
    const { endpoint } = await import('../../lib/api/endpoint.ts');
    const { apiKey } = await service.createAccount({ rate_limit: 1 });
    const route = { ...routes['serp/create-google-task'], permission: 'admin' } as const;
    const guarded = area([endpoint(route, () => Promise.reject(new Error('never run')))]);
    const ask = () =>
      callArea(guarded, {
        method: 'POST',
        path: onePath,
        headers: { Authorization: `Bearer ${apiKey}` },
        body: '{',
      });

    for (let n = 0; n < 3; n++) expect((await ask()).status).toBe(403);
  });

  test('the rate limit before invalid JSON', async () => {
    const { apiKey: slow } = await service.createAccount({ rate_limit: 1 });
    const answers = [];
    for (let n = 0; n < 3; n++) {
      answers.push(await service.call({ body: '{', headers: { Authorization: `Bearer ${slow}` } }));
    }

    // A window may end between the requests, but not twice.
    expect(answers[0]?.status).toBe(400);
    expect(answers.map(({ status }) => status)).toContain(429);
  });
});

describe('headers', () => {
  const always = {
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'content-type': 'application/json',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-search-source': 'sandbox',
  };
  const get = (path: string) => callArea(service.site, { method: 'GET', path });

  test.each([
    ['a good answer', 200, () => get('/'), {}],
    ['a good answer behind a key', 200, () => service.call(), { vary: 'Accept-Encoding' }],
    ['no route', 404, () => get('/none'), {}],
    ['no page', 404, () => service.call({ method: 'GET', path: '/pages/none', body: null }), {}],
    ['another method', 405, () => service.call({ method: 'PUT' }), { allow: 'POST, GET, HEAD' }],
    [
      'no key',
      401,
      () => service.call({ headers: { Authorization: '' } }),
      { 'www-authenticate': expect.any(String) },
    ],
    ['a fault of the client', 422, () => service.call({ body: '{}' }), {}],
  ])('%s has the security headers and names the sandbox', async (_, status, ask, own) => {
    const answer = await ask();

    expect(answer.status).toBe(status);
    expect(answer.headers).toEqual({ ...always, ...own });
  });

  test('a failure of the service has the security headers', async () => {
    service.queue.on(SendMessageBatchCommand).rejects(new Error('secret inner workings'));
    const { status, headers } = await service.call();
    service.queue.on(SendMessageBatchCommand).resolves({ Successful: [], Failed: [] });

    expect([status, headers]).toEqual([500, always]);
  });

  // The page that tries operations has inline styles, and the reference may be kept. All else is as on any
  // answer.
  const kept = { 'cache-control': 'public, max-age=3600', etag: expect.any(String) };
  const coded = { vary: 'Accept-Encoding' };
  const policy = (styles: string) =>
    `default-src 'none'; script-src 'self'; style-src ${styles}; img-src 'self' data:; connect-src 'self'; ` +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
  const html = 'text/html; charset=utf-8';
  test.each([
    ['/docs', { ...kept, ...coded, 'content-type': html, 'content-security-policy': policy("'self'") }],
    [
      '/docs/try',
      {
        ...kept,
        'content-type': html,
        'content-security-policy': policy("'self' 'unsafe-inline'"),
      },
    ],
    ['/docs/start.js', { ...kept, ...coded, 'content-type': 'text/javascript; charset=utf-8' }],
    ['/docs/favicon-32x32.png', { ...kept, 'content-type': 'image/png' }],
  ])('the raw answer of %s has the security headers', async (path, own) => {
    const { status, headers } = await get(path);

    expect([status, headers]).toEqual([200, { ...always, ...own }]);
  });

  test('a redirect to a stored page has the security headers', async () => {
    const { 'content-type': _, ...withoutType } = always;
    const { account } = await service.createAccount({ rate_limit: 0 });
    const token = makePageToken(account, { html: 'html/folder/1-1.html.gz', expires: clock() + 60 });

    const { status, headers } = await service.call({ method: 'GET', path: `/pages/${token}`, body: null });

    expect([status, headers]).toEqual([302, { ...withoutType, location: expect.any(String) }]);
  });

  test('a live service does not name the sandbox', async () => {
    process.env.SEARCH_SOURCE = 'live';
    const { headers, body } = await callArea(service.site, { method: 'GET', path: '/' });
    delete process.env.SEARCH_SOURCE;

    expect(headers).not.toHaveProperty('x-search-source');
    expect(JSON.parse(body).search_source).toBe('live');
  });
});

describe('links', () => {
  const docsFrom = async (request: Partial<ApiRequest>) =>
    JSON.parse((await callArea(service.site, { method: 'GET', path: '/', ...request })).body).docs;

  test('begin with the gateway’s own host and the stage, whatever the Host header says', async () => {
    expect(await docsFrom({ stage: '/prod', headers: { Host: 'evil.example' } })).toBe(
      'https://api.example.com/prod/docs',
    );
    expect(await docsFrom({ headers: { 'X-Forwarded-Proto': 'http' } })).toBe('http://api.example.com/docs');
  });

  test('begin with PUBLIC_URL, whose path is not part of the route', async () => {
    process.env.PUBLIC_URL = 'https://search.example.com/v/';
    const [root, document] = [
      await docsFrom({}),
      await callArea(service.site, { method: 'GET', path: '/v/openapi.json' }),
    ];
    delete process.env.PUBLIC_URL;

    expect(root).toBe('https://search.example.com/v/docs');
    expect(JSON.parse(document.body).servers).toEqual([{ url: 'https://search.example.com/v' }]);
  });
});

test('an internal error is answered with 500 and no details', async () => {
  service.queue.on(SendMessageBatchCommand).rejects(new Error('secret inner workings'));
  const answer = await service.call();
  service.queue.on(SendMessageBatchCommand).resolves({ Successful: [], Failed: [] });

  expect([answer.status, JSON.parse(answer.body)]).toEqual([500, { detail: 'Internal Server Error' }]);
});

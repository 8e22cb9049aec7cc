/**
 * Calls from pages of other origins: off by default, for the origins of `CORS_ORIGINS` otherwise, never with
 * cookies.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { batchPath, onePath, type Service, startService } from './service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const app = 'https://app.example.com';
const preflight = (path: string, origin = app) =>
  service.call({
    method: 'OPTIONS',
    path,
    headers: { Authorization: '', Origin: origin, 'Access-Control-Request-Method': 'POST' },
    body: null,
  });
const list = (headers = {}) =>
  service.call({ method: 'GET', path: onePath, headers: { ...headers }, body: null });

const corsHeaders = (headers: Record<string, string>) =>
  Object.keys(headers).filter((name) => name.startsWith('access-control-'));

describe('without the setting', () => {
  test('a preflight is 405, and no answer has a header of CORS', async () => {
    const answers = [await preflight(onePath), await list({ Origin: app })];

    expect(answers.map(({ status }) => status)).toEqual([405, 200]);
    expect(answers.flatMap(({ headers }) => corsHeaders(headers))).toEqual([]);
    expect(answers[1]?.headers.vary ?? '').not.toContain('Origin');
  });
});

describe('with two origins', () => {
  beforeEach(() => {
    process.env.CORS_ORIGINS = `${app},http://localhost:5173`;
  });
  afterEach(() => {
    delete process.env.CORS_ORIGINS;
  });

  test.each([
    [onePath, 'POST, GET'],
    [`${onePath}/17`, 'GET'],
    [`${onePath}/`, 'POST, GET'],
    [batchPath, 'POST'],
    ['/api/v1/keyword-sv/live', 'POST'],
    ['/api/v1/users/me', 'GET'],
    ['/api/v1/status', 'GET'],
  ])('the preflight of %s needs no key, and allows %s and three headers', async (path, methods) => {
    const { status, headers, body } = await preflight(path);

    expect([status, body]).toEqual([204, '']);
    expect(headers).toMatchObject({
      'access-control-allow-origin': app,
      'access-control-allow-methods': methods,
      'access-control-allow-headers': 'Authorization, Content-Type, Idempotency-Key',
      'access-control-max-age': '7200',
      vary: 'Origin',
    });
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
  });

  test.each([
    ['another origin', onePath, 'https://evil.example'],
    ['an origin that begins like one of them', onePath, `${app}.evil.example`],
    ['the origin of a sandboxed frame', onePath, 'null'],
    ['both origins together', onePath, `${app},http://localhost:5173`],
    ['tokens', '/token', app],
    ['the stored pages', '/pages/token', app],
    ['the console', '/console', app],
    ['an unknown path', '/api/v2/serp/none', app],
  ])('the preflight from or of %s is refused', async (_, path, origin) => {
    const { status, headers } = await preflight(path, origin);

    expect([404, 405]).toContain(status);
    expect(headers).not.toHaveProperty('access-control-allow-origin');
  });

  test.each([app, 'http://localhost:5173'])(
    'a page of %s may read an answer and its headers',
    async (origin) => {
      const { status, headers } = await list({ Origin: origin });

      expect(status).toBe(200);
      expect(headers['access-control-allow-origin']).toBe(origin);
      expect(headers['access-control-expose-headers']).toContain('Retry-After');
      expect(headers.vary).toContain('Origin');
      expect(headers).not.toHaveProperty('access-control-allow-credentials');
    },
  );

  test('it may read an error too', async () => {
    const { status, headers } = await list({ Origin: app, Authorization: 'Bearer none' });

    expect([status, headers['access-control-allow-origin']]).toEqual([401, app]);
  });

  test('a large answer varies by its coding and by its origin', async () => {
    const { headers } = await service.call({
      method: 'POST',
      path: batchPath,
      headers: { Origin: app, 'Accept-Encoding': 'gzip' },
      body: JSON.stringify(
        Array.from({ length: 20 }, (_, n) => ({
          keyword: `k${n}`,
          location_name: 'Austria',
          iso_code: 'AT',
        })),
      ),
    });

    expect(headers.vary).toBe('Accept-Encoding, Origin');
  });

  test('an answer to another origin, or to no page, cannot be read and must not be kept for others', async () => {
    for (const headers of [{}, { Origin: 'https://evil.example' }]) {
      const answer = await list(headers);
      expect(corsHeaders(answer.headers)).toEqual([]);
      expect(answer.headers.vary).toBe('Origin');
    }
  });

  test('the documentation is the same for every origin', async () => {
    const { headers } = await service.call({
      method: 'GET',
      path: '/openapi.json',
      headers: { Origin: app },
      body: null,
    });

    expect(corsHeaders(headers)).toEqual([]);
  });
});

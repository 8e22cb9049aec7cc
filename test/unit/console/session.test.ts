/** What the console takes for an answer of the service, and what for an answer of something between. */
import { afterEach, expect, test, vi } from 'vitest';
import { call, callText, openSession } from '../../../lib/console/session.ts';

afterEach(() => vi.unstubAllGlobals());

const given = (body: string | ReadableStream, type: string, status = 200): void => {
  vi.stubGlobal('fetch', async () => new Response(body, { status, headers: { 'content-type': type } }));
};

const foreign = { name: 'Error', status: 0, message: expect.stringContaining('not from the service') };

test.each([
  ['a web page', '<!doctype html><h1>Log in to the network</h1>', 'text/html; charset=utf-8'],
  ['a web page that says it is JSON', '<!doctype html><h1>Log in</h1>', 'application/json'],
  ['nothing', '', 'application/json'],
])('%s is no answer of the service, so no view is drawn from it', async (_name, body, type) => {
  given(body, type);

  await expect(call('api/v1/projects')).rejects.toMatchObject(foreign);
  await expect(openSession('serp_key')).rejects.toMatchObject(foreign);
});

test('a web page is not saved as a file', async () => {
  given('<h1>Log in</h1>', 'text/html');

  await expect(callText('api/v1/projects/1/export')).rejects.toMatchObject(foreign);
});

test('a sign-in without a user ends with a message', async () => {
  given('{}', 'application/json');

  await expect(openSession('serp_key')).rejects.toMatchObject(foreign);
});

/** Answers by method: the sign-in, and the question for the user of the cookie. */
const signingIn = (kept: object | null): void => {
  vi.stubGlobal('fetch', async (_address: URL, { method }: RequestInit) =>
    Response.json({ user: method === 'POST' ? { id: 1 } : kept }),
  );
};

test('a browser that keeps no cookie is told so, and not asked for the key again without a reason', async () => {
  signingIn(null);

  await expect(openSession('serp_key')).rejects.toThrow('does not keep the cookie');
});

test('the user of a sign-in is that of the cookie, which another tab may have replaced', async () => {
  signingIn({ id: 2 });

  expect(await openSession('serp_key')).toEqual({ id: 2 });
});

test('a text keeps the byte order mark by which a spreadsheet knows its encoding', async () => {
  given('\uFEFFdate,keyword\n', 'text/csv');

  expect(await callText('api/v1/projects/1/export')).toBe('\uFEFFdate,keyword\n');
});

test.each([
  [
    429,
    '{"message":"Too Many Requests"}',
    'The service has too many requests. Wait a minute, then try again.',
  ],
  [503, '<h1>Unavailable</h1>', 'The service cannot answer now (status 503). Wait a minute, then try again.'],
  [418, '', 'The service answered with status 418.'],
  [429, '{"detail":"12 pages too many"}', '12 pages too many'],
])('status %i says what to do, in the words of the service if it has some', async (status, body, message) => {
  given(body, 'text/html', status);

  await expect(call('api/v1/projects')).rejects.toMatchObject({ status, message });
});

test('an answer that breaks off says that there is none', async () => {
  const broken = new ReadableStream({
    start: (controller) => {
      controller.enqueue(new TextEncoder().encode('{"data": ['));
      controller.error(new TypeError('network error'));
    },
  });
  given(broken, 'application/json');

  await expect(call('api/v1/projects')).rejects.toMatchObject({
    status: 0,
    message: expect.stringContaining('does not answer'),
  });
});

test('what the service answers is read: JSON, a text, and nothing for a deletion', async () => {
  given('{"data":[]}', 'application/json');
  expect(await call('api/v1/projects')).toEqual({ data: [] });
  given('date,keyword\n', 'text/csv');
  expect(await callText('api/v1/projects/1/export')).toBe('date,keyword\n');
  given('', 'application/json');
  expect(await call('api/v1/projects/1', { method: 'DELETE' })).toBeNull();
});

/**
 * How the embedded gateway converts good and bad requests to events, and answers of functions to responses.
 */
import { request } from 'node:http';
import { connect } from 'node:net';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Playing, startPlaying } from './fixtures/playing.ts';

let running: Playing;

beforeAll(async () => {
  running = await startPlaying();
});

afterAll(() => running.end());

/** Sends a path unchanged. `fetch` would normalise it. */
const raw = (path: string, options: { method?: string; headers?: Record<string, string> } = {}) =>
  new Promise<{ status: number; event: APIGatewayProxyEvent }>((resolve, reject) => {
    const { hostname, port } = new URL(running.url);
    request({ hostname, port, path, ...options }, async (response) => {
      let text = '';
      for await (const chunk of response) text += chunk;
      resolve({ status: response.statusCode ?? 0, event: JSON.parse(text) });
    })
      .on('error', reject)
      .end();
  });

test.each([
  ['/', '/', null],
  ['/items', '/items', null],
  ['/items/', '/items', null],
  ['/items/known', '/items/known', null],
  ['/items/7', '/items/{id}', { id: '7' }],
  ['/items/%00', '/items/{id}', { id: '%00' }],
  ['/items/..%2f..%2Fetc', '/items/{id}', { id: '..%2f..%2Fetc' }],
  ['/items/7/a/b', '/items/{id}/{rest+}', { id: '7', rest: 'a/b' }],
  ['/items/known/a', '/items/{id}/{rest+}', { id: 'known', rest: 'a' }],
])('routes %s to %s and does not decode it', async (path, resource, pathParameters) => {
  const { event } = await raw(path);

  expect(event).toMatchObject({ path, resource, pathParameters, httpMethod: 'GET' });
});

test.each([
  ['an unknown path', '/nothing', 'GET'],
  ['an unknown method', '/items', 'DELETE'],
])('gives its own response for %s', async (_, path, method) => {
  const reply = await fetch(running.url + path, { method });

  expect(reply.status).toBe(404);
  expect(reply.headers.get('cache-control')).toBe('no-store');
  expect(await reply.json()).toEqual({ detail: 'Not Found' });
});

test('passes headers, query parameters and source address as a REST API does', async () => {
  const { event } = await raw('/items?a=1&b=x%20y+z&a=2&__proto__=3', {
    headers: {
      'X-Mixed-Case': 'kept',
      'X-Forwarded-Proto': 'https',
      'x-forwarded-for': '203.0.113.9',
      Host: 'evil.example',
    },
  });

  const { host } = new URL(running.url);
  expect(event.headers).toMatchObject({ 'X-Mixed-Case': 'kept', 'X-Forwarded-Proto': 'http' });
  // The client is behind what it says itself, and in no second header.
  expect(Object.entries(event.multiValueHeaders).filter(([name]) => /^x-forwarded-for$/i.test(name))).toEqual(
    [['X-Forwarded-For', ['203.0.113.9, 127.0.0.1']]],
  );
  expect(event.multiValueQueryStringParameters).toMatchObject({ a: ['1', '2'], b: ['x y z'] });
  expect(event.queryStringParameters?.a).toBe('2');
  expect(event.requestContext).toMatchObject({ domainName: host, path: '/items', httpMethod: 'GET' });
  expect(event.requestContext.identity.sourceIp).toBe('127.0.0.1');
  expect(event.body).toBeNull();
});

test.each([
  ['text', 'application/json', Buffer.from('{"a":"ä"}'), false],
  ['a binary media type', 'image/png', Buffer.from('abc'), true],
  ['bytes that are not UTF-8', 'application/json', Buffer.from([0x7b, 0xff]), true],
])('passes a body of %s unchanged', async (_, type, body, isBase64Encoded) => {
  const reply = await fetch(`${running.url}/items/7`, {
    method: 'POST',
    headers: { 'content-type': type },
    body,
  });

  const event = (await reply.json()) as APIGatewayProxyEvent;
  expect(event.isBase64Encoded).toBe(isBase64Encoded);
  expect(Buffer.from(event.body ?? '', isBase64Encoded ? 'base64' : 'utf8')).toEqual(body);
});

test('gives 413 for a body above 10 MB, with and without a declared length', async () => {
  const declared = await fetch(`${running.url}/items/7`, {
    method: 'POST',
    body: Buffer.alloc(11 * 1024 * 1024),
  });
  const streamed = await fetch(`${running.url}/items/7`, {
    method: 'POST',
    duplex: 'half',
    body: ReadableStream.from(Array.from({ length: 11 }, () => Buffer.alloc(1024 * 1024))),
  });

  expect([declared.status, streamed.status]).toEqual([413, 413]);
  expect(await declared.json()).toEqual({ detail: 'Too large' });
});

test.each([
  ['throws', '/items/throws', 502],
  ['returns an invalid answer', '/items/nonsense', 502],
  ['returns an invalid header', '/items/bad-header', 502],
  ['returns more than Lambda allows', '/items/too-large', 502],
  ['times out', '/items/hangs', 504],
])('gives its own response, with Retry-After, for a handler that %s', async (_, path, status) => {
  const reply = await fetch(running.url + path);

  expect(reply.status).toBe(status);
  expect(reply.headers.get('retry-after')).toBe('5');
  expect(reply.headers.get('x-of-handler')).toBeNull();
  expect(await reply.json()).toHaveProperty('detail');
});

test('returns a body of up to 6 MB, as Lambda counts it', async () => {
  const reply = await fetch(`${running.url}/items/fits`);

  expect([reply.status, (await reply.text()).length]).toEqual([200, 3_000_000]);
});

test('returns binary bodies and repeated headers', async () => {
  const image = await fetch(`${running.url}/items/image`);
  const cookies = await fetch(`${running.url}/items/cookies`);

  expect(Buffer.from(await image.arrayBuffer())).toEqual(Buffer.from([0x89, 0x50, 0xff]));
  expect(cookies.status).toBe(204);
  expect(cookies.headers.get('x-one')).toBe('a, b');
});

/** Sends raw text, and returns everything that the gateway sends until the connection ends. */
const sendRaw = (text: string): Promise<string> =>
  new Promise((resolve) => {
    let reply = '';
    const socket = connect(Number(new URL(running.url).port), '127.0.0.1', () => socket.write(text));
    socket.on('data', (chunk) => {
      reply += chunk;
    });
    socket.on('close', () => resolve(reply));
  });

test.each([
  ['bytes that are not HTTP', 'nonsense\r\n\r\n'],
  ['a request without a host', 'GET /items HTTP/1.1\r\nconnection: close\r\n\r\n'],
  ['a CONNECT request', 'CONNECT mail.example:25 HTTP/1.1\r\nhost: mail.example\r\n\r\n'],
])('refuses %s with its own response', async (_, text) => {
  const reply = await sendRaw(text);

  expect(reply).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  // The template declares no gateway response for this error.
  expect(JSON.parse(reply.split('\r\n\r\n')[1] ?? '')).toEqual({ message: 'Bad Request' });
});

test('ignores an unknown Expect header', async () => {
  const reply = await sendRaw(
    'POST /items/7 HTTP/1.1\r\nhost: here\r\nexpect: the unexpected\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{}',
  );

  expect(reply).toMatch(/^HTTP\/1\.1 200 /);
});

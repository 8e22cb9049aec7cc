/** What happens to each request of a page in the browser. */
import { expect, test, vi } from 'vitest';
import { type InterceptedPage, intercept } from '../../../lib/net/intercept.ts';
import type { PageRelay } from '../../../lib/net/page-relay.ts';
import { fakeSession } from './session.ts';

const url = 'https://engine.example/search?q=tea';

type Paused = {
  resourceType?: string;
  frameId?: string;
  request?: { url?: string; headers?: Record<string, string> };
};

/** Opens a page, and pauses one request of it. */
const pause = async (page: Partial<InterceptedPage>, paused: Paused = {}, relay?: PageRelay) => {
  const fake = fakeSession({
    'Network.getCookies': {
      cookies: [
        { name: 'a', value: '1' },
        { name: 'b', value: '2' },
      ],
    },
  });
  const failed = vi.fn();
  await intercept(fake.session, { url, ...page }, relay, failed);
  await fake.emit('Fetch.requestPaused', {
    requestId: 'r1',
    resourceType: 'Document',
    frameId: 'main',
    ...paused,
    request: { url, headers: { 'User-Agent': 'x', Accept: 'text/html' }, ...paused.request },
  });
  return { ...fake, failed };
};

const blocked = [{ requestId: 'r1', errorReason: 'BlockedByClient' }];

test('every request is paused before it is sent', async () => {
  const { sent } = await pause({});

  expect(sent('Fetch.enable')).toEqual([{ patterns: [{ urlPattern: '*', requestStage: 'Request' }] }]);
});

test.each([
  'Image',
  'Font',
  'Media',
  'TextTrack',
  'Ping',
  'Prefetch',
  'Manifest',
  'EventSource',
  'WebSocket',
])('a request for %s is blocked', async (resourceType) => {
  const { sent } = await pause({}, { resourceType });

  expect(sent('Fetch.failRequest')).toEqual(blocked);
  expect(sent('Fetch.continueRequest')).toEqual([]);
});

test.each([
  ['file:///etc/passwd', true],
  ['data:text/html,x', true],
  ['x-https://engine.example/', true],
  ['http://other.example/', false],
  ['https://other.example/', false],
])('a request to %s is blocked: %s', async (to, isBlocked) => {
  const { sent } = await pause({}, { request: { url: to } });

  expect(sent('Fetch.failRequest')).toEqual(isBlocked ? blocked : []);
  expect(sent('Fetch.continueRequest')).toHaveLength(isBlocked ? 0 : 1);
});

test('a page without a body and headers is requested as the browser does', async () => {
  const { sent } = await pause({});

  expect(sent('Fetch.continueRequest')).toEqual([{ requestId: 'r1' }]);
});

test('a script is sent as it is', async () => {
  const { sent } = await pause({ headers: { cookie: 'c' }, body: '{}' }, { resourceType: 'Script' });

  expect(sent('Fetch.continueRequest')).toEqual([{ requestId: 'r1' }]);
});

test('a document of the origin of the page has our headers in the place of its own', async () => {
  const { sent } = await pause(
    { headers: { 'user-agent': 'ours', cookie: 'c' } },
    { request: { url: 'https://engine.example/other' } },
  );

  expect(sent('Fetch.continueRequest')).toEqual([
    {
      requestId: 'r1',
      headers: [
        { name: 'Accept', value: 'text/html' },
        { name: 'user-agent', value: 'ours' },
        { name: 'cookie', value: 'c' },
      ],
    },
  ]);
});

test('a document of another origin has no headers of ours', async () => {
  const { sent } = await pause(
    { headers: { cookie: 'c' } },
    { request: { url: 'https://other.example/search?q=tea' } },
  );

  expect(sent('Fetch.continueRequest')).toEqual([{ requestId: 'r1' }]);
});

test('a page with a body is requested by POST', async () => {
  const { sent } = await pause({ body: '{"q":"thé"}' });

  expect(sent('Fetch.continueRequest')).toEqual([
    {
      requestId: 'r1',
      method: 'POST',
      postData: Buffer.from('{"q":"thé"}').toString('base64'),
      headers: expect.arrayContaining([
        { name: 'origin', value: 'https://engine.example' },
        { name: 'referer', value: 'https://engine.example/' },
        { name: 'content-type', value: 'application/json' },
      ]),
    },
  ]);
});

test.each<[string, Paused]>([
  ['another frame', { frameId: 'inner' }],
  ['another address of the origin', { request: { url: 'https://engine.example/login' } }],
  ['another origin', { request: { url: 'https://other.example/search?q=tea' } }],
])('a document of %s is not requested by POST', async (_, paused) => {
  const { sent } = await pause({ body: '{}' }, paused);

  expect(sent('Fetch.continueRequest')).toEqual([{ requestId: 'r1' }]);
});

test('a command that comes too late is not an error', async () => {
  const fake = fakeSession({
    'Fetch.continueRequest': () => {
      throw new Error('Invalid InterceptionId');
    },
  });
  await intercept(fake.session, { url }, undefined, vi.fn());

  await fake.emit('Fetch.requestPaused', { requestId: 'r1', resourceType: 'Script', request: { url } });
  expect(fake.sent('Fetch.continueRequest')).toHaveLength(1);
});

const answer = { status: 203, headers: { 'content-type': 'text/html', 'x-a': '1' }, body: 'Grüße' };

test('an answer is invented for a document of the origin, from its address and its cookies', async () => {
  const invent = vi.fn(async () => answer);
  const { sent } = await pause({ invent });

  expect(invent).toHaveBeenCalledExactlyOnceWith({ url, cookie: 'a=1; b=2' });
  expect(sent('Network.getCookies')).toEqual([{ urls: [url] }]);
  expect(sent('Fetch.fulfillRequest')).toEqual([
    {
      requestId: 'r1',
      responseCode: 203,
      responseHeaders: [
        { name: 'content-type', value: 'text/html' },
        { name: 'x-a', value: '1' },
      ],
      body: Buffer.from('Grüße').toString('base64'),
    },
  ]);
  expect(sent('Fetch.continueRequest')).toEqual([]);
});

test('a connection may be broken instead', async () => {
  const { sent } = await pause({ invent: async () => null });

  expect(sent('Fetch.failRequest')).toEqual([{ requestId: 'r1', errorReason: 'ConnectionClosed' }]);
  expect(sent('Fetch.fulfillRequest')).toEqual([]);
});

test.each<[string, Paused]>([
  ['a script', { resourceType: 'Script' }],
  ['a document of another origin', { request: { url: 'https://other.example/' } }],
])('nothing is invented for %s, and nothing is fetched', async (_, paused) => {
  const invent = vi.fn(async () => answer);
  const { sent } = await pause({ invent }, paused);

  expect(invent).not.toHaveBeenCalled();
  expect(sent('Fetch.failRequest')).toEqual(blocked);
  expect(sent('Fetch.continueRequest')).toEqual([]);
});

const relayThat = (give: () => Promise<void> = async () => undefined) => {
  const give_ = vi.fn(give);
  return { answer: give_, close: async () => undefined } as unknown as PageRelay & { answer: typeof give_ };
};

test('a relay gets the request with our headers and our body', async () => {
  const relay = relayThat();
  await pause({ headers: { cookie: 'c' }, body: '{}' }, {}, relay);

  expect(relay.answer).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({
      requestId: 'r1',
      resourceType: 'Document',
      request: {
        url,
        method: 'POST',
        postData: '{}',
        headers: {
          'User-Agent': 'x',
          Accept: 'text/html',
          cookie: 'c',
          origin: 'https://engine.example',
          referer: 'https://engine.example/',
          'content-type': 'application/json',
        },
      },
    }),
  );
});

test.each<[string, Paused, boolean]>([
  ['the page', {}, true],
  ['a frame', { frameId: 'inner' }, false],
  ['a script', { resourceType: 'Script' }, false],
])('the failure of a relay breaks the connection of %s', async (_, paused, isReported) => {
  const error = new Error('cut off');
  const { sent, failed } = await pause(
    {},
    paused,
    relayThat(() => Promise.reject(error)),
  );

  expect(sent('Fetch.failRequest')).toEqual([{ requestId: 'r1', errorReason: 'ConnectionFailed' }]);
  expect(failed.mock.calls).toEqual(isReported ? [[error]] : []);
});

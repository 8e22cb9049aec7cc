/** How the main document of a page in the browser is watched and read. */
import { expect, test } from 'vitest';
import { chromiumError, maxBytes, watchDocument } from '../../../lib/net/page-document.ts';
import { fakeSession, mainFrame } from './session.ts';

const whole = '<html><body>tea</body></html>';

const watch = async (answers = {}) => {
  const fake = fakeSession({
    'Network.getResponseBody': { body: whole, base64Encoded: false },
    'Page.createIsolatedWorld': { executionContextId: 5 },
    'Runtime.evaluate': { result: { value: { state: 'complete', html: whole } } },
    ...answers,
  });
  const watcher = await watchDocument(fake.session);
  let message: string | null = null;
  watcher.failed.catch((error: Error) => {
    message = error.message;
  });
  const request = (more = {}) =>
    fake.emit('Network.requestWillBeSent', {
      requestId: 'loader',
      loaderId: 'loader',
      type: 'Document',
      frameId: 'main',
      ...more,
    });
  const respond = (more = {}, requestId = 'loader') =>
    fake.emit('Network.responseReceived', {
      requestId,
      response: { status: 200, headers: {}, mimeType: 'text/html', ...more },
    });
  const finish = (encodedDataLength = 100, requestId = 'loader') =>
    fake.emit('Network.loadingFinished', { requestId, encodedDataLength });
  const load = async () => {
    await request();
    await respond();
    await finish();
  };
  /** The failure of the document; null while there is none. */
  const failure = () => message;
  return { ...fake, watcher, request, respond, finish, load, failure };
};

test('a document that has loaded is read in a world of its own', async () => {
  const { watcher, load, sent } = await watch();
  await load();

  expect(await watcher.read()).toEqual({
    loaderId: 'loader',
    status: 200,
    url: mainFrame.url,
    html: whole,
    isLoaded: true,
  });
  expect(sent('Page.enable')).toHaveLength(1);
  expect(sent('Network.getResponseBody')).toEqual([{ requestId: 'loader' }]);
  expect(sent('Network.enable')).toEqual([
    { maxResourceBufferSize: maxBytes, maxTotalBufferSize: 4 * maxBytes },
  ]);
  expect(sent('Page.createIsolatedWorld')).toEqual([{ frameId: 'main' }]);
  expect(sent('Runtime.evaluate')).toEqual([expect.objectContaining({ contextId: 5, returnByValue: true })]);
  expect(maxBytes).toBe(5 * 1024 * 1024);
});

/** What the script that is run in the page says about a document. */
const readScript = async (document: object): Promise<unknown> => {
  const { watcher, load, sent } = await watch();
  await load();
  await watcher.read();
  const [{ expression }] = sent('Runtime.evaluate') as [{ expression: string }];
  return new Function('document', `return ${expression}`)(document);
};

test.each<[string, object, object]>([
  [
    'with a type',
    { documentElement: { outerHTML: '<html></html>' }, readyState: 'complete', doctype: {} },
    { state: 'complete', html: '<!DOCTYPE html><html></html>' },
  ],
  [
    'without a type',
    { documentElement: { outerHTML: '<html></html>' }, readyState: 'loading', doctype: null },
    { state: 'loading', html: '<html></html>' },
  ],
  ['without elements', { documentElement: null, readyState: 'complete' }, { state: 'complete', html: '' }],
  [
    'of 5 MB',
    { documentElement: { outerHTML: 'x'.repeat(maxBytes) }, readyState: 'complete' },
    { state: 'complete', html: 'x'.repeat(maxBytes) },
  ],
  [
    'of more than 5 MB',
    { documentElement: { outerHTML: 'x'.repeat(maxBytes + 1) }, readyState: 'complete' },
    { state: 'complete', html: null },
  ],
])('the script reads a document %s', async (_, document, expected) => {
  expect(await readScript(document)).toEqual(expected);
});

test('nothing is read before the document has arrived', async () => {
  const { watcher, request, respond, finish } = await watch();
  expect(await watcher.read()).toBeNull();
  await request();
  expect(await watcher.read()).toBeNull();
  await respond();
  expect(await watcher.read()).toBeNull();
  await finish();
  expect(await watcher.read()).toMatchObject({ status: 200 });
});

test.each<[string, object]>([
  ['still loads', { 'Runtime.evaluate': { result: { value: { state: 'loading', html: whole } } } }],
  [
    'is left',
    {
      'Runtime.evaluate': () => {
        throw new Error('Cannot find context');
      },
    },
  ],
])('nothing is read while the document %s', async (_, answers) => {
  const { watcher, load } = await watch(answers);
  await load();

  expect(await watcher.read()).toBeNull();
});

test('nothing is read if the page has moved on meanwhile', async () => {
  let asked = 0;
  const { watcher, load } = await watch({
    'Page.getFrameTree': () => {
      asked += 1;
      return { frameTree: { frame: asked < 3 ? mainFrame : { ...mainFrame, loaderId: 'next' } } };
    },
  });
  await load();

  expect(await watcher.read()).toBeNull();
});

test('a document whose resources still load says so', async () => {
  const { watcher, load } = await watch({
    'Runtime.evaluate': { result: { value: { state: 'interactive', html: whole } } },
  });
  await load();

  expect(await watcher.read()).toMatchObject({ isLoaded: false });
});

test.each<[string, string | null]>([
  ['as its script says', null],
  ['as its bytes say', 'é'.repeat(maxBytes / 2 + 1)],
])('a document that is too large, %s, is a failure', async (_, html) => {
  const { watcher, load } = await watch({
    'Runtime.evaluate': { result: { value: { state: 'complete', html } } },
  });
  await load();

  await expect(watcher.read()).rejects.toThrow('the page is too large');
});

test.each<[string, string, string]>([
  ['<p>a', '<html><p>a</p></body></html>', '<html><p>a</p>'],
  ['<p>a</html> b', '<p>a</p></body> \n</html>', '<p>a</p>'],
  ['<p>a', '<p>a</p></html>', '<p>a</p>'],
  ['<p>a', '</html><p>a', '</html><p>a'],
  ['<p>a</html>', '<p>a</p></body></html>', '<p>a</p></body></html>'],
  ['<p>a</HTML >\n', '<p>a</p></html>', '<p>a</p></html>'],
  ['<p>a</html><!-- b\n-->\n', '<p>a</p></html>', '<p>a</p></html>'],
  ['<p>a</html> \n<!-- b -->', '<p>a</p></html>', '<p>a</p></html>'],
  ['<p>a</html><!-- b', '<p>a</p></html>', '<p>a</p>'],
])('a page that arrived as %j and is shown as %j is read as %j', async (body, html, expected) => {
  const { watcher, load } = await watch({
    'Network.getResponseBody': { body: Buffer.from(body).toString('base64'), base64Encoded: true },
    'Runtime.evaluate': { result: { value: { state: 'complete', html } } },
  });
  await load();

  expect(await watcher.read()).toMatchObject({ html: expected });
});

test('a page whose body the browser has not kept counts as cut off', async () => {
  const { watcher, load } = await watch({
    'Network.getResponseBody': () => {
      throw new Error('No data found');
    },
  });
  await load();

  expect(await watcher.read()).toMatchObject({ html: '<html><body>tea' });
});

test('a document of JSON is its body, not the page that the browser makes of it', async () => {
  const { watcher, request, respond, finish, answers } = await watch();
  answers['Network.getResponseBody'] = { body: '{"a":1}', base64Encoded: false };
  await request();
  await respond({ status: 201, mimeType: 'application/json' });
  await finish();

  expect(await watcher.read()).toMatchObject({ status: 201, html: '{"a":1}' });
});

test('the documents of frames, and resources, say nothing about the page', async () => {
  const { watcher, request, respond, finish } = await watch();
  await request({ requestId: 'x', loaderId: 'x', frameId: 'inner' });
  await request({ requestId: 'loader', type: 'Script' });
  await request({ requestId: 'y', loaderId: 'loader' });
  await respond();
  await respond({ status: 500 }, 'x');
  await finish();

  expect(await watcher.read()).toBeNull();
});

test.each([
  ['of a frame', { requestId: 'x', loaderId: 'x', frameId: 'inner' }],
  ['that is no navigation', { requestId: 'x', loaderId: 'loader' }],
])('a request %s may fail', async (_, request) => {
  const fake = await watch();
  await fake.request(request);
  await fake.emit('Network.loadingFailed', { requestId: 'x', errorText: 'net::ERR_FAILED' });

  expect(fake.failure()).toBeNull();
});

test('a document that the page leaves is not a failure', async () => {
  const { watcher, request, respond, emit, failure } = await watch();
  await request();
  await emit('Network.loadingFailed', { requestId: 'other', errorText: 'net::ERR_FAILED' });
  await emit('Network.loadingFailed', { requestId: 'loader', errorText: 'net::ERR_ABORTED' });
  expect(await watcher.read()).toMatchObject({ status: 0, html: '<html><body>tea' });
  await respond({ status: 203 });
  await emit('Network.loadingFailed', { requestId: 'loader', errorText: 'net::ERR_ABORTED' });

  expect(await watcher.read()).toMatchObject({ status: 203 });
  expect(failure()).toBeNull();
});

test.each<[name: string, response: { status: number; headers?: Record<string, string> }]>([
  ['its status', { status: 206 }],
  ['its range', { status: 200, headers: { 'Content-Range': 'bytes 0-99/5000' } }],
])('a document that is a part of the page by %s is a failure', async (_, response) => {
  const { watcher, request, respond, finish } = await watch();
  await request();
  await respond(response);
  await finish();

  await expect(watcher.read()).rejects.toThrow('the answer is a part of the page');
});

test('a document that does not arrive is a failure', async () => {
  const { request, emit, failure } = await watch();
  await request();
  await emit('Network.loadingFailed', { requestId: 'loader', errorText: 'net::ERR_CONNECTION_RESET' });

  expect(failure()).toBe('the connection was reset');
});

test.each([
  [maxBytes, null],
  [maxBytes + 1, 'the page is too large'],
])('a document of %i bytes fails with %j', async (bytes, message) => {
  const { request, respond, finish, failure } = await watch();
  await request();
  await respond();
  await finish(bytes);

  expect(failure()).toBe(message);
});

test('a resource of any size is not a failure', async () => {
  const { finish, failure, sent } = await watch();
  await finish(maxBytes + 1, 'script');

  expect(failure()).toBeNull();
  expect(sent('Network.getResponseBody')).toEqual([]);
});

test('a page may have ten documents', async () => {
  const { request, failure } = await watch();
  for (let n = 0; n < 10; n++) await request({ requestId: `d${n}`, loaderId: `d${n}` });
  await request({ requestId: 'd9', loaderId: 'd9' });
  expect(failure()).toBeNull();
  await request({ requestId: 'd10', loaderId: 'd10' });

  expect(failure()).toBe('the page reloads without end');
});

test.each([
  ['net::ERR_CONTENT_LENGTH_MISMATCH', 'the connection ended too early'],
  ['net::ERR_INCOMPLETE_CHUNKED_ENCODING', 'the connection ended too early'],
  ['net::ERR_EMPTY_RESPONSE', 'the connection ended too early'],
  ['net::ERR_CONNECTION_RESET', 'the connection was reset'],
  ['net::ERR_CONNECTION_CLOSED', 'the connection was reset'],
  ['net::ERR_CONNECTION_ABORTED', 'the connection was reset'],
  ['net::ERR_TOO_MANY_REDIRECTS', 'the page redirects without end'],
  ['net::ERR_CERT_AUTHORITY_INVALID', 'could not connect; the TLS certificate is not trusted'],
  ['net::ERR_SSL_PROTOCOL_ERROR', 'could not connect; the TLS handshake failed'],
  ['net::ERR_SOCKS_CONNECTION_FAILED', 'could not connect'],
  ['net::ERR_CONNECTION_REFUSED', 'could not connect'],
  ['net::ERR_ADDRESS_UNREACHABLE', 'could not connect'],
  ['net::ERR_NAME_NOT_RESOLVED', 'could not connect'],
  ['net::ERR_TUNNEL_PROXY', 'could not connect'],
  ['net::ERR_ABORTED', 'the redirect does not lead to a result page'],
  ['net::ERR_BLOCKED_BY_CLIENT', 'the redirect does not lead to a result page'],
  ['net::ERR_UNSAFE_REDIRECT', 'the redirect does not lead to a result page'],
  ['net::ERR_UNKNOWN_URL_SCHEME', 'the redirect does not lead to a result page'],
  ['net::ERR_FAILED', 'the page did not load'],
])('%s means: %s', (code, sentence) => {
  expect(chromiumError(code).message).toBe(sentence);
});

/** The ways out over HTTP: which dispatcher a URL gets, and what the headers of a redirect say. */
import { afterEach, describe, expect, test, vi } from 'vitest';
import { addressIn, asText, headerValues, isRedirect, openWayOut } from '../../../lib/net/way-out.ts';
import { serve, serveBytes, serveProxy, serveTls } from '../../integration/net/loopback.ts';
import { certificate } from '../../integration/net/loopback-certificate.ts';

vi.mock(import('../../../lib/net/resolve-name.ts'), () => ({ resolveName: async () => ['127.0.0.1'] }));

const opened: ReturnType<typeof openWayOut>[] = [];
afterEach(async () => {
  for (const { close } of opened.splice(0)) await close();
});

const open = (wayOut: Parameters<typeof openWayOut>[0]) => {
  const out = openWayOut(wayOut);
  opened.push(out);
  return out;
};

const get = async (wayOut: Parameters<typeof openWayOut>[0], url: string): Promise<string> => {
  const { origin, pathname } = new URL(url);
  const answer = await open(wayOut)
    .dispatcherFor(new URL(url))
    .request({ origin, path: pathname, method: 'GET', headers: {} });
  return answer.body.text();
};

describe('a direct way out', () => {
  test('leads to no name that resolves to this machine', async () => {
    const origin = await serve((_, response) => response.end('here'));

    await expect(get({}, origin.replace('127.0.0.1', 'engine.example'))).rejects.toThrow(
      'address is loopback',
    );
  });

  test('goes to the exempt origin, and to no other address of this machine', async () => {
    const origin = await serve((_, response) => response.end('here'));
    const other = await serve((_, response) => response.end('other'));

    expect(await get({ exempt: origin }, origin)).toBe('here');
    await expect(get({ exempt: origin }, other)).rejects.toThrow('address is loopback');
    await expect(get({}, origin)).rejects.toThrow('address is loopback');
  });

  test.each([
    ['http://127.0.0.9', 'http://127.0.0.9:80/', true],
    ['http://127.0.0.9', 'https://127.0.0.9:80/', true],
    ['http://127.0.0.9', 'https://127.0.0.9/', false],
    ['https://127.0.0.9', 'https://127.0.0.9:443/', true],
    ['https://127.0.0.9', 'http://127.0.0.9/', false],
    ['http://127.0.0.9:81', 'http://127.0.0.9/', false],
    ['http://127.0.0.9', 'http://127.0.0.8/', false],
  ])('with the exempt origin %s may go to %s: %s', (exempt, url, isAllowed) => {
    const choose = () => open({ exempt }).dispatcherFor(new URL(url));

    if (isAllowed) expect(choose()).not.toBe(open({}).dispatcherFor(new URL('https://example.com/')));
    else expect(choose).toThrow('address is loopback');
  });

  test('accepts headers of up to 64 KB', async () => {
    const answerWith = (bytes: number) =>
      serveBytes((socket) =>
        socket.end(`HTTP/1.1 200 OK\r\nx-a: ${'a'.repeat(bytes)}\r\ncontent-length: 2\r\n\r\nok`),
      );
    const [small, large] = [await answerWith(63 * 1024), await answerWith(65 * 1024)];

    expect(await get({ exempt: small }, small)).toBe('ok');
    await expect(get({ exempt: large }, large)).rejects.toMatchObject({ code: 'UND_ERR_HEADERS_OVERFLOW' });
  });
});

describe("the operator's proxy", () => {
  test('gets a tunnel, also to a page without TLS, with its credentials', async () => {
    const origin = await serve((request, response) => response.end(request.headers['proxy-authorization']));
    const proxy = await serveProxy(origin);
    const proxyUrl = proxy.origin.replace('//', '//me:p%3Aw@');

    expect(await get({ proxyUrl }, 'http://engine.example/')).toBe('');
    expect(proxy.tunnels).toEqual([
      { target: 'engine.example:80', authorization: `Basic ${btoa('me:p:w')}` },
    ]);
  });

  test('is asked for the exempt origin, and for no other address of this machine', async () => {
    const origin = await serve((_, response) => response.end('here'));
    const proxy = await serveProxy(origin);
    const wayOut = { proxyUrl: proxy.origin, exempt: 'http://127.0.0.1:1' };

    expect(await get(wayOut, 'http://127.0.0.1:1/')).toBe('here');
    await expect(get(wayOut, 'http://127.0.0.1:2/')).rejects.toThrow('address is loopback');
    expect(proxy.tunnels.map(({ target }) => target)).toEqual(['127.0.0.1:1']);
  });

  test('may end TLS with its own authority, and only with that', async () => {
    const engine = await serveTls((_, response) => response.end('behind TLS'));
    const proxy = await serveProxy(engine);
    const wayOut = { proxyUrl: proxy.origin };

    expect(await get({ ...wayOut, proxyCa: certificate }, 'https://www.engine.example/')).toBe('behind TLS');
    await expect(get(wayOut, 'https://www.engine.example/')).rejects.toThrow(/certificate|self/);
  });

  test.each([
    'ftp://me:secret@proxy.example',
    'proxy.example:8080',
    'x-https://me:secret@proxy.example',
    'https:',
  ])('cannot be %s, and the error does not show it', (proxyUrl) => {
    expect(() => openWayOut({ proxyUrl })).toThrow(/^PROXY_URL is not an http\(s\) URL$/);
  });

  test('loses its connections when the way out is closed', async () => {
    const origin = await serve((_, response) => response.end('here'));
    const proxy = await serveProxy(origin);
    const { dispatcherFor, close } = openWayOut({ proxyUrl: proxy.origin });
    await close();

    const url = new URL('http://engine.example/');
    await expect(
      dispatcherFor(url).request({ origin: url.origin, path: '/', method: 'GET' }),
    ).rejects.toThrow(/destroyed/);
  });
});

test.each([
  [300, false],
  [301, true],
  [302, true],
  [303, true],
  [304, false],
  [307, true],
  [308, true],
  [200, false],
])('the status %i is a redirect: %s', (status, expected) => {
  expect(isRedirect(status)).toBe(expected);
});

test('a header has no, one or several values', () => {
  expect([undefined, 'a', ['a', 'b'], ''].map(headerValues)).toEqual([[], ['a'], ['a', 'b'], ['']]);
});

test('an address in a header is UTF-8, and may be relative', () => {
  const header = Buffer.from('/中?q=é').toString('latin1');

  expect(asText(header)).toBe('/中?q=é');
  expect(addressIn(header, new URL('https://engine.example/a'))?.href).toBe(
    'https://engine.example/%E4%B8%AD?q=%C3%A9',
  );
  expect(addressIn('https://', new URL('https://engine.example/a'))).toBeNull();
});

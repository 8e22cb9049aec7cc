/** Pages in a browser through a proxy that ends TLS itself and has its own certificate authority. */
import type { IncomingMessage } from 'node:http';
import { afterAll, expect, test } from 'vitest';
import { closeBrowsers } from '../../../lib/net/browser.ts';
import { serve, serveProxy, serveTls } from '../net/loopback.ts';
import { certificate } from '../net/loopback-certificate.ts';
import { good, html, render } from './render.ts';

afterAll(closeBrowsers);

const page = 'https://www.engine.example/search?q=tea';

/** Starts an engine behind a proxy that ends TLS, and renders its page with the authority of the proxy. */
const renderBehind = async (
  answer: (request: IncomingMessage) => { status?: number; headers?: object; body?: string },
  url = page,
  more: object = { proxyCa: certificate },
) => {
  const requests: IncomingMessage[] = [];
  const engine = await serveTls((request, response) => {
    if (request.url === '/favicon.ico') return response.writeHead(404).end();
    requests.push(request);
    const { status = 200, headers = {}, body = good } = answer(request);
    return response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(body);
  });
  const proxy = await serveProxy(engine);
  const rendered = await render(url, { exempt: undefined, proxyUrl: proxy.origin, ...more });
  return { rendered, requests, tunnels: proxy.tunnels };
};

test('a page is opened, and every request of it is a tunnel of the proxy', async () => {
  const { rendered, requests, tunnels } = await renderBehind(({ url }) =>
    url === '/a.js'
      ? {
          headers: { 'content-type': 'text/javascript' },
          body: `document.body.innerHTML = '<p id="done">ran</p>'`,
        }
      : { body: html('<script src="/a.js"></script>') },
  );

  expect(rendered).toMatchObject({
    ok: true,
    status: 200,
    url: page,
    body: expect.stringContaining('>ran<'),
  });
  expect(requests.map(({ url }) => url)).toEqual(['/search?q=tea', '/a.js']);
  expect(new Set(tunnels.map(({ target }) => target))).toEqual(new Set(['www.engine.example:443']));
});

test('the request of the document has the headers of a navigation of the same browser', async () => {
  const { requests } = await renderBehind(() => ({}));

  expect(requests[0]?.headers).toMatchObject({
    'user-agent': expect.stringContaining('Chrome/'),
    'sec-ch-ua-mobile': '?0',
    'accept-language': 'en-US,en;q=0.9',
    'sec-fetch-dest': 'document',
    accept: expect.stringContaining('text/html'),
  });
});

test('a page with a body is requested by POST, and an answer in JSON is its text', async () => {
  const json = '{"items":["<b>1</b>"]}';
  const { rendered, requests } = await renderBehind(
    () => ({ headers: { 'content-type': 'application/json' }, body: json }),
    page,
    { proxyCa: certificate, body: '{"token":"ü"}', patienceMs: () => 0 },
  );

  expect(rendered).toMatchObject({ ok: true, status: 200, url: page, body: json });
  expect(requests.map(({ method }) => method)).toEqual(['POST']);
  expect(requests[0]?.headers).toMatchObject({
    origin: 'https://www.engine.example',
    'content-type': 'application/json',
    'content-length': '14',
  });
});

test('cookies and redirects work, and a script wall that reloads the page is passed', async () => {
  const { rendered, requests } = await renderBehind(({ url, headers: { cookie = '' } }) => {
    if (url === '/search?q=tea') {
      return { status: 302, headers: { location: '/wall', 'set-cookie': ['a=1; Path=/', 'b=2; Path=/'] } };
    }
    return cookie.includes('passed=1')
      ? {}
      : { body: html(`<script>document.cookie='passed=1'; location.reload()</script>`) };
  });

  expect(rendered).toMatchObject({ ok: true, url: 'https://www.engine.example/wall', body: good });
  expect(requests.map(({ url, headers }) => [url, headers.cookie?.split('; ').sort()])).toEqual([
    ['/search?q=tea', undefined],
    ['/wall', ['a=1', 'b=2']],
    ['/wall', ['a=1', 'b=2', 'passed=1']],
  ]);
});

test.each([
  ['without the authority of the proxy', page, {}],
  ['for another name than that of the certificate', 'https://www.other.example/', { proxyCa: certificate }],
])('%s, the certificate is not trusted', async (_, url, more) => {
  const { rendered, requests } = await renderBehind(() => ({}), url, more);

  expect(rendered).toEqual({
    ok: false,
    reason: 'unreachable: could not connect; the TLS certificate is not trusted',
  });
  expect(requests).toEqual([]);
});

test('forbidden addresses are refused before the proxy is asked', async () => {
  const { rendered, tunnels } = await renderBehind(() => ({
    body: html('<iframe src="http://169.254.169.254/"></iframe><p id="done">whole</p>'),
  }));

  expect(rendered).toMatchObject({ ok: true });
  expect(tunnels.map(({ target }) => target)).not.toContain('169.254.169.254:80');
});

test('a page that is cut off is no page', async () => {
  const engine = await serveTls((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'content-length': '5000' }).write('<p id="done">');
    setTimeout(() => response.destroy(), 50);
  });
  const proxy = await serveProxy(engine);

  expect(
    await render(page, { exempt: undefined, proxyUrl: proxy.origin, proxyCa: certificate }),
  ).toMatchObject({ ok: false, reason: expect.stringMatching(/^unreachable: the connection/) });
});

test('a proxy that refuses tunnels gives no page', async () => {
  const proxy = await serveProxy(await serve(() => {}), '407 Proxy Authentication Required');

  expect(await render(page, { exempt: undefined, proxyUrl: proxy.origin, proxyCa: certificate })).toEqual({
    ok: false,
    reason: 'unreachable: the proxy refused the credentials',
  });
});

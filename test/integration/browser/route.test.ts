/**
 * The ways out for pages in a browser: direct and guarded, to the exempt origin, through the operator's
 * proxy, or none.
 */
import { afterAll, describe, expect, test } from 'vitest';
import { closeBrowsers } from '../../../lib/net/browser.ts';
import { serve, serveProxy, serveTls } from '../net/loopback.ts';
import { good, html, render } from './render.ts';

afterAll(closeBrowsers);

const serveGood = (requests: (string | undefined)[] = []) =>
  serve((request, response) => {
    if (request.url !== '/favicon.ico') requests.push(request.url);
    response.setHeader('content-type', 'text/html').end(good);
  });

describe('direct', () => {
  test.each(['127.0.0.1', 'localhost', '[::1]', '0x7f.1'])(
    'a page on %s is not opened unless it is the exempt origin',
    async (host) => {
      const requests: (string | undefined)[] = [];
      const origin = await serveGood(requests);
      const url = `http://${host}:${new URL(origin).port}/`;

      expect(await render(url, { exempt: undefined })).toEqual({
        ok: false,
        reason: 'unreachable: could not connect',
      });
      expect(requests).toEqual([]);
    },
  );

  test('the exemption applies to one port', async () => {
    const requests: (string | undefined)[] = [];
    const other = await serveGood(requests);
    const origin = await serve((_, response) => response.writeHead(302, { location: `${other}/` }).end());

    expect(await render(`${origin}/`)).toMatchObject({ ok: false });
    expect(requests).toEqual([]);
  });

  test('an untrusted certificate gives no page', async () => {
    const origin = await serveTls((_, response) => response.end(good));

    expect(await render(`${origin}/`)).toEqual({
      ok: false,
      reason: 'unreachable: could not connect; the TLS certificate is not trusted',
    });
  });
});

describe('through the proxy of the operator', () => {
  test('every connection is a tunnel with the credentials of the proxy', async () => {
    const origin = await serveGood();
    const proxy = await serveProxy(origin);
    const proxyUrl = proxy.origin.replace('//', '//user-de:p%40ss@');

    const page = await render('http://www.engine.example/search?q=tea', { exempt: undefined, proxyUrl });

    expect(page).toMatchObject({ ok: true, url: 'http://www.engine.example/search?q=tea' });
    expect(proxy.tunnels.length).toBeGreaterThan(0);
    expect(new Set(proxy.tunnels.map(({ target }) => target))).toEqual(new Set(['www.engine.example:80']));
    expect(proxy.tunnels[0]?.authorization).toBe(`Basic ${btoa('user-de:p@ss')}`);
  });

  test('forbidden addresses are refused before the proxy is asked', async () => {
    const origin = await serve((_, response) =>
      response
        .setHeader('content-type', 'text/html')
        .end(html('<iframe src="http://169.254.169.254/"></iframe><p id="done">whole</p>')),
    );
    const proxy = await serveProxy(origin);

    const page = await render('http://www.engine.example/', { exempt: undefined, proxyUrl: proxy.origin });

    expect(page).toMatchObject({ ok: true });
    expect(proxy.tunnels.map(({ target }) => target)).not.toContain('169.254.169.254:80');
  });

  test.each(['407 Proxy Authentication Required', '502 Bad Gateway'])(
    'that refuses with %s gives no page',
    async (refusal) => {
      const proxy = await serveProxy('http://127.0.0.1:9', refusal);

      expect(
        await render('http://www.engine.example/', { exempt: undefined, proxyUrl: proxy.origin }),
      ).toMatchObject({ ok: false, reason: expect.stringMatching(/^unreachable: /) });
    },
  );
});

describe('none', () => {
  test('invented pages get their cookies, and nothing else is reached', async () => {
    const requests: (string | undefined)[] = [];
    const origin = await serveGood(requests);
    const cookies: string[] = [];

    const page = await render('https://www.engine.example/search?q=tea', {
      exempt: undefined,
      invent: async ({ cookie }) => {
        cookies.push(cookie);
        const wall = html(`<script>document.cookie = 'a=1'; location.reload()</script>
          <iframe src="${origin}/frame"></iframe><script src="${origin}/script"></script>`);
        return {
          status: 200,
          headers: { 'content-type': 'text/html', 'set-cookie': 'b=2; HttpOnly' },
          body: cookie.includes('a=1') ? good : wall,
        };
      },
    });

    expect(page).toMatchObject({ ok: true, status: 200, url: 'https://www.engine.example/search?q=tea' });
    expect(cookies[0]).toBe('');
    expect(cookies.at(-1)?.split('; ').sort()).toEqual(['a=1', 'b=2']);
    expect(requests).toEqual([]);
  });

  test('an invented break of the connection gives no page', async () => {
    expect(
      await render('https://www.engine.example/', { exempt: undefined, invent: async () => null }),
    ).toEqual({ ok: false, reason: 'unreachable: the connection was reset' });
  });
});

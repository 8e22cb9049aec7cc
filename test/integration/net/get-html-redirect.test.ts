/** Redirects of pages over HTTP. */
import type http from 'node:http';
import { describe, expect, test } from 'vitest';
import { fetchFrom, html } from './fetch-from.ts';
import { serve } from './loopback.ts';

describe('redirects', () => {
  const redirecting = (status: number, location: string): http.RequestListener => {
    return (request, response) => {
      if (request.url === '/') response.writeHead(status, { location }).end('moved');
      else response.end(`${request.method} ${request.url}`);
    };
  };

  test.each([301, 302, 303, 307, 308])('with status %d are followed', async (status) => {
    const origin = await serve(redirecting(status, '/sorry/index?continue=x'));
    expect(await fetchFrom(origin)).toMatchObject({
      ok: true,
      url: `${origin}/sorry/index?continue=x`,
      body: 'GET /sorry/index?continue=x',
    });
  });

  test('to an address with non-ASCII characters are followed', async () => {
    const origin = await serve(redirecting(302, Buffer.from('/größe').toString('latin1')));
    expect(await fetchFrom(origin)).toMatchObject({ ok: true, url: `${origin}/gr%C3%B6%C3%9Fe` });
  });

  test.each([300, 304])('are not status %d, which is a page', async (status) => {
    const origin = await serve(redirecting(status, '/elsewhere'));
    expect(await fetchFrom(origin)).toMatchObject({ ok: true, status, url: `${origin}/` });
  });

  test('without a location are pages', async () => {
    const origin = await serve((_, response) => response.writeHead(302).end('moved'));
    expect(await fetchFrom(origin)).toMatchObject({ ok: true, status: 302, body: 'moved' });
  });

  test.each([
    [5, true],
    [6, false],
  ])('%d in a row lead to a page: %j', async (count, ok) => {
    const origin = await serve((request, response) => {
      const left = Number(request.url?.slice(1));
      if (left > 0) response.writeHead(302, { location: `/${left - 1}` }).end();
      else response.end(html);
    });
    expect(await fetchFrom(origin, `/${count}`)).toMatchObject({ ok });
  });

  test('in a loop are a failure', async () => {
    const origin = await serve((_, response) => response.writeHead(302, { location: '/' }).end());
    expect(await fetchFrom(origin)).toEqual({
      ok: false,
      reason: 'unreachable: the page redirects without end',
    });
  });

  test.each([
    ['http://127.0.0.1:1/', 'address is loopback'],
    ['http://169.254.169.254/latest/meta-data/', 'address is a metadata address'],
    ['http://0xa9fea9fe/', 'address is a metadata address'],
    ['http://[::ffff:10.0.0.1]/', 'address is private'],
    ['https://metadata.google.internal/', 'address is private'],
    ['http://localhost:1/', 'address is loopback'],
    ['//10.0.0.1/', 'address is private'],
    ['file:///etc/passwd', 'URL scheme is neither http nor https'],
    ['data:text/html,hi', 'URL scheme is neither http nor https'],
    ['http://[nonsense', 'the page redirects to something that is not a URL'],
  ])('to %s are refused', async (location, reason) => {
    const origin = await serve(redirecting(302, location));
    expect(await fetchFrom(origin)).toEqual({ ok: false, reason: `unreachable: ${reason}` });
  });

  test.each(['ftp', 'ws', 'wss', 'foo'])('to %s at the exempt host are refused', async (scheme) => {
    const origin = await serve((request, response) => {
      response.writeHead(302, { location: `${scheme}://${request.headers.host}/` }).end();
    });
    expect(await fetchFrom(origin)).toEqual({
      ok: false,
      reason: 'unreachable: URL scheme is neither http nor https',
    });
  });

  test('to another port of the exempt host are refused', async () => {
    let reached = false;
    const other = await serve((_, response) => {
      reached = true;
      response.end();
    });
    const origin = await serve(redirecting(302, other));
    expect(await fetchFrom(origin)).toEqual({ ok: false, reason: 'unreachable: address is loopback' });
    expect(reached).toBe(false);
  });

  test('send the cookies of this fetch only', async () => {
    const seen: (string | undefined)[] = [];
    const origin = await serve((request, response) => {
      seen.push(request.headers.cookie);
      if (request.url === '/') {
        response.writeHead(302, { location: '/next', 'set-cookie': ['a=1; Path=/', 'b=2; Secure'] }).end();
      } else response.end();
    });

    await fetchFrom(origin);
    await fetchFrom(origin);

    expect(seen).toEqual([undefined, 'a=1', undefined, 'a=1']);
  });
});

/**
 * The operator's proxy. Its address is a secret: in Secrets Manager on AWS, in the environment on the
 * embedded stack.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { answerRequest } from '../../../lib/sandbox/google/engine.ts';
import { serve, serveProxy, serveTls } from '../../integration/net/loopback.ts';
import { certificate } from '../../integration/net/loopback-certificate.ts';
import { clientOf } from '../client.ts';
import { startService } from '../service.ts';

const startEngine = (start = serve) =>
  start((request, response) => {
    const url = new URL(request.url ?? '/', 'https://www.google.com').href;
    const { cookie = '' } = request.headers;
    const page = answerRequest({ url, device: 'desktop', cookie, now: Math.floor(Date.now() / 1000) });
    response
      .writeHead(page.status, { 'content-type': 'text/html; charset=utf-8', ...page.headers })
      .end(page.body);
  });

/** Everything that the service has written, including tables and log. */
const written = (folder: string): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');

const search = { keyword: 'quiet keyboards' };

test('pages are fetched through the proxy, and its password is written nowhere', async () => {
  const engine = await startEngine();
  const proxy = await serveProxy(engine);
  const service = await startService({
    GOOGLE_ORIGIN: engine,
    PROXY_URL: proxy.origin.replace('//', '//user-{country}:open-sesame@'),
  });
  try {
    const client = clientOf(service);
    const task = await client.searched(search);
    const root = await client.call('/');

    expect(task.status).toBe('success');
    expect(proxy.tunnels[0]).toEqual({
      target: new URL(engine).host,
      authorization: `Basic ${btoa('user-us:open-sesame')}`,
    });
    expect(`${JSON.stringify(task)} ${await root.text()}`).not.toContain('open-sesame');
    expect(written(service.dataDir)).not.toContain('open-sesame');
  } finally {
    await service.stop();
  }
});

test('a proxy that ends TLS itself works over HTTP and in the browser if its authority is given', async () => {
  const engine = await startEngine(serveTls);
  const proxy = await serveProxy(engine);
  const service = await startService({
    GOOGLE_ORIGIN: 'https://www.engine.example',
    PROXY_URL: proxy.origin,
    PROXY_CA: certificate,
  });
  try {
    const client = clientOf(service);
    const overHttp = await client.searched(search);
    const inBrowser = await client.searched({ keyword: 'script_wall: quiet keyboards' });

    expect([overHttp.status, inBrowser.status]).toEqual(['success', 'success']);
    expect(inBrowser.pages).toMatchObject([{ retry_count: 2 }]);
    expect(new Set(proxy.tunnels.map(({ target }) => target))).toEqual(new Set(['www.engine.example:443']));
  } finally {
    await service.stop();
  }
});

test('without its authority, no page comes through a proxy that ends TLS itself', async () => {
  const proxy = await serveProxy(await startEngine(serveTls));
  const service = await startService({
    GOOGLE_ORIGIN: 'https://www.engine.example',
    PROXY_URL: proxy.origin,
  });
  try {
    expect(await clientOf(service).searched(search)).toMatchObject({
      status: 'error',
      error_message: 'unreachable: could not connect; the TLS certificate is not trusted',
    });
  } finally {
    await service.stop();
  }
});

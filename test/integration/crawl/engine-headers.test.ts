/** The headers of an engine's address: the fetchers send them with each page. */
import type { IncomingHttpHeaders } from 'node:http';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, afterEach, expect, test } from 'vitest';
import { fetchInBrowser } from '../../../lib/fetcher/browser.ts';
import { fetchOverHttp } from '../../../lib/fetcher/http.ts';
import { openLinks } from '../../../lib/fetcher/links.ts';
import { closeBrowsers } from '../../../lib/net/browser.ts';
import { good, html, render } from '../browser/render.ts';
import { serve } from '../net/loopback.ts';

mockClient(SSMClient)
  .on(GetParameterCommand)
  .resolves({ Parameter: { Value: '{}' } });
mockClient(SecretsManagerClient).on(GetSecretValueCommand).resolves({ SecretString: ' ' });

afterEach(() => {
  delete process.env.BING_ORIGIN;
  delete process.env.GOOGLE_ORIGIN;
  delete process.env.YAHOO_ORIGIN;
});
afterAll(closeBrowsers);

const search = { device: 'desktop', language_code: 'de', iso_code: 'AT' } as const;

/** Starts an engine on loopback. Collects the headers of the requests for its pages. */
const startEngine = async (setting: string, body = good) => {
  const requests: IncomingHttpHeaders[] = [];
  process.env[setting] = await serve((request, response) => {
    if (request.url !== '/favicon.ico') requests.push(request.headers);
    response.setHeader('content-type', 'text/html').end(body);
  });
  return requests;
};

const bing = {
  ...search,
  engine: 'bing',
  url: 'https://www.bing.com/search?q=tea&mkt=de-AT&first=1',
} as const;
const google = { ...search, engine: 'google', url: 'https://www.google.com/search?q=tea' } as const;

const noLookUp = { deadlineMs: 0, work: async () => {} };

test('a page over HTTP has the language of its address', async () => {
  const [ofBing, ofGoogle] = [await startEngine('BING_ORIGIN'), await startEngine('GOOGLE_ORIGIN')];

  await fetchOverHttp(bing, '1', 5000);
  await fetchOverHttp(google, '1', 5000);

  expect(ofBing.map((headers) => headers['accept-language'])).toEqual(['de-AT,de;q=0.9']);
  expect(ofGoogle.map((headers) => headers['accept-language'])).toEqual(['de-DE,de;q=0.9,en;q=0.8']);
});

const yahoo = {
  ...search,
  engine: 'yahoo',
  url: 'https://search.yahoo.com/search?p=tea&b=1&pz=7',
} as const;

/**
 * Starts an engine that serves pages only to clients with a cookie, which a picture sets. Collects the
 * requests.
 */
const startGate = async (picturePath: string, setsCookie: boolean) => {
  const requests: string[] = [];
  process.env.YAHOO_ORIGIN = await serve((request, response) => {
    const { url = '', headers } = request;
    requests.push(`${url.split('?')[0]} ${headers.cookie ?? '-'}`);
    if (url.startsWith('/search') && headers.cookie === undefined) {
      response.writeHead(307, { location: `${picturePath}?x=1` }).end();
      return;
    }
    if (url.startsWith(picturePath) && setsCookie) response.setHeader('set-cookie', 'YBV=1; Path=/');
    response.setHeader('content-type', 'text/html').end(url.startsWith('/search') ? good : 'GIF89a');
  });
  return requests;
};

test('a page of Yahoo is asked for once more with the cookie that a picture sets', async () => {
  const requests = await startGate('/_bv/v.gif', true);

  expect(await fetchOverHttp(yahoo, '1', 5000)).toMatchObject({ ok: true, status: 200, body: good });
  expect(requests).toEqual(['/search -', '/_bv/v.gif -', '/search YBV=1']);
});

test('a picture that sets no cookie is asked for twice at most', async () => {
  const requests = await startGate('/_bv/v.gif', false);

  expect(await fetchOverHttp(yahoo, '1', 5000)).toMatchObject({ ok: true, body: 'GIF89a' });
  expect(requests).toHaveLength(4);
});

test('another redirect is followed once', async () => {
  const requests = await startGate('/other', true);

  expect(await fetchOverHttp(yahoo, '1', 5000)).toMatchObject({ ok: true, body: 'GIF89a' });
  expect(requests).toHaveLength(2);
});

test('a lookup of a link has the language of the page', async () => {
  const requests = await startEngine('BING_ORIGIN');
  const links = await openLinks(bing, { fetcher: 'http', session: '1' });

  await links.ask('https://www.bing.com/ck/a?u=1');
  await links.close();

  expect(requests.map((headers) => headers['accept-language'])).toEqual(['de-AT,de;q=0.9']);
});

test('a page in the browser has it too, and its scripts see the same languages', async () => {
  const script = `<script>document.write('<p id="done">' + navigator.languages + '</p>')</script>`;
  const requests = await startEngine('BING_ORIGIN', html(script));

  const page = await fetchInBrowser(bing, '1', () => 0, noLookUp, 60_000);

  expect(requests[0]?.['accept-language']).toBe('de-AT,de;q=0.9');
  expect(page).toMatchObject({ ok: true, body: expect.stringContaining('>de-AT,de<') });
});

test("a header of the address replaces the browser's own in requests for documents of the origin only", async () => {
  const requests = await startEngine('BING_ORIGIN', html('<script src="/a.js"></script><p id="done"></p>'));

  await render(`${process.env.BING_ORIGIN}/`, { headers: { 'x-market': 'de-AT', accept: 'text/html' } });

  expect(requests.map((headers) => [headers['x-market'], headers.accept])).toEqual([
    ['de-AT', 'text/html'],
    [undefined, '*/*'],
  ]);
  expect(requests[0]?.['user-agent']).toBe(requests[1]?.['user-agent']);
});

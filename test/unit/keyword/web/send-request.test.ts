/** A request to a source as it is sent: headers, cookies, the proxy, and what a failing connection means. */
import type http from 'node:http';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { sendRequest as sendToAds } from '../../../../lib/keyword/ads/send-request.ts';
import { answerInSandbox } from '../../../../lib/keyword/answer-in-sandbox.ts';
import { type Conversation, newConversation } from '../../../../lib/keyword/web/conversation.ts';
import { sendRequest } from '../../../../lib/keyword/web/send-request.ts';
import { suggestionsOf } from '../../../../lib/keyword/web/source.ts';
import { cookieJar } from '../../../../lib/net/cookie-jar.ts';
import type { ProviderRequest } from '../../../../lib/provider/contract.ts';
import { engineSuggestions } from '../../../../lib/provider/engine-suggestions.ts';
import { serve, serveProxy, serveTls } from '../../../integration/net/loopback.ts';
import { certificate } from '../../../integration/net/loopback-certificate.ts';
import { elapsed, realTimers, settled } from '../fake-time.ts';
import { begin } from '../given.ts';

vi.mock('node:timers/promises', () => import('../fake-time.ts').then(({ promises }) => promises));

const secrets = mockClient(SecretsManagerClient);
const parameters = mockClient(SSMClient);

beforeEach(() => {
  begin();
  secrets.reset();
  secrets.on(GetSecretValueCommand).resolves({ SecretString: '' });
  parameters.on(GetParameterCommand).resolves({ Parameter: { Value: '{}' } });
});

const request: ProviderRequest = { method: 'GET', url: 'https://source.example/suggest?q=tea', headers: {} };

const conversation = (more: Partial<Conversation> = {}): Conversation => ({
  ...newConversation({ source: suggestionsOf('google'), isoCode: 'DE', language: 'de' }),
  ...more,
});

type Asked = Pick<http.IncomingMessage, 'method' | 'url' | 'headers'>;

/** Starts the source at the operator's origin. Returns what it is asked. Sockets need the real time. */
const answering = async (answer: (response: http.ServerResponse) => void): Promise<Asked[]> => {
  realTimers();
  const all: Asked[] = [];
  const origin = await serve(({ method, url, headers }, response) => {
    all.push({ method, url, headers });
    answer(response);
  });
  process.env.SUGGEST_ORIGIN = origin;
  process.env.ADS_ORIGIN = origin;
  return all;
};

describe('over the network', () => {
  test('it has the path and the query of the real source, and the headers of a script in a browser', async () => {
    const asked = await answering((response) => response.end('["tea"]'));
    const headers = { accept: 'application/json', 'x-own': 'yes' };
    const read = await sendRequest(conversation(), { ...request, headers }, 5000);

    expect(read).toMatchObject({ ok: true, value: { status: 200, body: '["tea"]' } });
    expect(asked).toMatchObject([
      {
        method: 'GET',
        url: '/suggest?q=tea',
        headers: {
          'user-agent': expect.stringContaining('Chrome/'),
          accept: 'application/json',
          'accept-language': 'de-DE,de;q=0.9,en;q=0.8',
          'accept-encoding': expect.stringContaining('gzip'),
          'x-own': 'yes',
        },
      },
    ]);
    expect(asked[0]?.headers).not.toHaveProperty('cookie');
    expect(asked[0]?.headers).not.toHaveProperty('sec-fetch-mode');
  });

  test('without a language, its headers are those of a browser without one', async () => {
    const asked = await answering((response) => response.end('[]'));
    await sendRequest(conversation({ language: '' }), request, 5000);

    expect(asked[0]?.headers).toMatchObject({
      accept: '*/*',
      'accept-language': expect.stringMatching(/^en/),
    });
  });

  test('cookies of an answer are sent with the next request, in the name of the real source', async () => {
    const cookies = cookieJar();
    const asked = await answering((response) =>
      response.writeHead(429, { 'set-cookie': 'NID=1; Domain=.source.example; Secure' }).end(),
    );
    await sendRequest(conversation({ cookies }), request, 5000);
    await sendRequest(conversation({ cookies }), request, 5000);

    expect(asked.map(({ headers }) => headers.cookie)).toEqual([undefined, 'NID=1']);
  });

  test('an answer of more than 350 KB is a fault', async () => {
    await answering((response) => response.end('x'.repeat(350 * 1024 + 1)));
    const tooLarge = await sendRequest(conversation(), request, 5000);
    await answering((response) => response.end('x'.repeat(350 * 1024)));

    expect(tooLarge).toMatchObject({ ok: false, problem: 'down' });
    expect((await sendRequest(conversation(), request, 5000)).ok).toBe(true);
  });

  test('a connection that is refused is a fault with a word and a sentence', async () => {
    realTimers();
    process.env.SUGGEST_ORIGIN = 'http://127.0.0.1:1';

    expect(await sendRequest(conversation(), request, 5000)).toEqual({
      ok: false,
      problem: 'down',
      word: 'unreachable',
      reason: 'the connection was refused',
    });
  });

  test('a source that does not answer in time is a fault', async () => {
    await answering(() => {});

    expect(await sendRequest(conversation(), request, 50)).toEqual({
      ok: false,
      problem: 'timeout',
      word: 'timeout',
      reason: 'the answer did not arrive in time',
    });
  });

  test('an answer that is not text in its charset is malformed', async () => {
    await answering((response) =>
      response
        .writeHead(200, { 'content-type': 'text/plain; charset=utf-8' })
        .end(Buffer.from([0xff, 0xfe, 0xff])),
    );

    expect(await sendRequest(conversation(), request, 5000)).toEqual({
      ok: false,
      problem: 'malformed',
      word: 'malformed',
      reason: 'the answer is not text in its charset',
    });
  });

  test('the proxy of the pages is used, in the country of the request', async () => {
    realTimers();
    const destination = await serve((_, response) => response.end('["tea"]'));
    const proxy = await serveProxy(destination);
    const { host } = new URL(proxy.origin);
    secrets
      .on(GetSecretValueCommand, { SecretId: 'proxy-url-secret' })
      .resolves({ SecretString: `http://{country}-{session}:word@${host}` });
    process.env.SEARCH_SOURCE = 'live';
    const plain = { ...request, url: 'http://source.example/suggest' };
    const read = await sendRequest(conversation({ session: 'abc' }), plain, 5000);

    expect(read).toMatchObject({ ok: true, value: { body: '["tea"]' } });
    expect(proxy.tunnels).toEqual([
      { target: 'source.example:80', authorization: `Basic ${btoa('de-abc:word')}` },
    ]);
  });

  test('a proxy that ends TLS itself is trusted by its certificate, and is that of fetches over HTTP', async () => {
    realTimers();
    const destination = await serveTls((_, response) => response.end('["tea"]'));
    const proxy = await serveProxy(destination);
    secrets
      .on(GetSecretValueCommand, { SecretId: 'proxy-url-secret' })
      .resolves({ SecretString: JSON.stringify({ default: 'http://127.0.0.1:1', homes: proxy.origin }) })
      .on(GetSecretValueCommand, { SecretId: 'proxy-ca-secret' })
      .resolves({ SecretString: certificate });
    parameters
      .on(GetParameterCommand)
      .resolves({ Parameter: { Value: '{"google":{"proxies":{"http":"homes"}}}' } });
    process.env.SEARCH_SOURCE = 'live';
    const secure = { ...request, url: 'https://www.engine.example/suggest' };

    expect(await sendRequest(conversation(), secure, 5000)).toMatchObject({ ok: true });
    expect(proxy.tunnels).toMatchObject([{ target: 'www.engine.example:443' }]);
  });

  test('the request of another kind of source goes to its own origin', async () => {
    const asked = await answering((response) => response.end('{}'));
    const post = { ...request, method: 'POST' as const, body: '{"a":1}', url: 'https://ads.example/v1?x=1' };

    expect(await sendToAds(post, 5000)).toMatchObject({ ok: true, value: { status: 200, body: '{}' } });
    expect(asked).toMatchObject([{ method: 'POST', url: '/v1?x=1', headers: { 'content-length': '7' } }]);
  });

  test('an answer of a source of volumes may be large', async () => {
    await answering((response) => response.end('x'.repeat(1024 * 1024)));

    expect((await sendToAds(request, 5000)).ok).toBe(true);
  });

  test.each([
    [
      'http://127.0.0.1:1',
      'down',
      'unreachable',
      'The scripted source could not be reached (the connection was refused)',
    ],
  ])(
    'faults of a connection to %s are those of the source of volumes',
    async (origin, problem, word, reason) => {
      realTimers();
      process.env.ADS_ORIGIN = origin;

      expect(await sendToAds(request, 5000)).toEqual({ ok: false, problem, word, reason });
    },
  );
});

describe('in the sandbox', () => {
  const suggest = (keyword: string): ProviderRequest =>
    engineSuggestions.request({ keyword, iso_code: 'DE', language_code: 'de', engine_name: 'google' });
  const send = (keyword: string, deadlineMs = 10_000, more: Partial<Conversation> = {}) =>
    settled(sendRequest(conversation(more), suggest(keyword), deadlineMs));

  test('a request is answered without a network', async () => {
    const read = await send('tea');

    expect(read.ok && engineSuggestions.read(read.value)).toMatchObject({ ok: true });
    expect(secrets.commandCalls(GetSecretValueCommand)).toEqual([]);
  });

  test('cookies are kept', async () => {
    const cookies = cookieJar();
    const url = 'https://trends.google.com/trends/api/explore?req=%7B%7D';
    const refused = await settled(
      sendRequest(conversation({ cookies }), { method: 'GET', url, headers: {} }, 1000),
    );

    expect(refused).toMatchObject({ ok: true, value: { status: 429 } });
    expect(cookies.headerFor(new URL(url))).toBe('NID=sandbox');
    await send('tea', 1000, { cookies });
    expect(cookies.headerFor(new URL(url))).toBe('NID=sandbox');
  });

  test.each([
    ['slow: tea', 8000, 8, { ok: true }],
    [
      'slow: tea',
      7999,
      7.999,
      { problem: 'timeout', word: 'timeout', reason: 'the answer did not arrive in time' },
    ],
    ['reset: tea', 1000, 0, { problem: 'down', word: 'unreachable', reason: 'the connection was reset' }],
    ['cut: tea', 1000, 0, { problem: 'down', word: 'unreachable', reason: 'the connection ended too early' }],
    ['down: tea', 1000, 0, { problem: 'down', word: 'unreachable', reason: 'the connection was refused' }],
  ])('%s, for %i ms', async (keyword, deadlineMs, seconds, expected) => {
    expect(await send(keyword, deadlineMs)).toMatchObject(expected);
    expect(elapsed()).toBe(seconds);
  });

  test('the misfortune of the operator is met', async () => {
    process.env.SANDBOX_MISFORTUNE = 'http_500';

    expect(await settled(answerInSandbox(suggest('tea'), 1000))).toMatchObject({ ok: true, status: 500 });
  });

  test.each([
    ['slow', 'timeout', 'timeout', 'The scripted source did not answer in time'],
    ['reset', 'down', 'unreachable', 'The scripted source could not be reached (the connection was reset)'],
  ])('a source of volumes that is %s fails in its own words', async (misfortune, problem, word, reason) => {
    process.env.SANDBOX_MISFORTUNE = misfortune;
    const ads = {
      ...request,
      url: 'https://googleads.googleapis.com/v26/x:generateKeywordIdeas',
      body: '{}',
    };

    expect(await settled(sendToAds(ads, 100))).toEqual({ ok: false, problem, word, reason });
  });
});

test('each conversation has its own session: twelve letters and digits', () => {
  const [first, second] = [conversation(), conversation()];

  expect(first.session).toMatch(/^[\da-f]{12}$/);
  expect(first.session).not.toBe(second.session);
});

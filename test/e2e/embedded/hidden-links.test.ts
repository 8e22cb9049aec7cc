/**
 * Hidden links as a client sees them. An engine on loopback serves pages of the sandbox and records every
 * lookup of a link. The first word of the query decides how it answers a lookup.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { answerRequest } from '../../../lib/sandbox/google/engine.ts';
import { type Client, clientOf } from '../client.ts';
import { startService } from '../service.ts';

type Asked = { link: string; headers: IncomingMessage['headers'] };

const asked: Asked[] = [];
const unexpected: string[] = [];
let open = 0;
let mostOpen = 0;

type AnswerLookup = (location: string, count: number, response: ServerResponse) => unknown;

const redirect = (response: ServerResponse, location: string) => response.writeHead(302, { location }).end();

/** The engine's answer to a lookup, by the first word of the query. */
const lookupAnswers: Record<string, AnswerLookup> = {
  wrapped: (location, _, response) => redirect(response, `/url?sa=t&q=${encodeURIComponent(location)}`),
  quoted: (location, _, response) => redirect(response, `${location}#:~:text=all%20about`),
  chained: (_, count, response) => redirect(response, `/goto?url=CAESnext${count}`),
  tiring: (location, count, response) =>
    count > 3 ? response.writeHead(429).end() : redirect(response, location),
  doubting: (_, __, response) => redirect(response, '/sorry/index?continue=x'),
  silent: (_, __, response) => response.writeHead(200).end('<html></html>'),
  breaking: (_, __, response) => response.socket?.resetAndDestroy(),
};

let word = '';

const cookieWall =
  '<html><head><title>Google Search</title></head><body><a href="/httpservice/retry/enablejs">go</a>' +
  "<script>document.cookie='passed=1; path=/';location.reload()</script></body></html>";

const engine = createServer((request, response) => {
  const address = new URL(request.url ?? '/', 'https://www.google.com');
  const page = answerRequest({
    url: address.href,
    device: 'desktop',
    now: Math.floor(Date.now() / 1000),
  });
  const isPassed = request.headers.cookie?.includes('passed=1') === true;
  if (address.pathname === '/search') {
    const query = address.searchParams.get('q') ?? '';
    word = query.split(' ')[0] ?? '';
    response
      .writeHead(page.status, page.headers)
      .end(query.startsWith('walled') && !isPassed ? cookieWall : page.body);
    return;
  }
  if (address.pathname !== '/goto') {
    unexpected.push(address.pathname);
    response.writeHead(404).end();
    return;
  }
  const count = asked.push({ link: request.url ?? '', headers: request.headers });
  mostOpen = Math.max(mostOpen, ++open);
  setTimeout(() => {
    open--;
    const answer = lookupAnswers[word] ?? ((location) => redirect(response, location));
    if (word === 'walled' && !isPassed) response.writeHead(403).end();
    else answer(page.headers.location ?? '', count, response);
  }, 20);
});

let service: Awaited<ReturnType<typeof startService>>;
let client: Client;

const listening = async () => {
  if (!engine.listening) await new Promise<void>((resolve) => engine.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(engine.address() as AddressInfo).port}`;
};

beforeAll(async () => {
  service = await startService({ GOOGLE_ORIGIN: await listening() });
  client = clientOf(service);
});
afterAll(async () => {
  await service.stop();
  engine.closeAllConnections();
  engine.close();
});
beforeEach(() => {
  asked.length = 0;
  unexpected.length = 0;
  mostOpen = 0;
});

type Item = { type: string; url: string; url_resolution?: string; domain?: string };

const itemsOf = (result: unknown): Item[] => (result as { left: Item[] }).left;
const organicOf = (result: unknown): Item[] => itemsOf(result).filter(({ type }) => type === 'organic');
const resolutions = (items: Item[]) => [...new Set(items.map(({ url_resolution }) => url_resolution))];

/** A search whose page has links that the engine hides. */
const search = (word: string, fields = {}) =>
  client.searched({ keyword: `${word} news video forum`, frequency: 0, ...fields });

describe('links that the engine hides', () => {
  test('are asked once each, at most five at a time, and replaced by their targets', async () => {
    const task = await search('plain');

    expect(task).toMatchObject({ status: 'success', complete: true, pages: [{ retry_count: 0 }] });
    const items = itemsOf(task.result).filter(({ url }) => url !== '');
    expect(items.filter(({ url }) => !/^https:\/\/[\w.-]+\.(?:example|com)\//.test(url))).toEqual([]);
    expect(resolutions(organicOf(task.result))).toEqual(['redirect']);
    const hosts = organicOf(task.result).map(({ url }) => new URL(url).hostname.replace(/^www\./, ''));
    expect(organicOf(task.result).map(({ domain }) => domain)).toEqual(hosts);
    expect(task.top_10).toEqual([...new Set(hosts)].slice(0, 10));
    expect(new Set(asked.map(({ link }) => link)).size).toBe(asked.length);
    expect(asked.length).toBeGreaterThan(15);
    expect(mostOpen).toBeLessThanOrEqual(5);
    expect(unexpected).toEqual([]);
  });

  test('are looked up with the headers of a reader of the page, without cookies', async () => {
    await search('plain', { device: 'desktop', language_code: 'fr' });

    for (const { headers } of asked) {
      expect(headers).toMatchObject({
        'sec-ch-ua-platform': '"Linux"',
        'sec-fetch-site': 'same-origin',
        'accept-language': expect.stringMatching(/^fr/),
        'user-agent': expect.stringMatching(/Chrome/),
      });
      expect(headers).not.toHaveProperty('cookie');
    }
  });

  test.each(['wrapped', 'quoted'])('are unwrapped like any other link (%s)', async (word) => {
    const task = await search(word);

    expect(
      organicOf(task.result).filter(({ url }) => !/^https:\/\/[\w.-]+\.example\/[\w/-]+$/.test(url)),
    ).toEqual([]);
    expect(resolutions(organicOf(task.result))).toEqual(['redirect']);
  });

  test('stay hidden if they lead to other hidden links, which are not followed', async () => {
    const task = await search('chained');

    expect(task.status).toBe('success');
    expect(resolutions(organicOf(task.result))).toEqual(['opaque']);
    expect(asked.filter(({ link }) => link.includes('CAESnext'))).toEqual([]);
  });
});

describe('a refused lookup ends the lookups', () => {
  test.each(['tiring', 'doubting', 'silent', 'breaking'])(
    'and the task still succeeds, with hidden addresses (%s)',
    async (word) => {
      const task = await search(word, { depth: 10 });

      expect(task).toMatchObject({
        status: 'success',
        complete: true,
        error_message: null,
        retries_count: 0,
      });
      expect(task.pages[0]).toMatchObject({ status: 'parsed', retry_count: 0 });
      const organic = organicOf(task.result);
      expect(resolutions(organic)).toEqual(word === 'tiring' ? ['redirect', 'opaque'] : ['opaque']);
      expect(organic.filter(({ domain }) => !domain?.endsWith('.example'))).toEqual([]);
      expect(task.top_10?.length).toBeGreaterThan(5);
      expect(asked.length).toBeLessThanOrEqual(word === 'tiring' ? 8 : 5);
      expect(unexpected).toEqual([]);
    },
  );
});

test('links of a page from the browser are looked up in the browser, with its cookies', async () => {
  const task = await search('walled');

  expect(task).toMatchObject({ status: 'success', pages: [{ status: 'parsed', retry_count: 2 }] });
  expect(resolutions(organicOf(task.result))).toEqual(['redirect']);
  expect(new Set(asked.map(({ link }) => link)).size).toBe(asked.length);
  expect(asked.filter(({ headers }) => !headers.cookie?.includes('passed=1'))).toEqual([]);
});

// `test/integration/crawl/fetch-page.test.ts` has `never`.
test('RESOLVE_LINKS=tracking: links are looked up only for tracking searches, which do not reuse the pages of raw searches', async () => {
  const other = await startService({ GOOGLE_ORIGIN: await listening(), RESOLVE_LINKS: 'tracking' });
  try {
    const raw = await clientOf(other).searched({ keyword: 'plain news' });
    const askedForRaw = asked.length;
    const tracking = await clientOf(other).searched({ keyword: 'plain news', domain: 'acme.example' });

    expect(resolutions(organicOf(raw.result))).toEqual(['opaque']);
    expect(askedForRaw).toBe(0);
    expect(asked.length).toBeGreaterThan(5);
    expect(tracking).toMatchObject({ status: 'success', reused: false });
    expect(JSON.stringify(tracking.result)).not.toContain('/goto?');
  } finally {
    await other.stop();
  }
});

/** Tasks of v1 with engines that a server of the test on loopback answers, from the POST to the result. */
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientOf } from '../client.ts';
import { startService } from '../service.ts';

const corpus = (name: string): string =>
  readFileSync(join(import.meta.dirname, '../../corpus', name, 'page.html'), 'utf8');

const goldenOf = (name: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../../corpus', name, 'golden.json'), 'utf8'));

const bing = corpus('bing/desktop/organic');

const resultsPerPage = goldenOf('bing/desktop/organic').left.filter(
  ({ type }: { type: string }) => type === 'organic',
).length;

/**
 * Page `n` of ten pages of Bing. Its first result is on a host of its own. The next page begins with the
 * result after its last one.
 */
const bingPage = (n: number): string => {
  const next = `<a href="/search?q=kiln+firing&amp;first=${resultsPerPage * n + 1}">${n + 1}</a>`;
  const row = `<nav role="navigation"><ul><li><a class="sb_pagS">${n}</a></li><li>${n < 10 ? next : ''}</li></ul></nav>`;
  return bing.replaceAll('clay-shed', `clay-shed-${n}`).replace(/<nav role="navigation">.*?<\/nav>/s, row);
};

const answers: Record<string, (address: URL) => string> = {
  'kiln firing': (address) => bingPage((Number(address.searchParams.get('first')) + 9) / 10),
  kiln: () => corpus('bing/desktop/all_on_one_page'),
  'roast coffee': () => corpus('youtube/desktop/shelf_more'),
};

const seen: IncomingMessage[] = [];
const origin = createServer((request, response) => {
  seen.push(request);
  const address = new URL(request.url ?? '/', 'http://origin');
  const query = address.searchParams.get('q') ?? address.searchParams.get('search_query') ?? '';
  const page = answers[query]?.(address) ?? '';
  response.writeHead(page ? 200 : 500, { 'content-type': 'text/html; charset=utf-8' }).end(page);
});

let service: Awaited<ReturnType<typeof startService>>;
let client: ReturnType<typeof clientOf>;
beforeAll(async () => {
  await new Promise<void>((resolve) => origin.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(origin.address() as AddressInfo).port}`;
  service = await startService({ BING_ORIGIN: url, YOUTUBE_ORIGIN: url });
  client = clientOf(service);
});
afterAll(async () => {
  await service.stop();
  origin.closeAllConnections();
  origin.close();
});

const absent = { position: '1000', type: 'organic', title: '-', url: '-', snippet: '-' };

describe('Bing', () => {
  test('a raw search reads the first page, and shows all that v1 has', async () => {
    const task = await client.searchedV1('bing', { keyword: 'kiln firing', post_id: 'mine' });

    const { left } = goldenOf('bing/desktop/organic');
    expect(task).toMatchObject({
      status: 'success',
      engine_domain: 'bing.com',
      post_id: 'mine',
      engine_check_url: 'https://www.bing.com/search?q=kiln+firing&mkt=en-US&first=1',
      user_agent: expect.stringMatching(/^Mozilla\/5\.0 .*Chrome\//),
      html_key: expect.stringMatching(/^html\//),
      result: { left: expect.any(Array), right: [] },
      reused: false,
      complete: true,
      error_message: null,
    });
    expect((task.result as { left: unknown[] }).left).toHaveLength(left.length);
    expect(task.top_10).toEqual([
      'clay-shed-1.example',
      'glaze-notes.example',
      'brennofen.example',
      'pit-fire.example',
    ]);
    const request = seen.find(({ url }) => url?.includes('kiln+firing'));
    expect(task.user_agent).toBe(request?.headers['user-agent']);
  });

  test('the stored HTML is readable, page by page', async () => {
    const { id } = await client.searchedV1('bing', { keyword: 'kiln firing' });

    const read = (query = '') => client.call(`/api/v1/serp/crawl/${id}/html${query}`);
    expect(await (await read()).json()).toEqual({ html: bingPage(1) });
    expect(await (await read('?page=1')).json()).toEqual({ html: bingPage(1) });
    expect((await read('?page=2')).status).toBe(404);
    expect((await read('?page=x')).status).toBe(422);
  });

  test('a tracked domain is looked for on ten pages', async () => {
    const task = await client.searchedV1('bing', {
      keyword: 'kiln firing',
      frequency: 0,
      domain: 'clay-shed-7.example',
      keyword_id: 4,
      competitors: [{ keyword_id: 5, competitor: 'clay-shed-11.example', type: 'domain' }],
    });

    expect(task).toMatchObject({
      status: 'success',
      complete: true,
      result: {
        'clay-shed-7.example': { type: 'owner', keyword_id: 4, results: { organic: { position: '25' } } },
        'clay-shed-11.example': { type: 'competitor', keyword_id: 5, results: { organic: absent } },
        'clay-shed-10.example': { type: 'competitor_free', results: { organic: { position: '37' } } },
      },
    });
    const html = await client.call(`/api/v1/serp/crawl/${task.id}/html?page=10`);
    expect(await html.json()).toEqual({ html: bingPage(10) });
  });

  test('a repeated search is answered by the same pages, and says with which browser they were fetched', async () => {
    const first = await client.searchedV1('bing', { keyword: 'kiln' });
    expect(first).toMatchObject({ status: 'success', reused: false });
    const asked = seen.length;

    const second = await client.searchedV1('bing', { keyword: 'kiln' });

    expect(second).toMatchObject({
      reused: true,
      result: first.result,
      html_key: first.html_key,
      user_agent: first.user_agent,
      snapshot_hash: first.snapshot_hash,
    });
    expect(seen.length).toBe(asked);
  });
});

describe('YouTube', () => {
  test('ranks videos', async () => {
    const task = await client.searchedV1('youtube', { keyword: 'roast coffee' });

    const { left, right } = goldenOf('youtube/desktop/shelf_more');
    expect(task).toMatchObject({
      status: 'success',
      engine_domain: 'youtube.com',
      engine_check_url: 'https://www.youtube.com/results?search_query=roast+coffee&gl=US',
      result: { left, right },
    });
    expect(task.top_10?.every((name) => name.startsWith('@') || name.startsWith('channel/'))).toBe(true);
  });

  test('tracks a channel by its handle', async () => {
    const [name = ''] =
      (await client.searchedV1('youtube', { keyword: 'roast coffee', frequency: 0 })).top_10 ?? [];
    const domain = `youtube.com/${name}`;

    const task = await client.searchedV1('youtube', {
      keyword: 'roast coffee',
      domain,
      competitors: [{ keyword_id: null, competitor: '@nobody-of-all', type: 'domain' }],
    });

    expect(task).toMatchObject({
      status: 'success',
      result: {
        [domain]: { type: 'owner', results: { organic: { position: '1' } } },
        '@nobody-of-all': { type: 'competitor', results: { organic: absent } },
      },
    });
  });
});

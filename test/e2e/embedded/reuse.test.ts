/** Result reuse, with an engine that counts requests: the same search is crawled once in its window. */
import { createServer } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Client } from '../client.ts';
import { pageFor, startWithEngine } from './engine.ts';

/** Requests for search pages, as `<query>@<start>`. */
const asked: string[] = [];
const broken = new Set<string>();
const origin = createServer((request, response) => {
  const address = new URL(request.url ?? '/', 'https://www.google.com');
  const name = `${address.searchParams.get('q')}@${address.searchParams.get('start')}`;
  if (address.pathname === '/search') asked.push(name);
  if (broken.has(name)) {
    response.writeHead(500).end();
    return;
  }
  const page = pageFor(request, address);
  response.writeHead(page.status, page.headers).end(page.body);
});

let client: Client;
let stop: () => Promise<void>;

beforeAll(async () => {
  ({ client, stop } = await startWithEngine(origin));
});
afterAll(() => stop());
beforeEach(() => {
  asked.length = 0;
});

describe('a search that was crawled before', () => {
  test('is answered from the same pages and marked as reused', async () => {
    const first = await client.searched({ keyword: 'old town walks', depth: 20 });
    const crawls = asked.length;

    const created = await client.search({ keyword: 'old town walks', depth: 20, post_id: 'again' });
    const second = await client.finished(created.id);

    expect(crawls).toBe(2);
    expect(asked).toHaveLength(crawls);
    expect(created).toMatchObject({ status: 'awaiting', reused: false, crawled_at: 0, result: null });
    expect(first).toMatchObject({ status: 'success', reused: false });
    expect(second).toMatchObject({
      status: 'success',
      reused: true,
      complete: true,
      post_id: 'again',
      crawled_at: first.crawled_at,
      retries_count: 0,
      result: first.result,
      top_10: first.top_10,
      // Each answer has new links to the pages.
      pages: first.pages.map((page: object) => ({ ...page, html_url: expect.stringContaining('/pages/') })),
    });
  });

  test('also serves a search that tracks a domain', async () => {
    const raw = await client.searched({ keyword: 'forest walks', depth: 20 });
    const crawls = asked.length;
    const domain = raw.top_10?.[1];

    const tracking = await client.searched({ keyword: 'forest walks', depth: 20, domain, keyword_id: 4 });

    expect(asked).toHaveLength(crawls);
    expect(tracking).toMatchObject({
      status: 'success',
      reused: true,
      result: { [domain ?? '']: { type: 'owner', keyword_id: 4 } },
    });
  });
});

describe('frequency', () => {
  test.each([
    [null, true],
    [undefined, true],
    [1, true],
    [24, true],
    [168, true],
    [720, true],
    [0, false],
    [-5, false],
  ])('%s: reused %s', async (frequency, reused) => {
    const keyword = `walks every ${frequency}`;
    await client.searched({ keyword, frequency: 0 });

    const task = await client.searched({ keyword, frequency });

    expect(task).toMatchObject({ status: 'success', reused });
    expect(asked).toHaveLength(reused ? 1 : 2);
  });
});

describe('these searches are crawled again:', () => {
  test('a search with a missing page', async () => {
    broken.add('night walks@10');
    const partial = await client.searched({ keyword: 'night walks', depth: 20 });
    broken.clear();

    const whole = await client.searched({ keyword: 'night walks', depth: 20 });

    expect(partial).toMatchObject({ status: 'success', complete: false });
    expect(whole).toMatchObject({ status: 'success', complete: true, reused: false });
  });

  test('a search that failed', async () => {
    const failed = await client.searched({ keyword: 'captcha: walks' });
    const again = await client.searched({ keyword: 'captcha: walks' });

    expect([failed, again]).toEqual([
      expect.objectContaining({ status: 'error', reused: false }),
      expect.objectContaining({ status: 'error', reused: false }),
    ]);
    expect(asked.length).toBeGreaterThanOrEqual(4);
  });
});

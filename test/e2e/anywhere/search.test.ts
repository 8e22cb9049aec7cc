/** A search as a client sees it, from the POST to the polled result. */

import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { RawResult } from '../../../lib/model/result.ts';
import type { TrackingResult } from '../../../lib/model/tracking-result.ts';
import { clientOf } from '../client.ts';
import { sharedService } from '../injected-service.ts';

const client = clientOf(sharedService());

type Raw = v.InferOutput<typeof RawResult>;

const organicOf = (result: unknown) => (result as Raw).left.filter((item) => item.type === 'organic');

describe.concurrent('a raw search', () => {
  test('is answered at once with a waiting task and its planned pages', async () => {
    const before = Math.floor(Date.now() / 1000);

    const task = await client.search({ keyword: 'fresh bread', depth: 25, post_id: 'mine', priority: 2 });

    expect(task).toMatchObject({
      status: 'awaiting',
      keyword: 'fresh bread',
      depth: 25,
      post_id: 'mine',
      priority: 2,
      engine_domain: 'google.com',
      device: 'desktop',
      result: null,
      top_10: null,
      frequency: 24,
      se_id: 0,
      sharding: 0,
      retries_count: 0,
      succeed_at: 0,
    });
    expect(task.created_at).toBeGreaterThanOrEqual(before);
    expect(task.ttl).toBe(task.created_at + 86_400);
    expect(task.created_on).toBe(new Date(task.created_at * 1000).toISOString().slice(0, 10));
    expect(task.pages.map(({ page, status, html }) => ({ page, status, html }))).toEqual(
      [1, 2, 3].map((page) => ({ page, status: 'awaiting', html: '' })),
    );
  });

  test('ends in success with ordered results, the top ten and the stored page', async () => {
    const task = await client.searched({ keyword: 'green tea', frequency: 0 });

    expect(task).toMatchObject({ status: 'success', complete: true, reused: false, error_message: null });
    expect(task.succeed_at).toBeGreaterThanOrEqual(task.crawled_at);
    const { left, right } = v.parse(RawResult, task.result);
    const organic = organicOf(task.result);
    expect(organic.length).toBeGreaterThanOrEqual(5);
    expect(organic.map((item) => item.position)).toEqual(organic.map((_, n) => String(n + 1)));
    expect(left.map((item) => item.absolute_position)).toEqual(left.map((_, n) => n + 1));
    expect(right.map((item) => item.absolute_position)).toEqual(right.map((_, n) => n + 1));
    expect(task.top_10).toEqual([...new Set(organic.map((item) => item.domain))].slice(0, 10));
    expect(task.pages).toHaveLength(1);
    expect(task.pages[0]).toMatchObject({ status: 'parsed', html: expect.stringMatching(/^html\//) });
    expect(task.pages[0]?.results?.left.length).toBeGreaterThan(0);
  });

  test.each(['mobile', 'desktop'])(
    'combines several pages on %s, renumbers the results and cuts them at the depth',
    async (device) => {
      const task = await client.searched({ keyword: 'garden chairs', depth: 23, device });

      const organic = organicOf(task.result);
      expect(task.status).toBe('success');
      expect(organic.length).toBeLessThanOrEqual(23);
      expect(organic.length).toBeGreaterThan(10);
      expect(organic.map((item) => item.position)).toEqual(organic.map((_, n) => String(n + 1)));
      const first = task.pages[0]?.results?.left.filter((item) => item.type === 'organic') ?? [];
      const second = task.pages[1]?.results?.left.filter((item) => item.type === 'organic') ?? [];
      expect(organic.slice(0, first.length).map((item) => item.url)).toEqual(first.map((item) => item.url));
      expect(organic[first.length]?.url).toBe(second[0]?.url);
      expect(second[0]?.position).toBe('1');
    },
  );
});

describe.concurrent('domain tracking', () => {
  /** Nobody of these is cited in the overview that the page shows. */
  const uncited = { position: '1000', type: 'ai_overview', title: '-', url: '-', snippet: '-' };

  test('returns the tracked domain, each competitor and every other domain on the pages', async () => {
    const raw = await client.searched({ keyword: 'walking shoes', depth: 20 });
    const [tracked, rival] = [raw.top_10?.[2], raw.top_10?.[4]];
    const competitors = [
      { keyword_id: 7, competitor: rival, type: 'domain' },
      { keyword_id: 8, competitor: 'absent.example', type: 'domain' },
    ];

    const task = await client.searched({
      keyword: 'walking shoes',
      depth: 20,
      domain: tracked,
      competitors,
      keyword_id: 5,
    });

    const place = organicOf(raw.result).find((item) => item.domain === tracked);
    const result = task.result as Record<string, unknown>;
    expect(task.status).toBe('success');
    expect(result[tracked ?? '']).toEqual({
      type: 'owner',
      keyword_id: 5,
      results: {
        organic: {
          position: place?.position,
          type: 'organic',
          title: place?.title,
          url: place?.url,
          snippet: place?.snippet,
        },
        ai_overview: uncited,
      },
    });
    expect(result[rival ?? '']).toMatchObject({ type: 'competitor', keyword_id: 7 });
    expect(result['absent.example']).toEqual({
      type: 'competitor',
      keyword_id: 8,
      results: {
        organic: { position: '1000', type: 'organic', title: '-', url: '-', snippet: '-' },
        ai_overview: uncited,
      },
    });
    expect(
      Object.values(result).filter((entry) => (entry as { type: string }).type === 'competitor_free').length,
    ).toBeGreaterThan(3);
    expect(task.top_10).toEqual(raw.top_10);
  });
});

describe.concurrent('a crawl with `stop_on_match`', () => {
  const keyword = 'reading lamps';
  const competitors = ['rival.example', 'latecomer.example'].map((competitor) => ({
    keyword_id: null,
    competitor,
    type: 'domain',
  }));

  test('ends after the page on which the domain is found, and a competitor behind it is unknown', async () => {
    const task = await client.searched({
      keyword,
      depth: 50,
      frequency: 0,
      domain: 'blog.acme.example',
      competitors,
      stop_on_match: true,
    });

    const result = task.result as TrackingResult;
    const found = Math.ceil(Number(result['blog.acme.example']?.results.organic.position) / 10);
    expect(task).toMatchObject({ status: 'success', complete: true, stop_on_match: true });
    expect(found).toBeGreaterThan(1);
    expect(task.pages.map(({ status }) => status)).toEqual(
      [1, 2, 3, 4, 5].map((page) => (page <= found ? 'parsed' : 'awaiting')),
    );
    expect(task.pages.slice(found)).toMatchObject(
      task.pages.slice(found).map(() => ({ html: '', html_url: '', results: null })),
    );
    expect(result['rival.example']).toMatchObject({ type: 'competitor' });
    expect(result['latecomer.example']).toMatchObject({
      type: 'unknown',
      results: { organic: { position: '0', type: 'unknown', title: '-', url: '-', snippet: '-' } },
    });
  });

  test('reads all pages if the domain is not there', async () => {
    const task = await client.searched({
      keyword,
      depth: 30,
      frequency: 0,
      domain: 'nobody.example',
      stop_on_match: true,
    });

    expect(task).toMatchObject({ status: 'success', complete: true });
    expect(task.pages.map(({ status }) => status)).toEqual(['parsed', 'parsed', 'parsed']);
    expect(task.result).toMatchObject({
      'nobody.example': { type: 'owner', results: { organic: { position: '1000' } } },
    });
  });
});

describe('a batch', () => {
  test('is answered with its tasks in order, and every task ends', async () => {
    const keywords = Array.from({ length: 12 }, (_, n) => `batch word ${n}`);

    const tasks = await client.json<{ id: number; keyword: string; status: string }[]>(
      '/api/v2/serp/crawl/google/batch',
      {
        method: 'POST',
        body: JSON.stringify(
          keywords.map((keyword) => ({
            keyword,
            location_name: 'Paris,France',
            iso_code: 'fr',
            language_code: 'fr',
          })),
        ),
      },
    );

    expect(tasks.map((task) => task.keyword)).toEqual(keywords);
    expect(new Set(tasks.map((task) => task.id)).size).toBe(12);
    const ended = await client.allFinished(tasks.map(({ id }) => id));
    expect(ended.map((task) => task.status)).toEqual(keywords.map(() => 'success'));
  });
});

test('gives 404 for an unknown task id and 401 without a key', async () => {
  const task = await client.search();

  // Ids grow with time, so this id belongs to a day far in the future.
  expect((await client.call(`/api/v2/serp/crawl/${task.id + 2 ** 50}`)).status).toBe(404);
  expect(
    (await client.call(`/api/v2/serp/crawl/${task.id}`, { headers: { authorization: '' } })).status,
  ).toBe(401);
});

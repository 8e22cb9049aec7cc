/** The pages of a project's domain: which keywords they rank for, where they compete, when they change. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Observation, OwnUrl } from '../../lib/model/tracking.ts';
import { type Service, startService } from './service.ts';

let service: Service;
let userId: number;
let authorization: Record<string, string>;
let path: string;
let ids: number[];
beforeAll(async () => {
  service = await startService();
  const { account, apiKey } = await service.createAccount({ rate_limit: 0 });
  userId = account.id;
  authorization = { Authorization: `Bearer ${apiKey}` };
  const tracked = await import('../tracked-project.ts');
  const now = Math.floor(Date.now() / 1000);
  const seen = (at: number, own: OwnUrl[]): Observation => {
    const [position, url] = own[0] ?? [1000, ''];
    const observation = tracked.observationOf(at, position);
    const sightings = { 'example.com': { position, type: 'organic', url, title: 't', snippet: 's' } };
    return { ...observation, sightings, ...(own.length > 1 && { own }) };
  };
  const [a, b] = ['https://example.com/a', 'https://example.com/b'];
  const crawls: [string, OwnUrl[][]][] = [
    [
      'tea',
      [
        [[5, a]],
        [
          [3, b],
          [7, a],
        ],
        [
          [2, b],
          [9, a],
        ],
      ],
    ],
    ['coffee', [[[4, a]], [], [[1, a]]]],
    ['milk', [[]]],
    ['water', []],
    // A page that is in a result twice does not compete with itself.
    [
      'juice',
      [
        [
          [6, a],
          [8, a],
        ],
      ],
    ],
  ];
  const made = crawls.map(([keyword, days]) => {
    const history = days.map((own, n) => seen(now - (days.length - n) * 3600, own));
    return { history, keyword: tracked.after(tracked.keywordOf({ keyword }), history) };
  });
  const project = await tracked.storeProject(
    userId,
    made.map(({ keyword }) => keyword),
  );
  for (const { keyword, history } of made) await tracked.storeHistory(keyword.keyword_id, history);
  path = `/api/v1/projects/${project.project_id}`;
  ids = made.map(({ keyword }) => keyword.keyword_id);
});
afterAll(() => service.stop());

const get = async (below: string) => {
  const answer = await service.call({
    method: 'GET',
    path: `${path}${below}`,
    headers: authorization,
    body: null,
  });
  return JSON.parse(answer.body);
};

test('pages that rank have their keywords, the page with most of them first', async () => {
  const { data, total } = await get('/pages');

  expect(total).toBe(2);
  expect(data).toMatchObject([
    {
      url: 'https://example.com/a',
      keywords_count: 3,
      best_position: 1,
      keywords: [
        { keyword: 'coffee', position: 1, is_best: true },
        { keyword: 'juice', position: 6, is_best: true },
        { keyword: 'tea', position: 9, is_best: false },
      ],
    },
    { url: 'https://example.com/b', keywords: [{ keyword: 'tea', position: 2, is_best: true }] },
  ]);
});

test('one page alone has all of its keywords, and pages of the list follow each other', async () => {
  const one = await get(`/pages?url=${encodeURIComponent('https://example.com/b')}`);
  expect([one.total, one.data[0].keywords.length]).toEqual([1, 1]);
  expect((await get('/pages?per_page=1&page=2')).data).toMatchObject([{ url: 'https://example.com/b' }]);
  expect((await get('/pages?per_page=1&page=3')).data).toEqual([]);
  expect((await get('/pages?url=https://other.example/')).total).toBe(0);
});

test('keywords of several pages are those that compete', async () => {
  expect(await get('/pages/competing')).toMatchObject({
    total: 1,
    data: [
      {
        keyword: 'tea',
        own_urls: [
          { position: 2, url: 'https://example.com/b' },
          { position: 9, url: 'https://example.com/a' },
        ],
      },
    ],
  });
});

test('the history has the pages of each crawl, and where the best one changed', async () => {
  const { data } = await get(`/keywords/${ids[0]}/history`);

  expect(data).toMatchObject([
    { url: 'https://example.com/a', url_changed: false, own_urls: [{ position: 5 }] },
    { url: 'https://example.com/b', url_changed: true, own_urls: [{ position: 3 }, { position: 7 }] },
    { url: 'https://example.com/b', url_changed: false, own_urls: [{ position: 2 }, { position: 9 }] },
  ]);
  const { data: gone } = await get(`/keywords/${ids[1]}/history`);
  expect(gone.map(({ url_changed }: { url_changed: boolean }) => url_changed)).toEqual([false, false, false]);
  expect(gone[1]).toMatchObject({ position: 1000, own_urls: [] });
});

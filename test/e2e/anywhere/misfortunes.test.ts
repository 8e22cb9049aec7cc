/**
 * Every misfortune of the sandbox, as a client sees it: the final state, the message, and the number of
 * retries. A block is reported as a block, never as a ranking. The searches run at the same time, because
 * they wait for most of their time.
 */
import { describe, expect, test } from 'vitest';
import { misfortunes } from '../../../lib/sandbox/misfortunes.ts';
import { clientOf, searchedInTime } from '../client.ts';
import { sharedService } from '../injected-service.ts';

const client = clientOf(sharedService());

/**
 * `retry_count` of a page. It is fetched twice over HTTP, and once more in the browser if a page came that is
 * not a result.
 */
const retryCount = { http: 1, browser: 2 };

// biome-ignore format: a table
const errors: [misfortune: string, message: RegExp, retries: number][] = [
  ['captcha', /^captcha: the engine asked for proof/, retryCount.browser],
  ['consent', /^consent: the engine asked for consent/, retryCount.browser],
  ['soft_block', /^soft_block: the engine refused/, retryCount.browser],
  ['canned', /^soft_block: .* canned page/, retryCount.browser],
  ['decoy', /^decoy: .* other words/, retryCount.browser],
  ['drift', /^unknown_layout: /, retryCount.browser],
  ['cut', /^unreachable: the connection ended/, retryCount.http],
  ['reset', /^unreachable: the connection was reset/, retryCount.http],
  ['http_500', /^unreachable: the engine met an error/, retryCount.http],
];

test.concurrent.each(errors)('%s ends in error, with the reason', async (misfortune, message, retries) => {
  const task = await searchedInTime(() => client.searched({ keyword: `${misfortune}: coffee beans` }));

  expect(task).toMatchObject({
    status: 'error',
    result: null,
    top_10: null,
    succeed_at: 0,
    retries_count: 0,
  });
  expect(task.error_message).toMatch(message);
  expect(task.pages).toMatchObject([{ status: 'failed', retry_count: retries, results: null }]);
});

test.concurrent.each(errors)(
  '%s in a search that tracks a domain ends in error, never in position 1000',
  async (misfortune) => {
    const task = await client.searched({
      keyword: `${misfortune}: coffee beans`,
      domain: 'acme.example',
      depth: 20,
    });

    expect(task).toMatchObject({ status: 'error', result: null });
  },
);

type Item = { type: string; url: string; url_resolution?: string; domain?: string };

const organicOf = (result: unknown): Item[] =>
  (result as { left: Item[] }).left.filter(({ type }) => type === 'organic');

const resolutions = (items: Item[]) => [...new Set(items.map(({ url_resolution }) => url_resolution))];

describe('these misfortunes still end in success:', () => {
  test.concurrent('slow takes longer, and one fetch', async () => {
    const task = await client.searched({ keyword: 'slow: coffee beans', frequency: 0 });

    expect(task).toMatchObject({ status: 'success', complete: true, pages: [{ retry_count: 0 }] });
    expect(task.crawled_at - task.created_at).toBeGreaterThanOrEqual(7);
  });

  test.concurrent('script_wall is complete in the browser', async () => {
    const task = await client.searched({ keyword: 'script_wall: coffee beans', frequency: 0 });
    const page = { status: 'parsed', retry_count: retryCount.browser };

    expect(task).toMatchObject({ status: 'success', complete: true, error_message: null, pages: [page] });
    expect(organicOf(task.result)).toHaveLength(10);
    expect(resolutions(organicOf(task.result))).toEqual(['redirect']);
  });

  test.concurrent('opaque_links hides addresses, and nothing else', async () => {
    const task = await client.searched({ keyword: 'opaque_links: coffee beans' });
    const tracking = await client.searched({ keyword: 'opaque_links: coffee beans', domain: 'acme.example' });

    expect(task).toMatchObject({ status: 'success', complete: true, pages: [{ retry_count: 0 }] });
    expect(resolutions(organicOf(task.result))).toEqual(['opaque']);
    expect(organicOf(task.result).filter(({ domain }) => !domain?.endsWith('.example'))).toEqual([]);
    expect(task.top_10).toContain('acme.example');
    expect(tracking).toMatchObject({
      status: 'success',
      result: { 'acme.example': { results: { organic: { position: '4' } } } },
    });
  });

  test.concurrent('empty is a result with two empty arrays and no ranking', async () => {
    const raw = await client.searched({ keyword: 'empty: coffee beans', depth: 30 });
    const tracking = await client.searched({ keyword: 'empty: coffee beans', domain: 'acme.example' });

    expect(raw).toMatchObject({ status: 'success', result: { left: [], right: [] }, top_10: [] });
    expect(raw.pages).toMatchObject([{ retry_count: 0 }]);
    expect(tracking).toMatchObject({
      status: 'success',
      result: { 'acme.example': { type: 'owner', results: { organic: { position: '1000', url: '-' } } } },
    });
  });
});

test.concurrent.each(['captcha', 'cut', 'decoy'])(
  'once_%s goes away at the second fetch of the page',
  async (name) => {
    const task = await client.searched({ keyword: `once_${name}: coffee beans`, frequency: 0 });

    expect(task).toMatchObject({ status: 'success', complete: true, pages: [{ retry_count: 1 }] });
    expect(organicOf(task.result)).toHaveLength(10);
  },
);

test.concurrent('captcha@2 costs the second page only', async () => {
  const task = await client.searched({ keyword: 'captcha@2: coffee beans', depth: 30 });

  expect(task).toMatchObject({ status: 'success', complete: false });
  expect(task.pages.map(({ status }) => status)).toEqual(['parsed', 'failed', 'parsed']);
});

test.concurrent('http_429 keeps the task in crawling, without a result: it says why it waits, and until when', async () => {
  const { id } = await client.search({ keyword: 'http_429: coffee beans' });
  const reason = async () => (await client.read(id)).error_message;
  await expect
    .poll(reason, { timeout: 60_000 })
    .toMatch(/^throttled: the task waits for the engine until 20/);

  const task = await client.read(id);
  expect(task).toMatchObject({ status: 'crawling', result: null, complete: null });
  expect(task.waiting_until).toBeGreaterThan(task.created_at);
});

test('every misfortune of the sandbox is tested here', () => {
  const tested = [
    ...errors.map(([name]) => name),
    'slow',
    'script_wall',
    'opaque_links',
    'empty',
    'http_429',
  ];

  expect(tested.toSorted()).toEqual(Object.keys(misfortunes).toSorted());
});

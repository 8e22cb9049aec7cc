/**
 * Every misfortune of the sandbox, as a client sees it: the final state, the message, and what was spent. A block is reported as a block,
 * never as a ranking.
 */
import { describe, expect, inject, test } from 'vitest';
import { misfortunes } from '../../../lib/sandbox/google/misfortunes.ts';
import { clientOf } from '../client.ts';

const client = clientOf(inject('service'));

/** Two fetches over HTTP; where a page came that is no result, one more in the browser. */
const spent = { http: 1, browser: 2 };

// biome-ignore format: a table
const errors: [misfortune: string, message: RegExp, retries: number][] = [
  ['captcha', /^captcha: the engine asked for proof/, spent.browser],
  ['consent', /^consent: the engine asked for consent/, spent.browser],
  ['soft_block', /^soft_block: the engine refused/, spent.browser],
  ['canned', /^soft_block: .* canned page/, spent.browser],
  ['decoy', /^decoy: .* other words/, spent.browser],
  ['drift', /^unknown_layout: /, spent.browser],
  ['cut', /^unreachable: the connection ended/, spent.http],
  ['reset', /^unreachable: the connection was reset/, spent.http],
  ['http_500', /^unreachable: the engine met an error/, spent.http],
];

test.each(errors)('%s ends in error, and says why', async (misfortune, message, retries) => {
  const task = await client.searched({ keyword: `${misfortune}: coffee beans` });

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

test.each(errors)('%s while a domain is tracked is an error, never 1000', async (misfortune) => {
  const task = await client.searched({
    keyword: `${misfortune}: coffee beans`,
    domain: 'acme.example',
    depth: 20,
  });

  expect(task).toMatchObject({ status: 'error', result: null });
});

type Item = { type: string; url: string; url_resolution?: string; domain?: string };

const organicOf = (result: unknown): Item[] =>
  (result as { left: Item[] }).left.filter(({ type }) => type === 'organic');

const resolutions = (items: Item[]) => [...new Set(items.map(({ url_resolution }) => url_resolution))];

describe('what is a success after all', () => {
  test('slow took its time, and one fetch', async () => {
    const task = await client.searched({ keyword: 'slow: coffee beans', frequency: 0 });

    expect(task).toMatchObject({ status: 'success', complete: true, pages: [{ retry_count: 0 }] });
    expect(task.crawled_at - task.created_at).toBeGreaterThanOrEqual(7);
  });

  test('script_wall is whole in the browser', async () => {
    const task = await client.searched({ keyword: 'script_wall: coffee beans', frequency: 0 });
    const page = { status: 'parsed', retry_count: spent.browser };

    expect(task).toMatchObject({ status: 'success', complete: true, error_message: null, pages: [page] });
    expect(organicOf(task.result)).toHaveLength(10);
    expect(resolutions(organicOf(task.result))).toEqual(['redirect']);
  });

  test('opaque_links costs addresses, and nothing else', async () => {
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

  test('empty is a result: both arrays empty, nothing ranked', async () => {
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

test('http_429 waits for a better time: neither a result nor an error', async () => {
  const { id } = await client.search({ keyword: 'http_429: coffee beans' });
  const isTaken = async () => (await client.read(id)).status === 'crawling';
  await expect.poll(isTaken, { timeout: 20_000 }).toBe(true);
  // A fetch that fails ends a task within less.
  await new Promise((resolve) => setTimeout(resolve, 3000));

  expect(await client.read(id)).toMatchObject({ status: 'crawling', result: null, error_message: null });
});

test('every misfortune that the sandbox knows is met here', () => {
  const met = [...errors.map(([name]) => name), 'slow', 'script_wall', 'opaque_links', 'empty', 'http_429'];

  expect(met.toSorted()).toEqual(Object.keys(misfortunes).toSorted());
});

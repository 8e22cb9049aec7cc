/** The v1 interface as a client sees it: its tasks, their HTML and their webhooks. */
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { engineNames } from '../../../lib/model/engine.ts';
import type { V1Task } from '../../../lib/model/v1-task.ts';
import { clientOf } from '../client.ts';
import { sharedService } from '../injected-service.ts';
import { startReceiver } from '../receiver.ts';

type Entry = { position: string; type: string; title: string; url: string; snippet: string };
type Tracked = {
  type: string;
  keyword_id: number | null;
  results: { organic: Entry; local_pack?: Entry };
};

const service = sharedService();
const client = clientOf(service);

test.concurrent('a search is answered at once with a waiting task, and ends in success', async () => {
  const created = await client.searchV1('google', { keyword: 'v1 bread', frequency: 0, priority: 2 });

  expect(created).toMatchObject({
    status: 'awaiting',
    keyword: 'v1 bread',
    engine_domain: 'google.com',
    priority: 2,
    upstream_id: null,
    user_agent: null,
    html_key: null,
    result: {},
    top_10: null,
    succeed_at: 0,
    ttl: created.created_at + 86_400,
  });
  const task = await client.finishedV1(created.id);
  expect(task).toMatchObject({ status: 'success', complete: true, snapshot_hash: created.snapshot_hash });
  const { left } = task.result as { left: { type: string; position: string; domain?: string }[] };
  const organic = left.filter(({ type }) => type === 'organic');
  expect(organic.map(({ position }) => position)).toEqual(organic.map((_, n) => String(n + 1)));
  expect(task.top_10).toEqual([...new Set(organic.map(({ domain }) => domain))].slice(0, 10));
});

describe.concurrent.each(engineNames)('a finished task of %s', (engine) => {
  const site = (host: string) => (engine === 'youtube' ? `@${host}` : host);

  test('says how its pages were fetched, and where a person sees the same search', async () => {
    const task = await client.searchedV1(engine, { keyword: 'v1 tea & "toast" +jam', frequency: 0 });

    expect(task).toMatchObject({ status: 'success', upstream_id: null, reused: false });
    expect(task.user_agent).toMatch(/^Mozilla\/5\.0 /);
    expect(task.html_key).toMatch(/^html\/[\w-]+\/[\w.-]+$/);
    expect(task.snapshot_hash).toMatch(/^[\da-f]{64}$/);
    const address = new URL(task.engine_check_url);
    const asked = ['q', 'p', 'search_query'].flatMap((name) => address.searchParams.get(name) ?? []);
    expect([address.protocol, address.hostname.endsWith(`${engine}.com`), asked]).toEqual([
      'https:',
      true,
      ['v1 tea & "toast" +jam'],
    ]);
  });

  test('tells a repeated search by its hash, and keeps the browser and the page of the first one', async () => {
    const [first, other] = [
      await client.searchedV1(engine, { keyword: 'v1 repeated' }),
      await client.searchedV1(engine, { keyword: 'v1 repeated', device: 'mobile' }),
    ];
    const again = await client.searchedV1(engine, { keyword: 'v1 repeated', post_id: 'again' });

    expect(again).toMatchObject({
      reused: true,
      crawled_at: first.crawled_at,
      snapshot_hash: first.snapshot_hash,
      user_agent: first.user_agent,
      html_key: first.html_key,
      engine_check_url: first.engine_check_url,
    });
    expect(other.snapshot_hash).not.toBe(first.snapshot_hash);
    expect(other.user_agent).not.toBe(first.user_agent);
  });

  test('has the owner, the competitors with their keyword ids, and the sites that were found', async () => {
    const task = await client.searchedV1(engine, {
      keyword: 'v1 tracked',
      frequency: 0,
      domain: site('acme.example'),
      keyword_id: 5,
      business_name: 'Acme',
      competitors: [
        { keyword_id: 7, competitor: site('rival.example'), type: 'domain' },
        { keyword_id: null, competitor: site('nobody.example'), type: 'domain' },
        { keyword_id: 9, competitor: 'Rival Inc', type: 'brand' },
      ],
    });

    const { [site('acme.example')]: owner, ...others } = task.result as Record<string, Tracked>;
    expect(owner).toMatchObject({ type: 'owner', keyword_id: 5, results: { organic: { position: '4' } } });
    expect(others[site('rival.example')]).toMatchObject({
      type: 'competitor',
      keyword_id: 7,
      results: { organic: { position: '12', type: 'organic' } },
    });
    expect(others[site('nobody.example')]).toEqual({
      type: 'competitor',
      keyword_id: null,
      results: { organic: { position: '1000', type: 'organic', title: '-', url: '-', snippet: '-' } },
    });
    expect(others['Rival Inc']).toBeUndefined();
    const free = Object.values(others).filter(({ type }) => type === 'competitor_free');
    expect(free.length).toBeGreaterThan(5);
    expect(task.competitors).toHaveLength(3);
    expect(task.warnings).toEqual([expect.stringContaining('"brand"')]);
    // Reading 18: the business is looked for in the local pack, which this page does not have.
    expect(owner?.results.local_pack).toEqual({
      position: '1000',
      type: 'local_pack',
      title: '-',
      url: '-',
      snippet: '-',
    });
  });
});

test.concurrent.each(['google', 'bing', 'yahoo'])(
  '%s: the business of the owner has its place in the map',
  async (engine) => {
    const task = await client.searchedV1(engine, {
      keyword: 'v1 coffee near me',
      frequency: 0,
      domain: 'acme.example',
      business_name: 'Acme',
    });

    const { 'acme.example': owner } = task.result as Record<string, Tracked>;
    expect(owner?.results.local_pack).toMatchObject({ position: '2', type: 'local_pack', title: 'Acme' });
  },
);

test.concurrent('a tracked domain is looked for beyond the first page', async () => {
  const task = await client.searchedV1('google', { keyword: 'v1 coffee', domain: 'latecomer.example' });

  expect(task).toMatchObject({
    status: 'success',
    result: { 'latecomer.example': { type: 'owner', results: { organic: { type: 'organic' } } } },
  });
});

test.concurrent('a batch is answered with its tasks in order, and every task ends', async () => {
  const keywords = ['v1 one', 'v1 two', 'v1 three'];
  const body = keywords.map((keyword) => ({ keyword, location_name: 'France', iso_code: 'FR' }));

  const tasks = await client.json<V1Task[]>('/api/v1/serp/crawl/google/batch', {
    method: 'POST',
    body: JSON.stringify(body),
  });

  expect(tasks.map(({ keyword }) => keyword)).toEqual(keywords);
  const ended = await client.allFinishedV1(tasks.map(({ id }) => id));
  expect(ended.map(({ status }) => status)).toEqual(keywords.map(() => 'success'));
});

describe.concurrent('a task of one version', () => {
  test('is unknown to the other, but both have readable HTML', async () => {
    const [v1, v2] = await Promise.all([
      client.searchedV1('google', { keyword: 'v1 garden' }),
      client.searched({ keyword: 'v2 garden' }),
    ]);
    const status = async (path: string) => (await client.call(path)).status;

    expect(await status(`/api/v1/serp/crawl/${v2.id}`)).toBe(404);
    expect(await status(`/api/v2/serp/crawl/${v1.id}`)).toBe(404);
    for (const { id, keyword } of [v1, v2]) {
      const { html } = await client.json<{ html: string }>(`/api/v1/serp/crawl/${id}/html`);
      expect(html).toContain(keyword);
      expect(await status(`/api/v1/serp/crawl/${id}/html?page=2`)).toBe(404);
    }
  });
});

test.concurrent('the webhook is the task as GET returns it, at each attempt', async () => {
  const receiver = await startReceiver((count) => (count === 1 ? 500 : 200));
  const { id } = await client.searchV1('google', { keyword: 'v1 lake', postback_url: receiver.url });
  const [first, second] = await receiver.until(2);
  const task = await client.finishedV1(id);
  await receiver.stop();

  const [before, after] = [first, second].map((delivery) =>
    new Webhook(service.webhookSecret).verify(delivery!.body, delivery!.headers),
  );
  expect(after).toEqual(task);
  expect(task).toMatchObject({ status: 'success', postback_retries_count: 1 });
  expect(before).toEqual({ ...task, postback_retries_count: 0 });
});

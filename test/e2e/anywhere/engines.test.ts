/**
 * Each engine of v1 as a client sees it: raw and tracked searches, batches, webhooks, stored HTML, and what
 * its failures end in.
 */
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { type EngineName, engineNames, engines } from '../../../lib/model/engine.ts';
import type { V1Task } from '../../../lib/model/v1-task.ts';
import { clientOf, searchedInTime } from '../client.ts';
import { sharedService } from '../injected-service.ts';
import { startReceiver } from '../receiver.ts';

const service = sharedService();
const client = clientOf(service);

type Item = { type: string; position: string; title: string; url: string; channel_url?: string };

/** The type of the results that the engine ranks. */
const rankedType = (engine: EngineName) => (engine === 'youtube' ? 'video' : 'organic');

/** How a request names a site of the sandbox: on YouTube, the site is a channel. */
const siteOn = (engine: EngineName, host: string) => (engine === 'youtube' ? `@${host}` : host);

const ranked = (engine: EngineName, task: V1Task): Item[] =>
  (task.result as { left: Item[] }).left.filter(({ type }) => type === rankedType(engine));

/** The rank of each site of the sandbox. No day, place or device changes it. */
const ranks = {
  'acme.example': '4',
  'rival.example': '12',
  'latecomer.example': '37',
  'nobody.example': '1000',
};

/** Tracks all sites of `ranks`. */
const tracking = (engine: EngineName) => {
  const [domain, ...competitors] = Object.keys(ranks).map((host) => siteOn(engine, host));
  return {
    domain,
    competitors: competitors.map((competitor) => ({ competitor, type: 'domain', keyword_id: 7 })),
  };
};

const ranksIn = (engine: EngineName, { result }: V1Task) => {
  const entries = result as Record<string, { results: { organic: { position: string } } } | undefined>;
  return Object.fromEntries(
    Object.keys(ranks).map((host) => [host, entries[siteOn(engine, host)]?.results.organic.position]),
  );
};

/** A misfortune for each final verdict → the word that the error message starts with. */
const errors = [
  ['captcha', 'captcha'],
  ['consent', 'consent'],
  ['soft_block', 'soft_block'],
  ['decoy', 'decoy'],
  ['drift', 'unknown_layout'],
  ['cut', 'unreachable'],
] as const;

const markets = [
  { device: 'desktop', location_name: 'United States', iso_code: 'US', language_code: 'en' },
  { device: 'mobile', location_name: 'Germany', iso_code: 'DE', language_code: 'de' },
] as const;

describe.concurrent.each(engineNames)('%s', (engine) => {
  const search = (fields: Record<string, unknown>) =>
    client.searchedV1(engine, { keyword: 'tea', frequency: 0, ...fields });

  test.each(markets)('$device, $iso_code: a raw search has the first page and its HTML', async (market) => {
    const task = await search(market);

    const results = ranked(engine, task);
    const page = await client.json<{ html: string }>(`/api/v1/serp/crawl/${task.id}/html`);
    expect(task).toMatchObject({ ...market, status: 'success', complete: true, reused: false, warnings: [] });
    expect(results.map(({ position }) => position)).toEqual(
      Array.from({ length: engines[engine].resultsPerPage }, (_, n) => String(n + 1)),
    );
    expect(results.filter(({ title, url }) => !title || !url)).toEqual([]);
    expect(task.top_10).toContain(siteOn(engine, 'acme.example'));
    expect(page.html).toContain('tea');
    expect((await client.call(`/api/v1/serp/crawl/${task.id}/html?page=2`)).status).toBe(404);
  });

  test.each(markets)('$device, $iso_code: tracked sites have their ranks', async (market) => {
    const task = await search({ ...market, ...tracking(engine) });

    expect(task).toMatchObject({ ...market, status: 'success', complete: true });
    expect(ranksIn(engine, task)).toEqual(ranks);
    expect((await client.call(`/api/v1/serp/crawl/${task.id}/html?page=5`)).status).toBe(200);
  });

  test('the tasks of a batch end one by one, and each webhook is the task as GET returns it', async () => {
    const receiver = await startReceiver();
    const body = [
      { keyword: 'tea' },
      { keyword: 'tea', ...tracking(engine) },
      { keyword: 'captcha: tea' },
    ].map((fields) => ({
      ...fields,
      location_name: 'France',
      iso_code: 'FR',
      frequency: 0,
      postback_url: receiver.url,
    }));

    const created = await client.json<V1Task[]>(`/api/v1/serp/crawl/${engine}/batch`, {
      method: 'POST',
      body: JSON.stringify(body),
    });
    const ended = await client.allFinishedV1(created.map(({ id }) => id));
    const deliveries = await receiver.until(body.length);
    await receiver.stop();

    const payloads = deliveries.map(
      (delivery) => new Webhook(service.webhookSecret).verify(delivery.body, delivery.headers) as V1Task,
    );
    expect(created.map(({ keyword }) => keyword)).toEqual(body.map(({ keyword }) => keyword));
    expect(ended.map(({ status }) => status)).toEqual(['success', 'success', 'error']);
    expect(ended[2]).toMatchObject({ result: {}, error_message: expect.stringMatching(/^captcha: /) });
    expect(ranksIn(engine, ended[1]!)).toEqual(ranks);
    expect(payloads.toSorted((a, b) => a.id - b.id)).toEqual(ended.toSorted((a, b) => a.id - b.id));
  });

  test.each(errors)('%s in a tracked search ends in error with %s', async (misfortune, word) => {
    const keyword = `${misfortune}: tea`;
    const task = await searchedInTime(() => search({ keyword, device: 'mobile', ...tracking(engine) }));

    expect(task).toMatchObject({ status: 'error', result: {}, top_10: null, succeed_at: 0 });
    expect(task.error_message).toMatch(new RegExp(`^${word}: `));
  });

  test('a blocked second page is no rank of 1000, but the ranks before it count', async () => {
    const keyword = 'captcha@2: tea';
    const [unknown, known] = await Promise.all([
      search({ keyword, domain: siteOn(engine, 'nobody.example') }),
      search({ keyword, domain: siteOn(engine, 'acme.example') }),
    ]);

    expect(unknown).toMatchObject({
      status: 'error',
      result: {},
      error_message: expect.stringMatching(/^captcha: /),
    });
    expect(known).toMatchObject({
      status: 'success',
      complete: false,
      result: { [siteOn(engine, 'acme.example')]: { results: { organic: { position: '4' } } } },
    });
  });

  test('a captcha at the first fetch only costs one more fetch', async () => {
    const task = await searchedInTime(() => search({ keyword: 'once_captcha: tea', ...tracking(engine) }));

    expect(task).toMatchObject({ status: 'success', complete: true });
    expect(ranksIn(engine, task)).toEqual(ranks);
  });

  test('nothing found is a result without items, and a rank of 1000', async () => {
    const keyword = 'empty: tea';
    const [raw, tracked] = await Promise.all([search({ keyword }), search({ keyword, ...tracking(engine) })]);

    expect(raw).toMatchObject({ status: 'success', result: { left: [], right: [] }, top_10: [] });
    expect(new Set(Object.values(ranksIn(engine, tracked)))).toEqual(new Set(['1000']));
  });
});

test.each([(id: string) => `https://www.youtube.com/watch?v=${id}`, (id: string) => `youtu.be/${id}`])(
  'youtube: a video is tracked by its address (%#)',
  async (address) => {
    const found = await client.searchedV1('youtube', {
      keyword: 'tea',
      frequency: 0,
      domain: '@acme.example',
    });
    const { url } = (found.result as Record<string, { results: { organic: Item } }>)['@acme.example']!.results
      .organic;
    const domain = address(new URL(url).searchParams.get('v')!);
    const absent = address('AAAAAAAAAAA');

    const task = await client.searchedV1('youtube', {
      keyword: 'tea',
      frequency: 0,
      domain,
      competitors: [{ competitor: absent, type: 'domain', keyword_id: 7 }],
    });

    expect(task).toMatchObject({
      status: 'success',
      result: {
        [domain]: { type: 'owner', results: { organic: { position: '4', url } } },
        [absent]: { type: 'competitor', results: { organic: { position: '1000', url: '-' } } },
      },
    });
  },
);

/**
 * Keyword data on the embedded stack with the sandbox as its source, from the request to the result and the
 * webhook.
 */
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientOf } from '../client.ts';
import { keywordsOf } from '../keyword-client.ts';
import { startReceiver } from '../receiver.ts';
import { makeSecondUser } from '../second-user.ts';
import { startService } from '../service.ts';

let service: Awaited<ReturnType<typeof startService>>;
let client: ReturnType<typeof clientOf>;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let mine: ReturnType<typeof keywordsOf>;
let theirs: ReturnType<typeof keywordsOf>;

beforeAll(async () => {
  service = await startService();
  client = clientOf(service);
  receiver = await startReceiver();
  mine = keywordsOf(client);
  theirs = keywordsOf(clientOf(await makeSecondUser(service)));
});
afterAll(async () => {
  await receiver.stop();
  await service.stop();
});

const live = (body: object) =>
  client.call('/api/v1/keyword-sv/live', { method: 'POST', body: JSON.stringify(body) });

describe.concurrent('volume', () => {
  test('a task has its result, its webhook has the same, and another user does not see it', async () => {
    const [task] = await mine.post([{ key: 'Coffee Grinder', loc_id: 2840, postback_url: receiver.url }]);
    expect(task).toMatchObject({ status: 'awaiting', result: [], succeed_at: 0 });

    const final = await mine.finalOf(task!.id);
    const [delivery] = await receiver.until(1);

    expect(final.status).toBe('success');
    expect(final.result).toEqual([
      { text: 'Coffee Grinder', keyword_idea_metrics: expect.anything(), has_data: true },
    ]);
    expect(final.result[0]?.keyword_idea_metrics.monthly_search_volumes).toHaveLength(12);
    const payload = new Webhook(service.webhookSecret).verify(delivery!.body, delivery!.headers);
    expect(payload).toEqual(final);
    await expect(theirs.read(task!.id)).rejects.toThrow('404');
  });

  test('the day of a task is a condition of its reading', async () => {
    const [task] = await mine.post([{ key: 'tea' }]);
    const status = async (day: string) =>
      (await client.call(`/api/v1/keyword-sv/${task!.id}?created_on=${day}`)).status;

    expect(await status(task!.created_on)).toBe(200);
    expect(await status('2020-02-29')).toBe(404);
    expect(await status('2020-02-30')).toBe(422);
    expect(await status('today')).toBe(422);
  });

  test('the list is paged by a cursor that works for its user and status only', async () => {
    const tasks = await theirs.post(
      Array.from({ length: 30 }, (_, n) => ({ key: `paged ${n}`, loc_id: 2372 })),
    );
    await theirs.allFinal();

    const first = await theirs.list();
    const second = await theirs.list(`?cursor=${first.cursor}`);

    expect(first).toMatchObject({ num_items: 25, cursor: expect.any(String) });
    expect(second).toMatchObject({ num_items: 5, cursor: null });
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(
      tasks.map(({ id }) => id).toSorted((a, b) => b - a),
    );
    await expect(theirs.list(`?status=error&cursor=${first.cursor}`)).rejects.toThrow('422');
    await expect(mine.list(`?cursor=${first.cursor}`)).rejects.toThrow('422');
  });

  test('a source that fails is an error, and never an empty result', async () => {
    const tasks = await mine.post(
      ['http_500: tea', 'reset: tea', 'drift: tea', 'empty: tea'].map((key, n) => ({
        key,
        loc_id: 2004 + 4 * n,
      })),
    );
    const finals = await Promise.all(tasks.map(({ id }) => mine.finalOf(id)));

    expect(finals.map(({ status, error_message }) => [status, error_message?.split(':')[0]])).toEqual([
      ['error', 'unreachable'],
      ['error', 'unreachable'],
      ['error', 'upstream'],
      ['success', undefined],
    ]);
    expect(finals.at(-1)?.result).toMatchObject([{ has_data: false }]);
  });
});

/**
 * Two requests, and more messages, each of 100 keywords, than one receive returns. `npm run bench:keywords`
 * has 10,000.
 */
const many = 1100;

test(`${many} keywords of one user all get their figures, and one keyword of another user does not wait for them`, async () => {
  const posted = await mine.post(
    Array.from({ length: many }, (_, n) => ({ key: `keyword number ${n}`, loc_id: 2826 })),
  );
  const [single] = await theirs.post([{ key: 'a single keyword', loc_id: 2756 }]);

  expect(await theirs.finalOf(single!.id)).toMatchObject({ status: 'success' });
  const ids = posted.map(({ id }) => id);
  expect(new Set(ids).size).toBe(many);
  await mine.allFinal();
  const some = await Promise.all(ids.filter((_, n) => n % 197 === 0).map((id) => mine.read(id)));
  expect(some.map(({ status, result }) => [status, result[0]?.has_data])).toEqual(
    some.map(() => ['success', true]),
  );
});

describe.concurrent('live volume', () => {
  test('keeps the order, has numbers of months, and says what came from the cache', async () => {
    const body = { keywords: ['milk', 'Tea', 'tea'], location_code: 2276, language_code: 'de' };
    const first = await live(body);
    const second = await live(body);
    const { results } = (await first.json()) as { results: { key: string; ms: { month: number }[] }[] };

    expect([first.status, first.headers.get('x-cache')]).toEqual([200, 'miss']);
    expect([second.headers.get('x-cache'), second.headers.get('age')]).toEqual([
      'hit',
      expect.stringMatching(/^\d+$/),
    ]);
    expect(results.map(({ key }) => key)).toEqual(['milk', 'Tea', 'tea']);
    expect(results[0]?.ms.every(({ month }) => month >= 1 && month <= 12)).toBe(true);
  });

  test.each([
    ['http_500: tea', 502],
    ['cut: tea', 502],
    ['drift: tea', 502],
    ['http_429: tea', 503],
  ])('%s is %i', async (keyword, status) => {
    const reply = await live({ keywords: [keyword] });

    expect(reply.status).toBe(status);
    expect(await reply.json()).toEqual({ detail: expect.any(String) });
    if (status === 503) expect(reply.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  });
});

test.concurrent('ideas have both forms of the specification, with concepts and devices', async () => {
  const task = await mine.ideas({ keywords: ['espresso machine'], include_seed_keyword: false });

  expect(task).toMatchObject({ status: 'success', location_code: 2840, language_code: 'en' });
  expect(task.results.length).toBeGreaterThan(5);
  expect(task.results.map(({ text }) => text)).not.toContain('espresso machine');
  expect(task.results[0]?.keyword_annotations.concepts[0]).toEqual({
    name: expect.any(String),
    concept_grop: { name: expect.any(String), type: expect.any(String) },
  });
  expect(task.aggregate_metric_results.map(({ device }) => device)).toContain('MOBILE');
});

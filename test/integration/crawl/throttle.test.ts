/** Turns at an engine, in their table: within the rate and in order, even for concurrent requests. Rests of an engine that blocks. */
import * as v from 'valibot';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { GoogleCrawlRequest } from '../../../lib/model/crawl-request.ts';
import type { CrawlMessage } from '../../../lib/model/workflow.ts';
import { startTables } from '../../tables.ts';
import { accountOf } from '../account.ts';

// The stores read their names from the environment when they are imported.
const tables = await startTables();
const { requestTurn, recordSignal, wallsBeforeRest } = await import('../../../lib/crawl/throttle.ts');
const { readPace, restEngine, resetWalls } = await import('../../../lib/store/pace.ts');
const { clock } = await import('../../../lib/runtime/clock.ts');
const { createTasks } = await import('../../../lib/crawl/create.ts');
afterAll(() => tables.stop());

const account = accountOf(1);

const hour = 3600;
// Each test begins 12 hours after the last one, so the state in the engine's row is outdated.
let now = clock();
beforeEach(() => {
  now += 12 * hour;
});
afterEach(() => {
  delete process.env.GOOGLE_RATE;
});

const messages = async (count: number, pages = 1): Promise<CrawlMessage[]> => {
  const fields = { location_name: 'Canada', iso_code: 'CA', frequency: 0, depth: pages * 10 };
  const requests = Array.from({ length: count }, (_, n) =>
    v.parse(GoogleCrawlRequest, { ...fields, keyword: `tea ${n}` }),
  );
  const tasks = await createTasks(account, requests, 'https://here.example', now);
  return tasks.map(({ id }) => ({ user_id: 1, id, engine: 'google', pages, throttled: 0 }));
};

type Started = { id: number; at: number; pages: number };

/** Requests a turn for every message, and again at the time of its turn. Messages of one time are concurrent. Delays are whole seconds. */
const play = async (asking: CrawlMessage[], from = now): Promise<Started[]> => {
  const waiting = new Map<number, CrawlMessage[]>([[from, asking]]);
  const started: Started[] = [];
  while (waiting.size > 0) {
    const at = Math.min(...waiting.keys());
    const arrived = waiting.get(at) ?? [];
    waiting.delete(at);
    const entries = await Promise.all(
      arrived.map(async (message) => ({ message, entry: await requestTurn(message, at) })),
    );
    for (const { message, entry } of entries) {
      if (entry.outcome === 'go') {
        started.push({ id: message.id, at: entry.at, pages: message.pages });
      } else {
        const again = at + Math.min(900, Math.floor(entry.at - at));
        waiting.set(again, [...(waiting.get(again) ?? []), { ...message, not_before: entry.at }]);
      }
    }
  }
  return started.sort((a, b) => a.at - b.at);
};

/** The largest number of pages in any interval of a second. */
const mostInASecond = (started: Started[]): number =>
  Math.max(
    ...started.map(({ at }) =>
      started
        .filter((other) => other.at >= at && other.at < at + 0.999)
        .reduce((sum, { pages }) => sum + pages, 0),
    ),
  );

describe('a rate', () => {
  test.each([
    [5, 60],
    [1, 20],
    [0.5, 10],
    [40, 120],
  ])('of %d is fully used and not exceeded by %i concurrent runs', async (rate, count) => {
    process.env.GOOGLE_RATE = String(rate);
    const started = await play(await messages(count));

    expect(new Set(started.map(({ id }) => id)).size).toBe(count);
    expect(mostInASecond(started)).toBeLessThanOrEqual(Math.max(1, rate));
    expect(Number(started.at(-1)?.at) - now).toBeCloseTo((count - 1) / rate, 0);
  });

  test('counts pages, not runs', async () => {
    process.env.GOOGLE_RATE = '5';
    const started = await play([...(await messages(10, 3)), ...(await messages(3, 10))]);

    expect(started).toHaveLength(13);
    started.forEach(({ at, pages }, n) => {
      const next = started[n + 1];
      if (next) expect(next.at - at).toBeGreaterThanOrEqual(pages / 5 - 0.001);
    });
  });

  test('gives turns in the order of the requests', async () => {
    process.env.GOOGLE_RATE = '5';
    const [late, ...first] = await messages(60);
    const line = await Promise.all(
      first.map(async (message) => ({ message, entry: await requestTurn(message, now) })),
    );
    const promised = Math.max(...line.map(({ entry }) => entry.at));

    const entry = late && (await requestTurn(late, now + 3));

    expect(entry?.outcome).toBe('wait');
    expect(entry?.at).toBeGreaterThan(promised);
  });

  test('is not exceeded by messages that are all received late', async () => {
    process.env.GOOGLE_RATE = '5';
    const asking = await messages(40);
    const entries = await Promise.all(
      asking.map(async (message) => ({ message, entry: await requestTurn(message, now) })),
    );
    const late = entries.flatMap(({ message, entry }) =>
      entry.outcome === 'wait' ? [{ ...message, not_before: entry.at }] : [],
    );

    const started = await play(late, now + 60);

    expect(started).toHaveLength(late.length);
    expect(mostInASecond(started)).toBeLessThanOrEqual(5);
  });

  test('gives no turn after the deadline of a task, and keeps that turn for other tasks', async () => {
    process.env.GOOGLE_RATE = String(1 / hour);
    const entries = [];
    for (const message of await messages(10)) entries.push(await requestTurn(message, now));

    expect(entries.filter(({ at }) => at === Number.POSITIVE_INFINITY)).toHaveLength(4);
    const { line_end } = await readPace('google');
    expect(line_end).toBeLessThanOrEqual(now + 7 * hour);
  });

  test('of 0, or an unset rate on the sandbox, takes no turns', async () => {
    const before = await readPace('google');
    const asking = await messages(20);
    expect((await play(asking)).every(({ at }) => at === now)).toBe(true);
    process.env.GOOGLE_RATE = '0';
    expect((await play(asking)).every(({ at }) => at === now)).toBe(true);

    expect(await readPace('google')).toEqual(before);
  });
});

describe('an engine that blocks', () => {
  const wall = async (count: number, at = now) => {
    for (const message of await messages(count)) {
      const entry = await requestTurn(message, at);
      if (entry.outcome === 'go') await recordSignal('google', entry, 'wall', at);
    }
  };

  beforeEach(async () => {
    process.env.GOOGLE_RATE = '1000';
    await resetWalls('google');
  });

  test('rests for ten seconds after the limit of consecutive blocked runs, and not before', async () => {
    await wall(wallsBeforeRest - 1);
    expect(await readPace('google')).toMatchObject({ walls: wallsBeforeRest - 1, rested_until: 0 });
    await wall(1, now + 1);

    expect(await readPace('google')).toMatchObject({ walls: wallsBeforeRest, rested_until: now + 11 });
    const [message] = await messages(1);
    const entry = message && (await requestTurn(message, now + 5));
    expect(entry?.outcome).toBe('wait');
    expect(entry?.at).toBeGreaterThanOrEqual(now + 11);
  });

  test('does not rest if a good run came between, and runs without a verdict do not count', async () => {
    await wall(wallsBeforeRest - 1);
    const [good, nothing] = await messages(2);
    for (const [message, met] of [
      [good, 'open'],
      [nothing, null],
    ] as const) {
      const entry = message && (await requestTurn(message, now + 1));
      if (entry?.outcome === 'go') await recordSignal('google', entry, met, now + 1);
    }
    await wall(wallsBeforeRest - 1, now + 2);

    expect(await readPace('google')).toMatchObject({ walls: wallsBeforeRest - 1, rested_until: 0 });
  });

  test('gets only one run after a rest', async () => {
    await wall(wallsBeforeRest);
    const asking = await messages(50);
    const entries = await Promise.all(asking.map((message) => requestTurn(message, now + 20)));

    expect(entries.filter(({ outcome }) => outcome === 'go')).toHaveLength(1);
  });

  test('rests twice as long each time, up to 900 s, until a good run', async () => {
    await wall(wallsBeforeRest);
    const rests = [];
    for (let probes = 0; probes < 9; probes++) {
      const { rested_until } = await readPace('google');
      const [message] = await messages(1);
      const entry = message && (await requestTurn(message, rested_until));
      if (entry?.outcome !== 'go') throw new Error('No run may try');
      await recordSignal('google', entry, 'wall', rested_until);
      rests.push((await readPace('google')).rested_until - rested_until);
    }
    expect(rests).toEqual([20, 40, 80, 160, 320, 640, 900, 900, 900]);

    const { rested_until } = await readPace('google');
    const [message, next] = await messages(2);
    const probe = message && (await requestTurn(message, rested_until + 1));
    if (probe?.outcome === 'go') await recordSignal('google', probe, 'open', rested_until + 2);
    expect(await readPace('google')).toMatchObject({ walls: 0, rested_until: 0 });
    expect(next && (await requestTurn(next, rested_until + 3))).toMatchObject({ outcome: 'go' });
  });

  test('gets another run if the first one does not return', async () => {
    await wall(wallsBeforeRest);
    const [lost, next, other] = await messages(3);
    expect(lost && (await requestTurn(lost, now + 11))).toMatchObject({ outcome: 'go' });
    expect(next && (await requestTurn(next, now + 12))).toMatchObject({ outcome: 'wait' });

    expect(other && (await requestTurn(other, now + 11 + 31))).toMatchObject({ outcome: 'go' });
  });

  test('gives its next turns after the rest', async () => {
    process.env.GOOGLE_RATE = '5';
    const asking = await messages(40);
    await Promise.all(asking.map((message) => requestTurn(message, now)));
    await restEngine('google', wallsBeforeRest, now + 300);
    const [message] = await messages(1);

    expect(message && (await requestTurn(message, now + 1))).toMatchObject({
      outcome: 'wait',
      at: now + 300,
    });
  });
});

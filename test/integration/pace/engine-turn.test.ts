/**
 * Turns at an engine, in their table: within the rate and in order, even for concurrent requests. Rests of an
 * engine that blocks.
 */
import * as v from 'valibot';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { GoogleCrawlRequest } from '../../../lib/model/crawl-request.ts';
import type { CrawlMessage } from '../../../lib/model/workflow.ts';
import { startTables } from '../../tables.ts';
import { accountOf } from '../account.ts';

// The stores read their names from the environment when they are imported.
const tables = await startTables();
const { takeTurn } = await import('../../../lib/crawl/take-turn.ts');
const { recordSignal } = await import('../../../lib/pace/engine-turn.ts');
const { wallsBeforeRest } = await import('../../../lib/pace/rest.ts');
const { readLine, restLine, resetWalls } = await import('../../../lib/store/pace.ts');
const { readUser } = await import('../../../lib/store/pace-users.ts');
const { clock } = await import('../../../lib/runtime/clock.ts');
const { createV2Tasks } = await import('../../../lib/crawl/create.ts');
afterAll(() => tables.stop());

const hour = 3600;
// Each test begins 12 hours after the last one, so the state in the engine's row is outdated.
let now = clock();
beforeEach(() => {
  now += 12 * hour;
});
afterEach(() => {
  delete process.env.GOOGLE_RATE;
});

const messages = async (count: number, pages = 1, user = 1): Promise<CrawlMessage[]> => {
  const fields = { location_name: 'Canada', iso_code: 'CA', frequency: 0, depth: pages * 10 };
  const requests = Array.from({ length: count }, (_, n) =>
    v.parse(GoogleCrawlRequest, { ...fields, keyword: `tea ${n}` }),
  );
  const tasks = await createV2Tasks(accountOf(user), requests, 'https://here.example', now);
  return tasks.map(({ id }) => ({ user_id: user, id, engine: 'google', pages, throttled: 0 }));
};

type Started = { user: number; id: number; at: number; pages: number };

/**
 * Requests a turn for every message, and again at the time for which it waits. Messages of one time are
 * concurrent.
 */
const play = async (asking: CrawlMessage[], from = now): Promise<Started[]> => {
  const waiting = new Map<number, CrawlMessage[]>([[from, asking]]);
  const started: Started[] = [];
  while (waiting.size > 0) {
    const at = Math.min(...waiting.keys());
    const arrived = waiting.get(at) ?? [];
    waiting.delete(at);
    const entries = await Promise.all(
      arrived.map(async (message) => ({ message, entry: await takeTurn(message, at) })),
    );
    for (const { message, entry } of entries) {
      if (entry.outcome === 'go') {
        started.push({ user: message.user_id, id: message.id, at: entry.at, pages: message.pages });
      } else {
        const again = entry.at;
        waiting.set(again, [
          ...(waiting.get(again) ?? []),
          { ...message, not_before: entry.at, turn: entry.turn },
        ]);
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
    [40, 90],
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
      first.map(async (message) => ({ message, entry: await takeTurn(message, now) })),
    );
    const promised = Math.max(...line.map(({ entry }) => entry.at));

    const entry = late && (await takeTurn(late, now + 3));

    expect(entry?.outcome).toBe('wait');
    expect(entry?.at).toBeGreaterThan(promised);
  });

  test('is not exceeded by messages that are all received late', async () => {
    process.env.GOOGLE_RATE = '5';
    const asking = await messages(40);
    const entries = await Promise.all(
      asking.map(async (message) => ({ message, entry: await takeTurn(message, now) })),
    );
    const late = entries.flatMap(({ message, entry }) =>
      entry.outcome === 'wait' ? [{ ...message, not_before: entry.at, turn: entry.turn }] : [],
    );

    const started = await play(late, now + 60);

    expect(started).toHaveLength(late.length);
    expect(mostInASecond(started)).toBeLessThanOrEqual(5);
  });

  test('gives no turn after the deadline of a task, and keeps that turn for other tasks', async () => {
    process.env.GOOGLE_RATE = String(1 / hour);
    const entries = [];
    for (const message of await messages(10)) entries.push(await takeTurn(message, now));

    expect(entries.filter(({ at }) => at === Number.POSITIVE_INFINITY)).toHaveLength(4);
    const { line_end } = await readUser('google', 1);
    expect(line_end).toBeLessThanOrEqual(now + 7 * hour);
  });

  test('of 0, or an unset rate on the sandbox, takes no turns', async () => {
    const before = await readLine('google');
    const asking = await messages(20);
    expect((await play(asking)).every(({ at }) => at === now)).toBe(true);
    process.env.GOOGLE_RATE = '0';
    expect((await play(asking)).every(({ at }) => at === now)).toBe(true);

    expect(await readLine('google')).toEqual(before);
  });
});

describe('two users', () => {
  /**
   * Requests turns for `count` runs of user 1 at `now`. Returns the messages that wait, as they come back.
   */
  const queueRuns = async (count: number, pages = 1): Promise<CrawlMessage[]> => {
    const entries = [];
    for (const message of await messages(count, pages)) {
      entries.push({ message, entry: await takeTurn(message, now) });
    }
    return entries.flatMap(({ message, entry }) =>
      entry.outcome === 'wait' ? [{ ...message, not_before: entry.at, turn: entry.turn }] : [],
    );
  };

  test.each([
    ['a page', 1],
    ['ten pages', 10],
  ])(
    'share an engine: a run of %s starts at once, although 60 runs of another user wait',
    async (_, pages) => {
      process.env.GOOGLE_RATE = '5';
      const waiting = await queueRuns(60);
      const [other] = await messages(1, pages, 2);

      expect(waiting.length).toBeGreaterThan(40);
      expect(other && (await takeTurn(other, now + 1))).toMatchObject({ outcome: 'go', at: now + 1 });
    },
  );

  test('share an engine: a single run starts at once, although 30 runs of ten pages wait', async () => {
    process.env.GOOGLE_RATE = '1';
    const waiting = await queueRuns(30, 10);
    const [other] = await messages(1, 1, 2);

    expect(waiting).toHaveLength(29);
    // The turn of the first run lasts until `now + 10`.
    expect(other && (await takeTurn(other, now + 6))).toMatchObject({ outcome: 'go', at: now + 6 });
  });

  test('share an engine: a single run starts at once, although no run of the other user was put off', async () => {
    process.env.GOOGLE_RATE = '20';
    // They all have turns in the next two seconds, and wait for them.
    expect(await queueRuns(30)).toEqual([]);
    const [own] = await messages(1);
    const [other] = await messages(1, 1, 2);

    expect(own && (await takeTurn(own, now + 0.1)).at).toBeCloseTo(now + 30 / 20);
    expect(other && (await takeTurn(other, now + 0.1))).toMatchObject({ outcome: 'go', at: now + 0.1 });
  });

  test('with many runs each get equal shares, and the rate is used and not exceeded', async () => {
    process.env.GOOGLE_RATE = '5';
    const first = await queueRuns(100);
    const second = await messages(50, 1, 2);
    const started = await play([...first, ...second], now + 1);
    const half = started.slice(0, 70);

    // An id is unique for its user only.
    expect(new Set(started.map(({ user, id }) => `${user}/${id}`)).size).toBe(first.length + second.length);
    expect(half.filter(({ user }) => user === 2).length).toBeGreaterThan(25);
    expect(half.filter(({ user }) => user === 1).length).toBeGreaterThan(25);
    const seconds = Number(started.at(-1)?.at) - now;
    expect(seconds).toBeGreaterThan((started.length - 1) / 5 - 5);
    expect(seconds).toBeLessThan(started.length / 5 + 20);
  });

  test('with many runs each do not exceed the rate by more than the priority turns', async () => {
    process.env.GOOGLE_RATE = '5';
    const first = await queueRuns(70);
    const started = await play([...first, ...(await messages(40, 1, 2))], now + 1);

    started.forEach(({ at }, n) => {
      const until = started[n + 50]?.at ?? Number.POSITIVE_INFINITY;
      expect(until - at).toBeGreaterThanOrEqual(50 / 5 - 7.001);
    });
  });

  test('of whom one sends a run each second both get turns, and the rate is used and not exceeded', async () => {
    process.env.GOOGLE_RATE = '1';
    const first = await queueRuns(80);
    const second = await messages(60, 1, 2);
    const arrivals = second.map((message, n) => ({ message, at: now + 1 + n }));
    const started: Started[] = [];
    // The second user's runs arrive one by one while those of the first come back at their times.
    let waiting = [...first.map((message) => ({ message, at: Number(message.not_before) })), ...arrivals];
    for (let at = now; at < now + 60; at++) {
      const arrived = waiting.filter((entry) => entry.at < at + 1);
      waiting = waiting.filter((entry) => entry.at >= at + 1);
      for (const { message } of arrived) {
        const entry = await takeTurn(message, at);
        if (entry.outcome === 'go')
          started.push({ user: message.user_id, id: message.id, at: entry.at, pages: 1 });
        else
          waiting.push({
            message: { ...message, not_before: entry.at, turn: entry.turn },
            at: Math.max(at + 1, entry.at),
          });
      }
    }

    expect(started.length).toBeGreaterThan(55);
    expect(started.length).toBeLessThan(70);
    expect(started.filter(({ user }) => user === 1).length).toBeGreaterThan(20);
    expect(started.filter(({ user }) => user === 2).length).toBeGreaterThan(20);
  });
});

test('a high rate is divided between lines', async () => {
  process.env.GOOGLE_RATE = '500';
  const started = await play(await messages(100));

  expect(started).toHaveLength(100);
  expect(Number(started.at(-1)?.at) - now).toBeLessThan(1);
  for (const line of ['google', 'google/1']) {
    const { free_at } = await readLine(line);
    expect(free_at - now).toBeGreaterThan(0.1);
    expect(free_at - now).toBeLessThan(1);
  }
});

test('a run that has waited is not ended because later tasks of its user took all times before its deadline', async () => {
  process.env.GOOGLE_RATE = String(1 / hour);
  const [first, second, third, ...others] = await messages(10);
  if (!first || !second || !third) throw new Error('Too few tasks');
  for (const message of [first, second, third, ...others]) await takeTurn(message, now);

  // Both come back before their turn.
  const taken = await takeTurn({ ...second, not_before: now }, now + 60);
  const refused = await takeTurn({ ...third, not_before: now }, now + 60);

  expect(taken).toEqual({ outcome: 'wait', at: now + hour, turn: now + hour });
  expect(refused).toEqual({ outcome: 'wait', at: now + 60 + (6 * hour - 60) / 2 });
});

describe('an engine that blocks', () => {
  const wall = async (count: number, at = now) => {
    for (const message of await messages(count)) {
      const entry = await takeTurn(message, at);
      if (entry.outcome === 'go') await recordSignal('google', entry, 'wall', at);
    }
  };

  beforeEach(async () => {
    process.env.GOOGLE_RATE = '200';
    await resetWalls('google');
  });

  test('rests for ten seconds after the limit of consecutive blocked runs, and not before', async () => {
    await wall(wallsBeforeRest - 1);
    expect(await readLine('google')).toMatchObject({ walls: wallsBeforeRest - 1, rested_until: 0 });
    await wall(1, now + 1);

    expect(await readLine('google')).toMatchObject({ walls: wallsBeforeRest, rested_until: now + 11 });
    const [message] = await messages(1);
    const entry = message && (await takeTurn(message, now + 5));
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
      const entry = message && (await takeTurn(message, now + 1));
      if (entry?.outcome === 'go') await recordSignal('google', entry, met, now + 1);
    }
    await wall(wallsBeforeRest - 1, now + 2);

    expect(await readLine('google')).toMatchObject({ walls: wallsBeforeRest - 1, rested_until: 0 });
  });

  test('gets only one run after a rest', async () => {
    await wall(wallsBeforeRest);
    const asking = await messages(50);
    const entries = await Promise.all(asking.map((message) => takeTurn(message, now + 20)));

    expect(entries.filter(({ outcome }) => outcome === 'go')).toHaveLength(1);
  });

  test('rests twice as long each time, up to 900 s, until a good run', async () => {
    await wall(wallsBeforeRest);
    const rests = [];
    for (let probes = 0; probes < 9; probes++) {
      const { rested_until } = await readLine('google');
      const [message] = await messages(1);
      const entry = message && (await takeTurn(message, rested_until));
      if (entry?.outcome !== 'go') throw new Error('No run may try');
      await recordSignal('google', entry, 'wall', rested_until);
      rests.push((await readLine('google')).rested_until - rested_until);
    }
    expect(rests).toEqual([20, 40, 80, 160, 320, 640, 900, 900, 900]);

    const { rested_until } = await readLine('google');
    const [message, next] = await messages(2);
    const probe = message && (await takeTurn(message, rested_until + 1));
    if (probe?.outcome === 'go') await recordSignal('google', probe, 'open', rested_until + 2);
    expect(await readLine('google')).toMatchObject({ walls: 0, rested_until: 0 });
    expect(next && (await takeTurn(next, rested_until + 3))).toMatchObject({ outcome: 'go' });
  });

  test('gets another run if the first one does not return', async () => {
    await wall(wallsBeforeRest);
    const [lost, next, other] = await messages(3);
    expect(lost && (await takeTurn(lost, now + 11))).toMatchObject({ outcome: 'go' });
    expect(next && (await takeTurn(next, now + 12))).toMatchObject({ outcome: 'wait' });

    expect(other && (await takeTurn(other, now + 11 + 31))).toMatchObject({ outcome: 'go' });
  });

  test('gives its next turns after the rest', async () => {
    process.env.GOOGLE_RATE = '5';
    const asking = await messages(40);
    await Promise.all(asking.map((message) => takeTurn(message, now)));
    await restLine('google', wallsBeforeRest, now + 300);
    const [message] = await messages(1);

    expect(message && (await takeTurn(message, now + 1))).toMatchObject({
      outcome: 'wait',
      at: now + 300,
    });
  });
});

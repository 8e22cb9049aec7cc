/**
 * The life of a tracked search: each search is crawled once when it is due, and its result reaches every
 * subscriber once.
 */
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { scheduleResumed } from '../../../lib/reporting/schedule.ts';
import { startWorld } from './tracked-world.ts';

const world = await startWorld();
afterAll(() => world.stop());
afterEach(() => world.forget());

const minute = 60;
const hour = 3600;
const day = 24 * hour;

/** No two tests use the same time, because the planner plans all searches that are due. */
let start = 1_800_000_000;
beforeEach(() => {
  start += 400 * day;
});

/** Plans, ends every queued task with these hosts, and records, from `now` on. */
const crawlAll = async (now: number, hosts: string[]): Promise<number> => {
  const planned = await world.plan(now);
  for (const key of world.takeQueued()) await world.end(key, { hosts, crawled_at: now + 20 });
  await world.record(now + 90);
  return planned;
};

const hosts = ['first.example.org', 'own.example.com', 'rival.example.net'];

describe('a search', () => {
  test('that keywords of ten projects of two users track is crawled once, for all of them', async () => {
    const users = [await world.user(), await world.user()];
    const projects = await Promise.all(
      Array.from({ length: 10 }, (_, n) => world.project(users[n % 2] ?? 0)),
    );
    const keywords = await Promise.all(
      projects.map((project) => world.keyword(project, 'shared tea', { now: start })),
    );

    expect(await world.plan(start)).toBe(1);
    const [task, ...others] = world.takeQueued();
    expect(others).toEqual([]);
    if (!task) throw new Error('Nothing was queued');
    expect(await world.taskOf(task)).toMatchObject({
      keyword: 'shared tea',
      depth: 100,
      frequency: 0,
      domain: null,
    });
    await world.end(task, { hosts, crawled_at: start + 30 });
    expect(await world.record(start + 90)).toBe(10);

    for (const [n, project] of projects.entries()) {
      const keyword = keywords[n];
      if (!keyword) continue;
      expect(await world.stateOf(project, keyword)).toMatchObject({
        domains: ['own.example.com', 'rival.example.net'],
        ranks: [{ current: { at: start + 30, position: 2 } }, { current: { position: 3 } }],
      });
    }
  });

  test('keeps all pages of the domain, in the history and of the newest crawl', async () => {
    const project = await world.project(await world.user());
    const keyword = await world.keyword(project, 'several pages', { now: start });
    const own = ['shop.own.example.com', 'own.example.com', 'blog.own.example.com'];
    await crawlAll(start, ['first.example.org', ...own, 'rival.example.net']);
    const pages = own.map((host, n) => [n + 2, `https://${host}/page`]);

    expect((await world.stateOf(project, keyword)).own_urls).toEqual(pages);
    const history = () => world.historyOf(keyword, start + 3 * day);
    expect(await history()).toMatchObject([{ own: pages }]);
    const { next_at } = await world.stateOf(project, keyword);
    await crawlAll(next_at, hosts);
    expect(await world.stateOf(project, keyword)).not.toHaveProperty('own_urls');
    expect((await history())[1]).not.toHaveProperty('own');
  });

  test('is not crawled again before it is due, and once when it is', async () => {
    const project = await world.project(await world.user());
    const keyword = await world.keyword(project, 'daily', { now: start });
    await crawlAll(start, hosts);
    const { next_at } = await world.stateOf(project, keyword);

    expect(await world.plan(next_at - 1)).toBe(0);
    expect(await world.plan(next_at)).toBe(1);
    expect(await world.plan(next_at + minute)).toBe(0);
  });

  test('that was due several times while nothing ran is crawled once', async () => {
    const project = await world.project(await world.user());
    const keyword = await world.keyword(project, 'late', { now: start });
    await crawlAll(start, hosts);
    const { next_at } = await world.stateOf(project, keyword);
    const late = next_at + 3 * day + hour;

    expect(await crawlAll(late, hosts)).toBe(1);
    expect(await world.plan(late + 2 * minute)).toBe(0);
    const history = await world.historyOf(keyword, late);
    expect(history.map(({ at }) => at)).toEqual([start + 20, late + 20]);
  });

  test('is crawled as often as its most frequent keyword wants', async () => {
    const project = await world.project(await world.user());
    await world.keyword(project, 'often', { now: start, update_frequency: 168 });
    const often = await world.keyword(project, 'often', { now: start, update_frequency: 6 });
    await crawlAll(start, hosts);

    const { next_at } = await world.stateOf(project, often);
    expect(next_at - start).toBeLessThanOrEqual(9 * hour);
  });

  test('is removed when it has no subscribers any more', async () => {
    const project = await world.project(await world.user());
    const keyword = await world.keyword(project, 'gone', { now: start });
    await crawlAll(start, hosts);
    await world.unsubscribe([keyword]);

    expect(await world.plan(start + 3 * day)).toBe(0);
    expect(await world.readSearch(keyword.search_hash)).toEqual({ subscribers: [] });
  });

  test('of an engine of version 1 is crawled with ten pages', async () => {
    const project = await world.project(await world.user());
    await world.keyword(project, 'bing tea', { now: start, engine: 'bing', engine_domain: '' });
    await world.plan(start);

    const [task] = world.takeQueued();
    const row = task && (await world.taskOf(task));
    expect(row).toMatchObject({ engine: 'bing', api: 'v1', depth: 100, domain: null });
    expect(row?.pages).toHaveLength(10);
  });
});

describe('the payer of a crawl', () => {
  const payerOf = async (now: number): Promise<number | undefined> => {
    await world.plan(now);
    const [task] = world.takeQueued();
    if (task) await world.end(task, { hosts, crawled_at: now + 20 });
    await world.record(now + 90);
    return task?.user_id;
  };

  test('is each of the users with the same frequency in turn', async () => {
    const users = [await world.user(), await world.user()];
    for (const user of users) await world.keyword(await world.project(user), 'turns', { now: start });

    const payers = [];
    for (let n = 0; n < 4; n++) payers.push(await payerOf(start + n * 2 * day));
    expect(payers).toEqual([users[0], users[1], users[0], users[1]]);
  });

  test('is never a disabled user', async () => {
    const [enabled, disabled] = [await world.user(), await world.user()];
    for (const user of [disabled, enabled])
      await world.keyword(await world.project(user), 'disabled', { now: start });
    await world.disable(disabled);

    expect([await payerOf(start), await payerOf(start + 2 * day)]).toEqual([enabled, enabled]);
  });

  test('is none if all users are disabled: the search is not crawled', async () => {
    const user = await world.user();
    const keyword = await world.keyword(await world.project(user), 'nobody', { now: start });
    await world.disable(user);

    expect(await payerOf(start)).toBeUndefined();
    expect((await world.readSearch(keyword.search_hash)).row).toMatchObject({ state: 'due', crawl_at: 0 });
  });

  test('is never a user whose project is paused, and is again when it goes on', async () => {
    const project = await world.project(await world.user());
    await world.keyword(project, 'paused', { now: start });
    await world.changeProject(project, { paused: true });
    expect(await payerOf(start)).toBeUndefined();

    await world.changeProject(project, { paused: false });
    expect(await payerOf(start + 2 * day)).toBe(project.user_id);
  });
});

describe('a paused project', () => {
  test('gets no positions from the crawls of another project, and gets them again when it goes on', async () => {
    const user = await world.user();
    const [active, paused] = [await world.project(user), await world.project(user)];
    const [ofActive, ofPaused] = [
      await world.keyword(active, 'shared', { now: start }),
      await world.keyword(paused, 'shared', { now: start }),
    ];
    await world.changeProject(paused, { paused: true });
    expect(await crawlAll(start, hosts)).toBe(1);
    expect(await world.stateOf(active, ofActive)).toMatchObject({
      ranks: [{ current: { position: 2 } }, {}],
    });
    expect(await world.stateOf(paused, ofPaused)).toMatchObject({ ranks: [{ current: null }], gap: null });
    expect(await world.historyOf(ofPaused, start)).toEqual([]);

    await world.changeProject(paused, { paused: false });
    expect(await crawlAll(start + 2 * day, hosts)).toBe(1);
    expect(await world.stateOf(paused, ofPaused)).toMatchObject({
      ranks: [{ current: { position: 2 } }, {}],
    });
  });

  test('is crawled within the hour after it goes on, also if another project tracks its search each month', async () => {
    const user = await world.user();
    const [monthly, daily] = [await world.project(user), await world.project(user)];
    await world.keyword(monthly, 'seldom', { now: start, update_frequency: 720 });
    const keyword = await world.keyword(daily, 'seldom', { now: start });
    expect(await crawlAll(start, hosts)).toBe(1);
    await world.changeProject(daily, { paused: true });
    // The crawl of the daily keyword is made for the other project, whose next one is in a month.
    expect(await crawlAll(start + 2 * day, hosts)).toBe(1);
    expect(await world.stateOf(daily, keyword)).toMatchObject({
      ranks: [{ current: { at: start + 20 } }, {}],
    });

    const resumed = start + 4 * day;
    await world.changeProject(daily, { paused: false });
    // Twice, as after the death of a process.
    for (const at of [resumed, resumed + 5]) await scheduleResumed(daily, at);
    const { next_at } = await world.stateOf(daily, keyword);
    expect(next_at).toBeGreaterThanOrEqual(resumed);
    expect(next_at).toBeLessThan(resumed + hour);
    expect(await crawlAll(resumed + hour, hosts)).toBe(1);
    expect(await world.stateOf(daily, keyword)).toMatchObject({
      ranks: [{ current: { at: resumed + hour + 20 } }, {}],
    });
  });

  test('gets no position from a crawl that was under way', async () => {
    const project = await world.project(await world.user());
    const keyword = await world.keyword(project, 'under way', { now: start });
    await world.plan(start);
    await world.changeProject(project, { paused: true });
    for (const key of world.takeQueued()) await world.end(key, { hosts, crawled_at: start + 30 });
    await world.record(start + 90);

    expect(await world.stateOf(project, keyword)).toMatchObject({ ranks: [{ current: null }], gap: null });
    expect((await world.readSearch(keyword.search_hash)).row).toMatchObject({ state: 'due' });
  });
});

describe('a new keyword', () => {
  test('of a search that was crawled before it subscribed is crawled for soon', async () => {
    const user = await world.user();
    const project = await world.project(user);
    await world.keyword(project, 'second', { now: start });
    await crawlAll(start, hosts);
    const other = await world.project(user);
    const keyword = await world.keyword(other, 'second', {
      now: start + hour,
      first_at: start + 90 * minute,
    });

    expect(await world.plan(start + 90 * minute - 1)).toBe(0);
    expect(await crawlAll(start + 90 * minute, hosts)).toBe(1);
    expect(await world.stateOf(other, keyword)).toMatchObject({ ranks: [{ current: { position: 2 } }, {}] });
    expect(await world.plan(start + 2 * hour)).toBe(0);
  });

  test('gets the result of a crawl that runs, and causes no other', async () => {
    const user = await world.user();
    await world.keyword(await world.project(user), 'running', { now: start });
    await world.plan(start);
    const other = await world.project(user);
    const keyword = await world.keyword(other, 'running', { now: start + 10 });
    expect(await world.plan(start + 20)).toBe(0);
    for (const key of world.takeQueued()) await world.end(key, { hosts, crawled_at: start + 30 });
    await world.record(start + 90);

    expect(await world.stateOf(other, keyword)).toMatchObject({
      ranks: [{ current: { at: start + 30 } }, {}],
    });
    expect(await world.plan(start + 2 * hour)).toBe(0);
  });
});

describe('a crawl without a result', () => {
  test.each([
    [
      'that failed',
      { error: 'captcha: the engine asks for a person' },
      'captcha: the engine asks for a person',
    ],
    [
      'that is incomplete',
      { hosts, complete: false, crawled_at: 5 },
      'incomplete: the engine answered other words than those asked',
    ],
  ] as const)('%s is a gap with its reason, and no row', async (_, end, reason) => {
    const project = await world.project(await world.user());
    const keyword = await world.keyword(project, `gap ${reason}`, { now: start });
    await world.plan(start);
    for (const key of world.takeQueued()) await world.end(key, { ...end, hosts: [...hosts] });
    await world.record(start + 90);

    expect(await world.historyOf(keyword, start)).toEqual([{ at: start, reason }]);
    expect(await world.stateOf(project, keyword)).toMatchObject({
      ranks: [{ current: null }],
      gap: { at: start, reason },
    });
  });

  test('is followed by the next one, which ends the gap', async () => {
    const project = await world.project(await world.user());
    const keyword = await world.keyword(project, 'gap then result', { now: start });
    await world.plan(start);
    for (const key of world.takeQueued()) await world.end(key, { error: 'timeout: no answer' });
    await world.record(start + 90);
    await crawlAll(start + 2 * day, hosts);

    const state = await world.stateOf(project, keyword);
    expect(state).toMatchObject({ gap: null, ranks: [{ current: { position: 2 } }, {}] });
    expect(await world.historyOf(keyword, start + 2 * day)).toHaveLength(2);
  });
});

describe('a domain that a complete crawl does not find', () => {
  test('has the position 1000', async () => {
    const project = await world.project(await world.user());
    const keyword = await world.keyword(project, 'absent', { now: start });
    await crawlAll(start, ['first.example.org']);

    expect(await world.historyOf(keyword, start)).toMatchObject([
      { sightings: { 'own.example.com': { position: 1000, url: '' } } },
    ]);
  });

  test('has no position if the host of a result is unknown', async () => {
    const project = await world.project(await world.user());
    const keyword = await world.keyword(project, 'hidden', { now: start });
    await crawlAll(start, ['first.example.org', '']);

    expect(await world.historyOf(keyword, start)).toMatchObject([
      { reason: expect.stringMatching(/^unresolved: /) },
    ]);
  });
});

describe('the recorder', () => {
  test('looks at an unfinished task after 90 seconds, then after twice the time', async () => {
    const project = await world.project(await world.user());
    const { search_hash } = await world.keyword(project, 'slow', { now: start });
    await world.plan(start);
    const times: number[] = [];
    for (let n = 0; n < 7; n++) {
      const at = (await world.readSearch(search_hash)).row?.at ?? 0;
      await world.record(at - 1);
      times.push(at);
      await world.record(at);
    }

    expect(times.map((at, n) => at - (times[n - 1] ?? start))).toEqual([90, 180, 360, 720, 1440, 1800, 1800]);
  });

  test('creates a task again that was never written, with the same id', async () => {
    const project = await world.project(await world.user());
    const { search_hash } = await world.keyword(project, 'lost', { now: start });
    // The first write gives the ids, the second one reserves the search.
    await world.dyingAt(2, true, () => world.plan(start));
    expect(world.takeQueued()).toEqual([]);
    await world.record(start + 90);

    const [task] = world.takeQueued();
    const { row } = await world.readSearch(search_hash);
    expect(task).toEqual({ user_id: row?.task_user, id: row?.task_id });
    expect(task && (await world.taskOf(task))).toMatchObject({ status: 'awaiting', created_at: start });
  });

  test('gives up a task that is gone after its deadline, with a gap', async () => {
    const project = await world.project(await world.user());
    const keyword = await world.keyword(project, 'too late', { now: start });
    await world.plan(start);
    await world.record(start + 3 * day);

    expect(await world.historyOf(keyword, start)).toEqual([
      { at: start, reason: 'machinery: the task of the crawl is gone' },
    ]);
  });

  test('forgets the subscriber of a keyword that was deleted', async () => {
    const project = await world.project(await world.user());
    const keyword = await world.keyword(project, 'deleted', { now: start });
    await world.plan(start);
    await world.deleteKeyword(project, keyword);
    for (const key of world.takeQueued()) await world.end(key, { hosts, crawled_at: start });
    await world.record(start + 90);

    expect((await world.readSearch(keyword.search_hash)).subscribers).toEqual([]);
    expect(await world.historyOf(keyword, start)).toEqual([]);
  });
});

describe.each([
  ['before', false],
  ['after', true],
])('a process that dies %s a write', (_, isAfter) => {
  test('of the planner loses no crawl, and makes none twice', async () => {
    const user = await world.user();
    for (let write = 1; ; write++) {
      const now = start + write * 10 * day;
      const project = await world.project(user);
      const keyword = await world.keyword(project, `dying planner ${isAfter} ${write}`, { now });
      const died = await world.dyingAt(write, isAfter, () => world.plan(now));
      await world.plan(now + minute);
      await world.record(now + 90);
      const tasks = world.takeQueued();
      // A row without a message is queued by the sweeper.
      const { row } = await world.readSearch(keyword.search_hash);
      const key = { user_id: row?.task_user ?? 0, id: row?.task_id ?? 0 };
      expect(await world.taskOf(key)).toBeDefined();
      expect(tasks.every(({ id }) => id === key.id)).toBe(true);
      await world.end(key, { hosts, crawled_at: now + 100 });
      await world.record(now + hour);
      expect(await world.plan(now + hour + minute)).toBe(0);

      expect(await world.historyOf(keyword, now)).toHaveLength(1);
      await world.forget();
      if (!died) break;
      expect(write).toBeLessThan(20);
    }
  });

  test('of the recorder loses no result, and records none twice', async () => {
    const user = await world.user();
    for (let write = 1; ; write++) {
      const now = start + write * 10 * day;
      const project = await world.project(user);
      const keyword = await world.keyword(project, `dying recorder ${isAfter} ${write}`, { now });
      await world.plan(now);
      for (const key of world.takeQueued()) await world.end(key, { hosts, crawled_at: now + 20 });
      const died = await world.dyingAt(write, isAfter, () => world.record(now + 90));
      await world.record(now + 150);
      await world.record(now + 210);

      expect(await world.historyOf(keyword, now)).toHaveLength(1);
      expect(await world.stateOf(project, keyword)).toMatchObject({
        ranks: [{ current: { position: 2 }, previous: null }, { previous: null }],
      });
      expect((await world.readSearch(keyword.search_hash)).row).toMatchObject({ state: 'due', turns: 1 });
      await world.forget();
      if (!died) break;
      expect(write).toBeLessThan(20);
    }
  });
});

test('runs that overlap crawl a search once, and record it once', async () => {
  const project = await world.project(await world.user());
  const keywords = await Promise.all(
    Array.from({ length: 20 }, (_, n) => world.keyword(project, `overlap ${n}`, { now: start })),
  );

  const planned = await Promise.all([world.plan(start), world.plan(start), world.plan(start)]);
  const tasks = world.takeQueued();
  expect(planned.reduce((sum, each) => sum + each, 0)).toBe(20);
  expect(tasks).toHaveLength(20);
  for (const key of tasks) await world.end(key, { hosts, crawled_at: start + 20 });
  await Promise.all([world.record(start + 90), world.record(start + 90)]);

  for (const keyword of keywords) {
    expect(await world.historyOf(keyword, start)).toHaveLength(1);
    expect((await world.stateOf(project, keyword)).ranks[0]).toMatchObject({
      current: { position: 2 },
      previous: null,
    });
  }
});

describe('a crawl whose recording fails each time', () => {
  /** Records each hour until the search is due again, at most for a day. Returns the hours. */
  const recordUntilDue = async (searchHash: string): Promise<number> => {
    for (let hours = 0; hours <= 24; hours++) {
      await world.record(start + 90 + hours * hour).catch(() => undefined);
      if ((await world.readSearch(searchHash)).row?.state === 'due') return hours;
    }
    throw new Error('The search runs for ever');
  };

  test('is a gap with its reason after six hours, and delays no other search', async () => {
    const project = await world.project(await world.user());
    const broken = await world.keyword(project, 'broken', { now: start });
    const sound = await world.keyword(project, 'sound', { now: start });
    await world.plan(start);
    const { row } = await world.readSearch(broken.search_hash);
    for (const key of world.takeQueued()) {
      await world.end(key, { hosts, crawled_at: start + 20, isLost: key.id === row?.task_id });
    }

    await expect(world.record(start + 90)).rejects.toThrow();
    expect(await world.stateOf(project, sound)).toMatchObject({ ranks: [{ current: { position: 2 } }, {}] });
    expect((await world.readSearch(sound.search_hash)).row).toMatchObject({ state: 'due' });

    expect(await recordUntilDue(broken.search_hash)).toBe(6);
    const gap = { at: start, reason: 'machinery: the result could not be recorded' };
    expect(await world.historyOf(broken, start)).toEqual([gap]);
    expect(await world.stateOf(project, broken)).toMatchObject({ ranks: [{ current: null }], gap });
    await crawlAll(start + 2 * day, hosts);
    expect(await world.stateOf(project, broken)).toMatchObject({
      gap: null,
      ranks: [{ current: { position: 2 } }, {}],
    });
    expect(await world.historyOf(sound, start + 2 * day)).toHaveLength(2);
  });

  test('is a gap for the keyword that cannot be recorded, and a position for the others', async () => {
    const user = await world.user();
    const [one, other] = [await world.project(user), await world.project(user)];
    const sound = await world.keyword(one, 'half broken', { now: start });
    const broken = await world.keyword(other, 'half broken', { now: start });
    // No release writes such a project.
    await world.changeProject(other, { competitors: null as unknown as string[] });
    await world.plan(start);
    for (const key of world.takeQueued()) await world.end(key, { hosts, crawled_at: start + 20 });

    await recordUntilDue(sound.search_hash);
    expect(await world.historyOf(sound, start)).toMatchObject([{ at: start + 20 }]);
    expect(await world.stateOf(one, sound)).toMatchObject({
      gap: null,
      ranks: [{ current: { position: 2 } }, {}],
    });
    expect(await world.historyOf(broken, start)).toMatchObject([
      { reason: expect.stringContaining('recorded') },
    ]);
  });

  test('of a chunk that cannot be written keeps its history, and the search is crawled again', async () => {
    const project = await world.project(await world.user());
    const keyword = await world.keyword(project, 'unwritable', { now: start });
    await world.plan(start);
    for (const key of world.takeQueued()) await world.end(key, { hosts, crawled_at: start + 20 });

    await world.withoutChunks(() => recordUntilDue(keyword.search_hash));
    expect(await world.historyOf(keyword, start)).toMatchObject([{ at: start + 20 }]);
  });
});

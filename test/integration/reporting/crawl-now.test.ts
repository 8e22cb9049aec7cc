/** Crawls that a user asks for: once for each search, beside the schedule, within the limit of pages. */
import * as v from 'valibot';
import { afterAll, afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Account } from '../../../lib/model/user.ts';
import { startWorld } from './tracked-world.ts';

const world = await startWorld();
const { crawlNow, idsToCrawl } = await import('../../../lib/reporting/manage/crawl-now.ts');
const { changeKeywords, removeKeywords } = await import('../../../lib/reporting/manage/change-keywords.ts');
const { findKeyword } = await import('../../../lib/store/projects.ts');
afterAll(() => world.stop());
afterEach(() => world.forget());

const hour = 3600;
const day = 24 * hour;

let start = 2_400_000_000;
beforeEach(() => {
  start += 400 * day;
});

const hosts = ['first.example.org', 'own.example.com', 'rival.example.net'];

const crawlAll = async (now: number): Promise<number> => {
  const planned = await world.plan(now);
  for (const key of world.takeQueued()) await world.end(key, { hosts, crawled_at: now + 20 });
  await world.record(now + 90);
  return planned;
};

const accountOf = (id: number, rate_limit = 0) => ({ id, rate_limit }) as Account;

/** A project whose keywords were crawled at the start. */
const crawledProject = async (texts: string[], userId?: number) => {
  const user = userId ?? (await world.user());
  const project = await world.project(user);
  const keywords = [];
  for (const text of texts) keywords.push(await world.keyword(project, text, { now: start }));
  await crawlAll(start);
  return { account: accountOf(user), project, keywords, ids: keywords.map(({ keyword_id }) => keyword_id) };
};

const ask = (
  { account, project }: { account: Account; project: { project_id: number } },
  ids: number[] | null,
  now: number,
  isDryRun = false,
) => crawlNow(account, project.project_id, ids, isDryRun, now);

test('crawls a keyword once, and keeps the time of its schedule', async () => {
  const { account, project, keywords, ids } = await crawledProject(['tea', 'coffee']);
  const now = start + 2 * hour;

  const asked = await ask({ account, project }, ids.slice(0, 1), now);

  expect(asked).toMatchObject({ searches: 1, keywords: 1, pages: 10, dry_run: false, left: [] });
  expect(asked.cost_usd).toBeGreaterThan(0);
  expect(await crawlAll(now)).toBe(1);
  const [tea, coffee] = keywords;
  if (!tea || !coffee) throw new Error('No keywords');
  expect((await world.historyOf(tea, now)).map(({ at }) => at)).toEqual([start + 20, now + 20]);
  expect(await world.historyOf(coffee, now)).toHaveLength(1);
  const { next_at } = await world.stateOf(project, tea);
  expect(next_at).toBeGreaterThan(now + 12 * hour - 1);
});

test('crawls no keyword for a field that is not known, and so does not name the keywords', async () => {
  const { CrawlNowRequest } = await import('../../../lib/model/keyword-selection.ts');
  const idsIn = (body: unknown) => idsToCrawl(v.parse(CrawlNowRequest, body));

  expect([idsIn({}), idsIn({ keyword_ids: null }), idsIn({ keyword_ids: [7], x: 1 })]).toEqual([
    null,
    null,
    [7],
  ]);
  expect(() => idsIn({ keyword_id: [7] })).toThrow(
    expect.objectContaining({
      statusCode: 422,
      detail: [expect.objectContaining({ loc: ['body', 'keyword_id'] })],
    }),
  );
});

test('crawls a search once for all of its keywords', async () => {
  const { account, project, ids } = await crawledProject(['tea']);
  const mine = await world.keyword(project, 'tea', { now: start, domain: 'rival.example.net' });
  await world.plan(start + 100);
  const now = start + 2 * hour;

  const asked = await ask({ account, project }, null, now);

  expect(asked).toMatchObject({ searches: 1, keywords: 2 });
  expect(await crawlAll(now)).toBe(1);
  expect((await world.stateOf(project, mine)).ranks[0]?.current?.at).toBe(now + 20);
  expect(ids).toHaveLength(1);
});

describe('leaves a keyword', () => {
  test('whose search is running, or was asked for already', async () => {
    const { account, project, ids } = await crawledProject(['tea']);
    const now = start + 2 * hour;
    await ask({ account, project }, ids, now);

    expect((await ask({ account, project }, ids, now + 1)).left).toEqual([
      { keyword_id: ids[0], reason: 'due' },
    ]);
    await world.plan(now);
    expect(await ask({ account, project }, ids, now + 2)).toMatchObject({
      searches: 0,
      left: [{ keyword_id: ids[0], reason: 'running' }],
    });
    world.takeQueued();
  });

  test('that is paused, or not in the project', async () => {
    const { account, project, ids } = await crawledProject(['tea', 'coffee']);
    const other = await crawledProject(['milk']);
    await changeKeywords(account, project.project_id, { keyword_ids: ids.slice(0, 1), paused: true });
    const now = start + 2 * hour;

    const asked = await ask({ account, project }, [...ids, ...other.ids, 12_345], now);

    expect(asked.left).toEqual([
      { keyword_id: other.ids[0], reason: 'unknown' },
      { keyword_id: 12_345, reason: 'unknown' },
      { keyword_id: ids[0], reason: 'paused' },
    ]);
    expect(asked.searches).toBe(1);
    await world.changeProject(project, { paused: true });
    expect((await ask({ account, project }, null, now)).left.map(({ reason }) => reason)).toEqual([
      'paused',
      'paused',
    ]);
  });

  test('beyond the limit of pages, which other searches share', async () => {
    const texts = Array.from({ length: 110 }, (_, n) => `many ${n}`);
    const { project, ids, account } = await crawledProject(texts);
    const now = start + 2 * hour;
    // One minute for all requests. The first hundred searches have more pages than the limit.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    onTestFinished(() => void vi.useRealTimers());
    const limited = { ...account, rate_limit: 4 };

    const asked = await crawlNow(limited, project.project_id, null, false, now);

    expect([asked.searches, asked.left.length]).toEqual([100, 10]);
    expect(new Set(asked.left.map(({ reason }) => reason))).toEqual(new Set(['limit']));
    await expect(crawlNow(limited, project.project_id, ids.slice(-1), false, now)).rejects.toMatchObject({
      statusCode: 429,
    });
    expect(await world.plan(now)).toBe(100);
    world.takeQueued();
  });
});

test('two requests at once ask for each search once', async () => {
  const { account, project } = await crawledProject(['a', 'b', 'c', 'd', 'e', 'f']);
  const now = start + 2 * hour;

  const asked = await Promise.all([1, 2, 3].map(() => ask({ account, project }, null, now)));

  expect(asked.reduce((sum, { searches }) => sum + searches, 0)).toBe(6);
  expect(await crawlAll(now)).toBe(6);
});

test('is paid for by the user who asks, also if another one needs the search more often', async () => {
  const first = await crawledProject(['shared']);
  const other = await world.user();
  const theirs = await world.project(other);
  await world.keyword(theirs, 'shared', { now: start, update_frequency: 1 });
  await crawlAll(start + 200);
  const now = start + 900;

  await ask(first, null, now);
  await world.plan(now);

  const [task] = world.takeQueued();
  expect(task?.user_id).toBe(first.account.id);
});

test('crawls a keyword whose first crawl is not due yet, and one whose schedule was lost', async () => {
  const user = await world.user();
  const project = await world.project(user);
  const fresh = await world.keyword(project, 'fresh', { now: start, first_at: start + 3000 });
  const lost = await world.keyword(project, 'lost', { now: start, first_at: start + 3000 });
  await world.unsubscribe([lost]);

  const asked = await ask({ account: accountOf(user), project }, null, start + 10);

  expect(asked).toMatchObject({ searches: 2, left: [] });
  expect(await crawlAll(start + 60)).toBe(2);
  for (const each of [fresh, lost]) expect(await world.historyOf(each, start + 90)).toHaveLength(1);
  expect(await world.plan(start + 4000)).toBe(0);
});

test('a dry run says what would be crawled, and crawls nothing', async () => {
  const { account, project } = await crawledProject(['tea', 'coffee']);
  const now = start + 2 * hour;

  expect(await ask({ account, project }, null, now, true)).toMatchObject({
    searches: 2,
    pages: 20,
    dry_run: true,
  });
  expect(await world.plan(now)).toBe(0);
});

test('a project of another user is unknown', async () => {
  const { project } = await crawledProject(['tea']);

  await expect(ask({ account: accountOf(1_000_000), project }, null, start)).rejects.toMatchObject({
    statusCode: 404,
  });
});

describe('several keywords', () => {
  test('are paused, resumed, and crawled as often as their new schedule says', async () => {
    const { account, project, keywords, ids } = await crawledProject(['tea', 'coffee', 'milk']);
    const [tea, , milk] = keywords;
    if (!tea || !milk) throw new Error('No keywords');
    const change = (fields: object) =>
      changeKeywords(account, project.project_id, { keyword_ids: ids.slice(0, 2), ...fields }, start + hour);

    expect(await change({ paused: true })).toEqual({ changed: 2, unknown: [], full: [], left: [] });
    expect((await world.readSearch(tea.search_hash)).subscribers).toEqual([]);
    expect(await crawlAll(start + 2 * day)).toBe(1);

    expect(await change({ paused: false, update_frequency: 6 })).toMatchObject({ changed: 2 });
    expect(await world.stateOf(project, tea)).toMatchObject({ paused: false, update_frequency: 6 });
    expect(await world.stateOf(project, milk)).toMatchObject({ update_frequency: 24 });
    expect(await crawlAll(start + 2 * day + hour)).toBe(2);
  });

  test('are deleted with their history, and others are not', async () => {
    const { account, project, keywords, ids } = await crawledProject(['tea', 'coffee', 'milk']);
    const [tea, , milk] = keywords;
    if (!tea || !milk) throw new Error('No keywords');

    const removed = await removeKeywords(account, project.project_id, [...ids.slice(0, 2), 12_345]);

    expect(removed).toEqual({ changed: 2, unknown: [12_345], full: [], left: [] });
    expect(await world.historyOf(tea, start + day)).toEqual([]);
    expect(await findKeyword(account.id, tea.keyword_id)).toBeUndefined();
    expect(await world.historyOf(milk, start + day)).toHaveLength(1);
    expect(await crawlAll(start + 2 * day)).toBe(1);
  });
});

/** The demonstration project: a month of history from the sandbox, with movement, a gap and a competitor. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTables } from '../../tables.ts';

process.env.SEARCH_SOURCE = 'sandbox';
const { stop } = await startTables();
afterAll(stop);
const { makeDemonstration } = await import('../../../infra/local/demonstration-project.ts');
const { readPresentChunks } = await import('../../../lib/store/chunks.ts');
const { isGap, listObservations } = await import('../../../lib/store/observations.ts');
const { readProject } = await import('../../../lib/store/projects.ts');

const user = { id: 1 };
const now = 1_800_000_000;
const daySeconds = 86_400;

let made: Awaited<ReturnType<typeof makeDemonstration>>;
beforeAll(async () => {
  made = await makeDemonstration(user, now);
});

const keywordsOf = async () => (await readPresentChunks(made.projectId)).flatMap(({ keywords }) => keywords);

test('the project is named as what it is', async () => {
  expect(await readProject(user.id, made.projectId)).toMatchObject({ name: 'Demonstration', paused: false });
});

test('each keyword has a crawl on each of the last 30 days', async () => {
  for (const { keyword_id, days } of await keywordsOf()) {
    const history = await listObservations(keyword_id, { from: now - 31 * daySeconds, to: now }, now);

    expect(history).toHaveLength(30);
    expect(new Set(history.map(({ at }) => Math.floor(at / daySeconds))).size).toBe(30);
    expect(Math.max(...history.map(({ at }) => at))).toBeLessThan(now);
    expect(days.length).toBeGreaterThanOrEqual(29);
  }
});

test('the positions move, the competitor has positions, and one day is a gap', async () => {
  const keywords = await keywordsOf();
  const moving = keywords.filter(({ days }) => new Set(days.map(({ positions }) => positions[0])).size > 2);
  const histories = await Promise.all(
    keywords.map(({ keyword_id }) => listObservations(keyword_id, { from: 0, to: now }, now)),
  );

  expect(keywords).toHaveLength(made.keywords);
  expect(moving).toHaveLength(keywords.length);
  expect(keywords.every(({ ranks }) => ranks[1]?.current?.position === 4)).toBe(true);
  expect(histories.flat().filter(isGap)).toHaveLength(1);
});

test('each position has the address of its page', async () => {
  const hosts = (await keywordsOf()).map(({ ranks }) => new URL(ranks[0]?.current?.url ?? '').hostname);

  expect(new Set(hosts)).toEqual(new Set(['drifter.example']));
});

test('the keywords are due now', async () => {
  expect((await keywordsOf()).every(({ next_at }) => next_at < now)).toBe(true);
});

/**
 * A month of a tracked keyword, crawled on the sandbox day by day: its history, its positions and its gaps
 * are those of the pages.
 */
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startWorld } from './tracked-world.ts';

const world = await startWorld();
afterAll(() => world.stop());
beforeEach(() => vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(async () => {
  vi.useRealTimers();
  await world.forget();
});

const day = 86_400;
const start = 1_795_300_000;
const days = 30;

/** Moves the clock. */
const at = (seconds: number): number => {
  vi.setSystemTime(seconds * 1000);
  return seconds;
};

test('thirty days on the sandbox give thirty rows, less the gap, and the positions follow from them', async () => {
  const project = await world.project(await world.user(), { domain: 'drifter.example' });
  const keyword = await world.keyword(project, 'coffee', { now: at(start) });
  let due = start;

  for (let n = 0; n < days; n++) {
    at(due);
    expect(await world.plan(due)).toBe(1);
    const [task, ...others] = world.takeQueued();
    expect(others).toEqual([]);
    if (!task) throw new Error('Nothing was queued');
    if (n === 10) await world.end(task, { error: 'captcha: the engine asks for proof of a person' });
    else await world.crawl(task);
    await world.record(at(due + 90));
    due = (await world.stateOf(project, keyword)).next_at;
  }

  const state = await world.stateOf(project, keyword);
  const history = await world.historyOf(keyword, due);
  const rows = history.flatMap((entry) => ('sightings' in entry ? [entry] : []));
  const positions = rows.map(({ sightings }) => sightings[project.domain]?.position ?? 0);
  expect(rows).toHaveLength(days - 1);
  expect(history.filter((entry) => !('sightings' in entry))).toMatchObject([
    { reason: expect.stringContaining('captcha') },
  ]);
  expect(new Set(positions).size).toBeGreaterThan(1);
  expect(state.ranks[0]).toMatchObject({
    initial: { at: rows[0]?.at, position: positions[0] },
    current: { at: rows.at(-1)?.at, position: positions.at(-1) },
    previous: { at: rows.at(-2)?.at, position: positions.at(-2) },
    best: Math.min(...positions),
  });
  expect(state.days.map(({ positions: [own] }) => own)).toEqual(positions);
  expect(state.gap).toBeNull();
  expect((due - start) / day).toBeGreaterThan(days - 1.5);
});

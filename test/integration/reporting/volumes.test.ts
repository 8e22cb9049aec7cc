/**
 * Volumes of tracked keywords: looked up after their first result, in the place of the keyword and in the
 * whole world, from the sandbox.
 */
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startWorld } from './tracked-world.ts';

process.env.SEARCH_SOURCE = 'sandbox';
process.env.ADS_RATE = '0';
const world = await startWorld();
const { lookUpVolumes } = await import('../../../lib/reporting/run/look-up-volumes.ts');
afterAll(() => world.stop());
afterEach(() => world.forget());

const day = 86_400;

let start = 1_800_000_000;
beforeEach(() => {
  start += 400 * day;
  vi.useFakeTimers({ toFake: ['Date'], now: start * 1000 });
});
afterEach(() => {
  vi.useRealTimers();
});

const hosts = ['own.example.com'];

const crawl = async (now: number): Promise<void> => {
  await world.plan(now);
  for (const key of world.takeQueued()) await world.end(key, { hosts, crawled_at: now + 20 });
  await world.record(now + 90);
};

test('a keyword gets its volumes after its first result', async () => {
  const project = await world.project(await world.user());
  const keyword = await world.keyword(project, 'espresso machine', { now: start });
  await crawl(start);
  expect((await world.stateOf(project, keyword)).volumes).toBeNull();

  expect(await lookUpVolumes(start + 100)).toBe(1);

  const { volumes } = await world.stateOf(project, keyword);
  expect(volumes).toMatchObject({ at: start + 100, local_sv: expect.any(Number), cpc: expect.any(Number) });
  expect(volumes?.global_sv).toBeGreaterThanOrEqual(0);
  // A bid of the source is in millionths of the currency unit.
  expect(volumes?.cpc).toBeLessThan(1000);
  expect(await lookUpVolumes(start + 200)).toBe(0);
});

test('volumes are looked up again when they are a month old, and not before', async () => {
  const project = await world.project(await world.user());
  const keyword = await world.keyword(project, 'filter coffee', { now: start });
  await crawl(start);
  await lookUpVolumes(start + 100);
  await crawl(start + 10 * day);
  expect(await lookUpVolumes(start + 10 * day + 100)).toBe(0);

  await crawl(start + 31 * day);
  expect(await lookUpVolumes(start + 31 * day + 100)).toBe(1);
  expect((await world.stateOf(project, keyword)).volumes).toMatchObject({ at: start + 31 * day + 100 });
});

test('keywords of several places and users are looked up in one run', async () => {
  const projects = [await world.project(await world.user()), await world.project(await world.user())];
  const keywords = await Promise.all(
    projects.flatMap((project, n) => [
      world.keyword(project, `mocha pot ${n}`, { now: start, iso_code: 'DE', language_code: 'de' }),
      world.keyword(project, `mocha pot ${n}`, { now: start, iso_code: 'US' }),
    ]),
  );
  await crawl(start);
  expect(await lookUpVolumes(start + 100)).toBe(2);

  for (const [n, keyword] of keywords.entries()) {
    const project = projects[Math.floor(n / 2)];
    if (project) expect((await world.stateOf(project, keyword)).volumes).not.toBeNull();
  }
});

test('a run that dies at a write is made up for by a later one', async () => {
  for (let write = 1; ; write++) {
    start += 20 * day;
    vi.setSystemTime(start * 1000);
    const project = await world.project(await world.user());
    const keyword = await world.keyword(project, `dying lookup ${write}`, { now: start });
    await crawl(start);
    const died = await world.dyingAt(write, false, () => lookUpVolumes(start + 100));
    await lookUpVolumes(start + 1000);

    expect((await world.stateOf(project, keyword)).volumes).not.toBeNull();
    await world.forget();
    if (!died) break;
    expect(write).toBeLessThan(12);
  }
});

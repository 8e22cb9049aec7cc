/**
 * The health of fetchers, in the pace table: rests, probes, and the fetcher that takes the place of a rested
 * one.
 */
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import type { FetcherName } from '../../../lib/model/fetchers.ts';
import type { Outcome } from '../../../lib/model/workflow.ts';
import { startTables } from '../../tables.ts';

// The stores read their names from the environment when they are imported.
const tables = await startTables();
const { chooseFetcher, healthLine, recordOutcome } = await import('../../../lib/pace/fetcher-health.ts');
const { wallsBeforeRest } = await import('../../../lib/pace/rest.ts');
const { readLine, resetWalls } = await import('../../../lib/store/pace.ts');
afterAll(() => tables.stop());

const order: FetcherName[] = ['http', 'browser'];
const now = 1_800_000_000;

beforeEach(async () => {
  process.env.GOOGLE_RATE = '5';
  for (const fetcher of order) await resetWalls(healthLine('google', fetcher));
});
afterEach(() => {
  delete process.env.GOOGLE_RATE;
});

const choose = (at: number, fetchers = order) => chooseFetcher('google', fetchers, fetchers, at);

/**
 * Pages with this outcome, one after another, each by the fetcher that is chosen for it. Returns the
 * fetchers.
 */
const fetchPages = async (count: number, outcome: Outcome, at: number) => {
  const used: (string | undefined)[] = [];
  for (let n = 0; n < count; n++) {
    const chosen = await choose(at);
    used.push(chosen?.fetcher);
    if (chosen) await recordOutcome('google', chosen, outcome, at);
  }
  return used;
};

const health = (fetcher: FetcherName) => readLine(healthLine('google', fetcher));

test.each(['blocked', 'failed'] as const)(
  'a fetcher with too many %s pages in a row is rested for ten seconds, and the next one takes its place',
  async (outcome) => {
    expect(await fetchPages(wallsBeforeRest, outcome, now)).toEqual(Array(wallsBeforeRest).fill('http'));

    expect(await health('http')).toMatchObject({ walls: wallsBeforeRest, rested_until: now + 10 });
    expect(await fetchPages(3, 'fetched', now + 9)).toEqual(['browser', 'browser', 'browser']);
    expect(await health('browser')).toMatchObject({ walls: 0 });
  },
);

test('a good page between them resets the count, and pages that say nothing about the fetcher do not count', async () => {
  await fetchPages(wallsBeforeRest - 1, 'blocked', now);
  await fetchPages(5, 'throttled', now);
  expect(await health('http')).toMatchObject({ walls: wallsBeforeRest - 1 });
  await fetchPages(1, 'fetched', now);
  await fetchPages(wallsBeforeRest - 1, 'blocked', now);

  expect(await choose(now)).toMatchObject({ fetcher: 'http', walls: wallsBeforeRest - 1 });
});

test('after the rest, one page probes the fetcher; a bad probe doubles the rest, a good one ends it', async () => {
  await fetchPages(wallsBeforeRest, 'blocked', now);
  const probes = await Promise.all([1, 2, 3].map(() => choose(now + 11)));
  const [probe, ...others] = probes.toSorted((a, b) => Number(b?.isProbe) - Number(a?.isProbe));
  expect(probe).toMatchObject({ fetcher: 'http', isProbe: true });
  expect(others.map((each) => each?.fetcher)).toEqual(['browser', 'browser']);
  if (probe) await recordOutcome('google', probe, 'blocked', now + 12);
  expect(await health('http')).toMatchObject({ walls: wallsBeforeRest + 1, rested_until: now + 32 });

  expect(await fetchPages(2, 'fetched', now + 31)).toEqual(['browser', 'browser']);
  expect(await fetchPages(3, 'fetched', now + 33)).toEqual(['http', 'http', 'http']);
  expect(await health('http')).toMatchObject({ walls: 0, rested_until: 0 });
});

test('a probe that never ends is followed by another one', async () => {
  await fetchPages(wallsBeforeRest, 'blocked', now);

  expect(await choose(now + 11)).toMatchObject({ fetcher: 'http', isProbe: true });
  expect(await choose(now + 40)).toMatchObject({ fetcher: 'browser' });
  expect(await choose(now + 42)).toMatchObject({ fetcher: 'http', isProbe: true });
});

test('if all are rested, none is chosen', async () => {
  await fetchPages(2 * wallsBeforeRest, 'blocked', now);

  expect(await choose(now + 5)).toBeUndefined();
});

test('the fetchers of engines are independent', async () => {
  process.env.BING_RATE = '5';
  await fetchPages(wallsBeforeRest, 'blocked', now);

  expect(await chooseFetcher('bing', order, order, now)).toMatchObject({
    fetcher: 'http',
    line: 'bing/http',
  });
  delete process.env.BING_RATE;
});

test.each<[what: string, rate: string, fetchers: FetcherName[]]>([
  ['without a rate', '0', order],
  ['with a single fetcher', '5', ['http']],
])('%s, no health is kept', async (_, rate, fetchers) => {
  process.env.GOOGLE_RATE = rate;
  for (let n = 0; n < wallsBeforeRest; n++) {
    const chosen = await choose(now, fetchers);
    expect(chosen).toEqual({ fetcher: 'http', line: null, walls: 0, isProbe: false });
    if (chosen) await recordOutcome('google', chosen, 'blocked', now);
  }

  expect(await health('http')).toMatchObject({ walls: 0 });
});

/** What added keywords cost. */
import { beforeEach, expect, test, vi } from 'vitest';
import { presentOrder } from '../../../../lib/fetcher/present-order.ts';
import { searchCost } from '../../../../lib/model/search-cost.ts';
import { costOf } from '../../../../lib/reporting/manage/keyword-cost.ts';
import { keywordOf } from '../keywords.ts';

vi.mock(import('../../../../lib/fetcher/present-order.ts'), async (original) => ({
  ...(await original()),
  presentOrder: vi.fn(),
}));
beforeEach(() => {
  vi.mocked(presentOrder).mockImplementation(async (engine) =>
    engine === 'youtube' ? ['browser'] : ['http', 'browser'],
  );
});

const { http, browser } = searchCost;
const httpDollars = (searches: number) => Number((searches * 30 * (http.search + 10 * http.page)).toFixed(4));
const daily = keywordOf({ search_hash: 'a' });

test('a keyword costs its searches of a month, with ten pages each', async () => {
  expect(await costOf([daily], [])).toEqual({ searches_per_day: 1, monthly_cost_usd: httpDollars(1) });
  expect(await costOf([keywordOf({ update_frequency: 6 })], [])).toEqual({
    searches_per_day: 4,
    monthly_cost_usd: httpDollars(4),
  });
  expect(await costOf([keywordOf({ update_frequency: 168 })], [])).toMatchObject({ searches_per_day: 0.14 });
});

test('keywords with the same search share the crawls of the one that is crawled most often', async () => {
  const often = keywordOf({ search_hash: 'a', update_frequency: 12 });

  expect(await costOf([daily, often, daily], [])).toMatchObject({ searches_per_day: 2 });
  expect(await costOf([daily], [often])).toEqual({ searches_per_day: 0, monthly_cost_usd: 0 });
  expect(await costOf([often], [daily])).toMatchObject({ searches_per_day: 1 });
  expect(await costOf([often], [keywordOf({ search_hash: 'b' })])).toMatchObject({ searches_per_day: 2 });
});

test('a paused keyword costs nothing', async () => {
  expect(await costOf([{ ...daily, paused: true }], [])).toEqual({
    searches_per_day: 0,
    monthly_cost_usd: 0,
  });
  expect(await costOf([daily], [{ ...daily, paused: true }])).toMatchObject({ searches_per_day: 1 });
});

test('each engine costs what its first fetcher costs', async () => {
  const video = keywordOf({ engine: 'youtube', search_hash: 'b', update_frequency: 8 });
  const dollars = 30 * (http.search + 10 * http.page) + 3 * 30 * (browser.search + 10 * browser.page);

  expect(await costOf([daily, video], [])).toEqual({
    searches_per_day: 4,
    monthly_cost_usd: Number(dollars.toFixed(4)),
  });
});

test('nothing costs nothing', async () => {
  expect(await costOf([], [daily])).toEqual({ searches_per_day: 0, monthly_cost_usd: 0 });
});

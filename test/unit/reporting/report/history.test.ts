/** The history of a keyword: its items, pages and links. The table is replaced. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { HttpError } from '../../../../lib/model/http-error.ts';
import type { HistoryList } from '../../../../lib/model/report.ts';
import type { HistoryQuery } from '../../../../lib/model/report-query.ts';
import type { Gap, Observation } from '../../../../lib/model/tracking.ts';
import type { Account } from '../../../../lib/model/user.ts';
import { findTracked } from '../../../../lib/reporting/find.ts';
import { listHistory } from '../../../../lib/reporting/report/history.ts';
import { listObservations } from '../../../../lib/store/observations.ts';
import { day, keywordOf } from '../keywords.ts';

vi.mock(import('../../../../lib/reporting/find.ts'), () => ({ findTracked: vi.fn() }));
vi.mock(import('../../../../lib/store/observations.ts'), async (original) => ({
  ...(await original()),
  listObservations: vi.fn(),
}));

const user = { id: 1 } as Account;
const now = 20_000 * day + 500;
const asked = { baseUrl: 'https://api.example', accept: '' };
const query = (more: Partial<HistoryQuery> = {}): HistoryQuery =>
  ({ page: 1, per_page: 2, ...more }) as HistoryQuery;

const seen = (at: number, position: number): Observation => ({
  at,
  sightings: {
    'example.com': { position, type: 'organic', url: 'https://example.com/', title: 'T', snippet: 'S' },
    'rival.com': { position: 1, type: 'organic', url: 'https://rival.com/', title: 'R', snippet: '' },
  },
  features: [],
  cited: null,
});
const unseen: Observation = { at: now - 3 * day, sightings: {}, features: [], cited: null };
const gap: Gap = { at: now - 2 * day, reason: 'unresolved' };

const list = async (more: Partial<HistoryQuery> = {}) =>
  (await listHistory(user, 9, query(more), asked, now)) as HistoryList;

beforeEach(() => {
  vi.mocked(findTracked).mockResolvedValue({ keyword: keywordOf(), project: {} } as never);
  vi.mocked(listObservations).mockResolvedValue([unseen, seen(now - 4 * day, 8), gap, seen(now - day, 3)]);
});

test('an item has the place of the domain, newest first, and a gap is none', async () => {
  const { data, meta } = await list({ per_page: 10 });

  expect(data).toEqual([
    {
      created_at: '2024-10-03T00:08:20+00:00',
      type: 'organic',
      url: 'https://example.com/',
      position: 3,
      title: 'T',
      snippet: 'S',
    },
    { created_at: expect.any(String), type: 'organic', url: '-', position: 1000, title: '-', snippet: '-' },
    expect.objectContaining({ position: 8 }),
  ]);
  expect(meta).toMatchObject({ total: 3, last_page: 1, has_more: false, gaps: [{ reason: 'unresolved' }] });
  expect(listObservations).toHaveBeenCalledWith(9, { from: (20_000 - 30) * day, to: 20_001 * day - 1 });
});

describe('the pages', () => {
  const path = 'https://api.example/api/reporting/keywords/9/history';
  const address = (page: number) => `${path}?per_page=2&page=${page}`;

  test.each([
    [1, [3, 1000], true, null, address(2)],
    [2, [8], false, address(1), null],
    [3, [], false, address(2), null],
    [9, [], false, address(2), null],
  ])('page %i has the positions %j', async (page, positions, has_more, prev, next) => {
    const { data, meta, links } = await list({ page });

    expect(data.map(({ position }) => position)).toEqual(positions);
    expect(meta).toMatchObject({ current_page: page, per_page: 2, total: 3, last_page: 2, has_more });
    expect(links).toEqual({ first: address(1), last: address(2), prev, next });
  });

  test('keep the dates in their links', async () => {
    const { links, meta } = await list({ start_date: '2024-01-01', end_date: '2024-02-01' });

    expect(links.next).toBe(`${path}?start_date=2024-01-01&end_date=2024-02-01&per_page=2&page=2`);
    expect(meta.date_range).toEqual({
      start_date: '2024-01-01',
      end_date: '2024-02-01',
      max_allowed_days: expect.any(Number),
    });
  });

  test('of a keyword without a history is one empty page', async () => {
    vi.mocked(listObservations).mockResolvedValue([]);

    expect(await list()).toMatchObject({
      data: [],
      meta: { total: 0, last_page: 1, has_more: false },
      links: { prev: null, next: null },
    });
  });
});

test('the whole range is CSV', async () => {
  const reply = await listHistory(user, 9, query({ format: 'csv' }), asked, now);

  expect(reply).toMatchObject({ body: expect.stringMatching(/^created_at,[a-z,]+\r\n(?:.+\r\n){3}$/) });
  expect(await listHistory(user, 9, query({ format: 'csv', for: 'excel' }), asked, now)).toMatchObject({
    body: expect.stringMatching(/^\ufeff/),
  });
});

test('an unknown keyword has none', async () => {
  vi.mocked(findTracked).mockRejectedValue(new HttpError(404, 'Keyword not found'));

  await expect(list()).rejects.toThrow('Keyword not found');
});

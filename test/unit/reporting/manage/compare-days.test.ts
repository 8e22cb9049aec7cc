/** The positions of keywords on two days, and on every day of a range. The history is replaced. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { isoDay } from '../../../../lib/model/day.ts';
import type { Observation, Project } from '../../../../lib/model/tracking.ts';
import type { Account } from '../../../../lib/model/user.ts';
import { findProject, keywordsOf } from '../../../../lib/reporting/find.ts';
import { compareDays, exportPositions } from '../../../../lib/reporting/manage/compare-days.ts';
import { type HistoryEntry, listObservations } from '../../../../lib/store/observations.ts';
import { day, keywordOf } from '../keywords.ts';

vi.mock(import('../../../../lib/reporting/find.ts'), () => ({ findProject: vi.fn(), keywordsOf: vi.fn() }));
vi.mock(import('../../../../lib/store/observations.ts'), () => ({
  isGap: (entry: HistoryEntry) => 'reason' in entry,
  listObservations: vi.fn(),
}));

const user = { id: 1, signing_key: Buffer.alloc(32, 1).toString('base64') } as unknown as Account;
const project = { project_id: 2, domain: 'example.com', paused: false } as unknown as Project;

/** Today is day 100, at noon. */
const noon = day / 2;
const now = 100 * day + noon;
const dateOf = (n: number) => isoDay(n * day);

const seen = (at: number, position: number, more: Partial<Observation> = {}): Observation => ({
  at,
  sightings: {
    'example.com': { position, type: 'organic', url: `https://x/${position}`, title: '', snippet: '' },
  },
  features: [],
  cited: null,
  ...more,
});
const unseen = (at: number): Observation => ({ at, sightings: {}, features: [], cited: null });
const gap = (at: number) => ({ at, reason: 'It failed' });

/** The history of each keyword, oldest first. */
let history: Record<number, HistoryEntry[]>;

const filter = { search: '', type: '', device: '', tag: '', per_page: 100, cursor: '' } as const;
const compare = (from?: number, to?: number, more: object = {}, time = now) =>
  compareDays(
    user,
    2,
    {
      ...filter,
      ...(from !== undefined && { from: dateOf(from) }),
      ...(to !== undefined && { to: dateOf(to) }),
      ...more,
    } as never,
    time,
  );
/** The position on a day, of the first keyword. */
const on = async (n: number, time = now) => (await compare(n, n, {}, time)).data[0]?.before;

beforeEach(() => {
  vi.resetAllMocks();
  history = {};
  vi.mocked(findProject).mockResolvedValue(project);
  vi.mocked(keywordsOf).mockResolvedValue([keywordOf()]);
  vi.mocked(listObservations).mockImplementation(async (id, { from, to }) =>
    (history[id] ?? []).filter(({ at }) => at >= from && at <= to),
  );
});

const none = { position: null, crawled_at: null, url: '' };
const at = (time: number, position: number) => ({
  position,
  crawled_at: time,
  url: position === 1000 ? '' : `https://x/${position}`,
});

describe('two days', () => {
  test('are compared keyword by keyword, with what the keyword is', async () => {
    vi.mocked(keywordsOf).mockResolvedValue([
      keywordOf({ keyword: 'b', location_name: '' }),
      keywordOf({ keyword_id: 2, keyword: 'a', device: 'mobile' }),
    ]);
    history = { 1: [seen(91 * day, 9), seen(95 * day, 4)], 2: [seen(91 * day, 3), seen(95 * day, 5)] };
    const shown = { engine: 'google', domain: 'example.com' };

    expect(await compare(91, 95)).toEqual({
      data: [
        {
          ...shown,
          keyword_id: 1,
          keyword: 'b',
          device: 'desktop',
          location: 'Germany',
          before: at(91 * day, 9),
          after: at(95 * day, 4),
          change: 5,
        },
        {
          ...shown,
          keyword_id: 2,
          keyword: 'a',
          device: 'mobile',
          location: 'Berlin,Germany',
          before: at(91 * day, 3),
          after: at(95 * day, 5),
          change: -2,
        },
      ],
      cursor: null,
      total: 2,
    });
    expect(findProject).toHaveBeenCalledExactlyOnceWith(user, 2);
    expect(keywordsOf).toHaveBeenCalledExactlyOnceWith(2);
    expect(listObservations).toHaveBeenCalledWith(1, expect.anything(), now);
  });

  test.each<[string, number | undefined, number | undefined, number, number]>([
    ['are a week ago and today', undefined, undefined, 93, 100],
    ['are a week before the last one, and that', undefined, 95, 88, 95],
    ['are the first one and today', 91, undefined, 91, 100],
  ])('without one of them %s', async (_, from, to, first, last) => {
    history = { 1: [88, 91, 93, 95, 100].map((n) => seen(n * day, n)) };

    expect((await compare(from, to)).data).toMatchObject([
      { before: { crawled_at: first * day }, after: { crawled_at: last * day } },
    ]);
  });

  test('are pages of keywords, with the number of all', async () => {
    vi.mocked(keywordsOf).mockResolvedValue([1, 2, 3].map((keyword_id) => keywordOf({ keyword_id })));
    const page = await compare(91, 95, { per_page: 2 });

    expect(page).toMatchObject({ data: [{}, {}], cursor: expect.any(String), total: 3 });
    expect(await compare(91, 95, { per_page: 2, cursor: page.cursor })).toMatchObject({
      data: [{}],
      cursor: null,
      total: 3,
    });
    await expect(compare(91, 95, { cursor: 'x' })).rejects.toThrow(
      expect.objectContaining({ statusCode: 422 }),
    );
  });

  test('of no keyword are nothing', async () => {
    vi.mocked(keywordsOf).mockResolvedValue([]);

    expect(await compare(91, 95)).toEqual({ data: [], cursor: null, total: 0 });
  });

  test.each([
    [{ search: 'tea' }, 2],
    [{ type: 'competitor' }, 3],
    [{ device: 'mobile' }, 4],
    [{ tag: 'New' }, 5],
  ])('are compared for the keywords that pass %j', async (more, expected) => {
    vi.mocked(keywordsOf).mockResolvedValue([
      keywordOf(),
      keywordOf({ keyword_id: 2, keyword: 'green tea' }),
      keywordOf({ keyword_id: 3, type: 'competitor' }),
      keywordOf({ keyword_id: 4, device: 'mobile' }),
      keywordOf({ keyword_id: 5, tags: ['new'] }),
    ]);

    const { data, total } = await compare(91, 95, more);
    expect([total, data.map(({ keyword_id }) => keyword_id)]).toEqual([1, [expected]]);
  });

  test.each<[string, HistoryEntry, HistoryEntry, number | null]>([
    ['a rise', seen(91 * day, 9), seen(95 * day, 4), 5],
    ['a way into the results', unseen(91 * day), seen(95 * day, 4), 97],
    ['a way out of the results', seen(91 * day, 4), unseen(95 * day), -97],
    ['nothing, without the first one', gap(91 * day), seen(95 * day, 4), null],
    ['nothing, without the last one', seen(91 * day, 4), gap(95 * day), null],
    ['no change', seen(91 * day, 4), seen(95 * day, 4), 0],
  ])('give %s', async (_, before, after, change) => {
    history = { 1: [before, after] };

    expect((await compare(91, 95)).data).toMatchObject([{ change }]);
  });
});

describe('on a day, a keyword has', () => {
  const frequency = (hours: number, more: object = {}) =>
    vi.mocked(keywordsOf).mockResolvedValue([keywordOf({ update_frequency: hours, ...more })]);

  test('its last position of the day', async () => {
    const last = 96 * day - 1;
    history = { 1: [seen(95 * day, 3), seen(last, 4), seen(96 * day, 5), seen(95 * day - 1, 6)] };
    history = { 1: history[1]?.toSorted((a, b) => a.at - b.at) ?? [] };

    expect(await on(95)).toEqual(at(last, 4));
    expect(await on(94)).toEqual(at(95 * day - 1, 6));
  });

  test('the position before a failed crawl of the day', async () => {
    history = { 1: [seen(95 * day, 3), gap(95 * day + 60)] };

    expect(await on(95)).toEqual(at(95 * day, 3));
  });

  test('no place outside of the results, and none of another domain', async () => {
    history = { 1: [unseen(95 * day)] };
    expect(await on(95)).toEqual(at(95 * day, 1000));

    frequency(24, { domain: 'other.com' });
    history = { 1: [seen(95 * day, 3)] };
    expect(await on(95)).toEqual(at(95 * day, 1000));
  });

  test.each<[string, number, number, number, boolean]>([
    ['the day after a crawl of each day', 24, 94 * day + noon, 95, false],
    ['the day after a crawl of every two days', 48, 94 * day + noon, 95, true],
    ['two days after a crawl of every two days', 48, 94 * day + noon, 96, false],
    ['the last day that a crawl of every week covers', 168, 90 * day, 96, true],
    ['the day on which the crawl of every week is due', 168, 90 * day, 97, false],
    ['the day on which the crawl of every 36 hours is due', 36, 94 * day, 95, false],
    ['the day of a crawl of every six hours', 6, 95 * day, 95, true],
    ['the day before a crawl that is due at its beginning', 36, 94 * day + noon, 95, true],
    ['the day on which a crawl is due at its beginning', 36, 94 * day + noon, 96, false],
  ])('no other position than one that covers it: %s', async (_, hours, time, n, isCovered) => {
    frequency(hours);
    history = { 1: [seen(time, 3)] };

    expect(await on(n)).toEqual(isCovered ? at(time, 3) : none);
  });

  test('today the position of yesterday, until its crawl is overdue', async () => {
    history = { 1: [seen(99 * day + 60, 3)] };
    expect(await on(100)).toEqual(at(99 * day + 60, 3));

    // Half a day after the time at which it is due.
    history = { 1: [seen(now - 1.5 * day, 3)] };
    expect(await on(100)).toEqual(at(now - 1.5 * day, 3));
    history = { 1: [seen(now - 1.5 * day - 1, 3)] };
    expect(await on(100)).toEqual(none);
  });

  test('today no position after its crawl has failed, unless it is not due yet', async () => {
    history = { 1: [seen(99 * day + 60, 3), gap(100 * day)] };
    expect(await on(100)).toEqual(none);

    frequency(72);
    expect(await on(100)).toEqual(at(99 * day + 60, 3));
  });

  test('today from its first second to its last one', async () => {
    history = { 1: [seen(98 * day + noon + 60, 2), seen(100 * day, 3)] };
    expect(await on(100, 100 * day)).toEqual(at(100 * day, 3));

    history = { 1: [seen(99 * day + noon, 2)] };
    expect(await on(100, 101 * day - 1)).toEqual(at(99 * day + noon, 2));
    expect(await on(100, 101 * day)).toEqual(none);
  });

  test('today nothing of the future, and tomorrow nothing', async () => {
    history = { 1: [seen(now, 3), seen(now + 1, 4)] };

    expect(await on(100)).toEqual(at(now, 3));
    vi.mocked(listObservations).mockClear();
    expect(await on(101)).toEqual(none);
    expect(listObservations).not.toHaveBeenCalled();
  });

  test('of its history no more read than the days that can cover it', async () => {
    frequency(72);
    await on(95);
    expect(listObservations).toHaveBeenLastCalledWith(1, { from: 93 * day, to: 96 * day - 1 }, now);

    await on(100);
    expect(listObservations).toHaveBeenLastCalledWith(1, { from: now - 3.5 * day, to: now }, now);
    frequency(24);
    await on(100);
    expect(listObservations).toHaveBeenLastCalledWith(1, { from: now - 1.5 * day, to: now }, now);
  });
});

describe('every day', () => {
  const asked = { rows: 'positions', ...filter, start_date: dateOf(90), end_date: dateOf(95) };
  const exportOf = (more: object = {}, accept = '') =>
    exportPositions(user, 2, { ...asked, ...more } as never, accept, now);
  const rowsOf = async (more: object = {}) => {
    const { reply } = await exportOf(more);
    return 'data' in reply ? reply.data : [];
  };
  const shown = {
    keyword_id: 1,
    keyword: 'coffee',
    engine: 'google',
    device: 'desktop',
    location: 'Berlin,Germany',
    domain: 'example.com',
  };

  test('is a row with the last position of the day, or with the reason why there is none', async () => {
    history = {
      1: [
        seen(89 * day, 1),
        seen(90 * day, 7),
        seen(90 * day + 60, 8),
        gap(90 * day + 120),
        gap(91 * day),
        unseen(91 * day + 60),
        gap(92 * day),
        { at: 92 * day + 60, reason: 'Again' },
        seen(96 * day, 1),
      ],
    };
    const row = (n: number, time: number) => ({ ...shown, date: dateOf(n), crawled_at: n * day + time });

    expect(await exportOf()).toEqual({
      reply: {
        data: [
          { ...row(90, 60), position: 8, url: 'https://x/8', reason: '' },
          { ...row(91, 60), position: 1000, url: '', reason: '' },
          { ...row(92, 60), position: null, url: '', reason: 'Again' },
        ],
        cursor: null,
      },
      cursor: '',
    });
    expect(listObservations).toHaveBeenCalledExactlyOnceWith(1, { from: 90 * day, to: 96 * day - 1 }, now);
  });

  test('is one of the last thirty, without dates', async () => {
    await exportOf({ start_date: undefined, end_date: undefined });

    expect(listObservations).toHaveBeenCalledExactlyOnceWith(1, { from: 70 * day, to: 101 * day - 1 }, now);
  });

  test('has a row for each page of the domain, and none without a position', async () => {
    history = {
      1: [
        seen(90 * day, 7),
        seen(91 * day, 2, {
          own: [
            [2, 'https://x/2'],
            [5, 'https://x/b'],
          ],
        }),
        gap(92 * day),
        unseen(93 * day),
      ],
    };

    const rows = await rowsOf({ rows: 'own_urls' });
    expect(rows.map(({ date, position, url, reason }) => [date, position, url, reason])).toEqual([
      [dateOf(90), 7, 'https://x/7', ''],
      [dateOf(91), 2, 'https://x/2', ''],
      [dateOf(91), 5, 'https://x/b', ''],
    ]);
  });

  test('comes keyword by keyword, and page by page', async () => {
    vi.mocked(keywordsOf).mockResolvedValue(
      [1, 2, 3].map((keyword_id) => keywordOf({ keyword_id, keyword: `k${keyword_id}` })),
    );
    history = { 1: [seen(90 * day, 1), seen(91 * day, 1)], 2: [seen(90 * day, 2)], 3: [seen(90 * day, 3)] };
    // The history that is read first comes last.
    vi.mocked(listObservations).mockImplementation(async (id) => {
      if (id === 1) await new Promise((resolve) => setImmediate(resolve));
      return history[id] ?? [];
    });
    const first = await exportOf({ per_page: 2 });
    const data = 'data' in first.reply ? first.reply.data : [];

    expect(data.map(({ keyword_id, date }) => [keyword_id, date])).toEqual([
      [1, dateOf(90)],
      [1, dateOf(91)],
      [2, dateOf(90)],
    ]);
    expect(first).toMatchObject({ cursor: expect.stringMatching(/./), reply: { cursor: first.cursor } });
    expect(await rowsOf({ per_page: 2, cursor: first.cursor })).toMatchObject([{ keyword_id: 3 }]);
  });

  test('is a line of CSV or of JSON, with the cursor beside the text', async () => {
    vi.mocked(keywordsOf).mockResolvedValue([1, 2].map((keyword_id) => keywordOf({ keyword_id })));
    history = { 1: [seen(90 * day, 7)] };
    const csv = await exportOf({ format: 'csv', per_page: 1 });

    expect(csv).toMatchObject({
      reply: {
        body:
          'date,keyword_id,keyword,engine,device,location,domain,crawled_at,position,url,reason\r\n' +
          `${dateOf(90)},1,coffee,google,desktop,"Berlin,Germany",example.com,${90 * day},7,https://x/7,\r\n`,
      },
      cursor: expect.stringMatching(/./),
    });
    const { reply } = await exportOf({}, 'application/x-ndjson');
    expect('body' in reply && JSON.parse(String(reply.body))).toEqual({
      ...shown,
      date: dateOf(90),
      crawled_at: 90 * day,
      position: 7,
      url: 'https://x/7',
      reason: '',
    });
  });
});

/** The positions of keywords on two days, and those of all days in long form. */
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Gap, Observation } from '../../lib/model/tracking.ts';
import type { Account } from '../../lib/model/user.ts';
import { type Service, startService } from './service.ts';

let service: Service;
let authorization: Record<string, string>;
let path: string;
let ids: number[];
let account: Account;
let tracked: typeof import('../tracked-project.ts');

const today = Math.floor(Date.now() / 86_400_000) * 86_400;
/** A time of a day, so many days ago. */
const ago = (days: number, hours = 6): number => today - days * 86_400 + hours * 3600;
const dateOf = (days: number): string => new Date(ago(days) * 1000).toISOString().slice(0, 10);

beforeAll(async () => {
  service = await startService();
  const created = await service.createAccount({ rate_limit: 0 });
  const { apiKey } = created;
  account = created.account;
  authorization = { Authorization: `Bearer ${apiKey}` };
  tracked = await import('../tracked-project.ts');
  const { keywordOf, observationOf, storeHistory, storeProject } = tracked;
  const pages: Observation = {
    ...observationOf(ago(200), 3),
    own: [
      [3, 'https://example.com/page'],
      [9, 'https://example.com/other'],
    ],
  };
  const histories: [string, (Observation | Gap)[]][] = [
    ['=tea', [pages, observationOf(ago(5, 3), 8), observationOf(ago(5, 20), 6), observationOf(ago(1), 2)]],
    ['coffee', [observationOf(ago(5), 1000), { at: ago(1), reason: 'captcha: a person' }]],
    ['milk', []],
  ];
  const keywords = histories.map(([keyword]) => keywordOf({ keyword }));
  const project = await storeProject(account.id, keywords);
  for (const [n, { keyword_id }] of keywords.entries())
    await storeHistory(keyword_id, histories[n]?.[1] ?? []);
  path = `/api/v1/projects/${project.project_id}`;
  ids = keywords.map(({ keyword_id }) => keyword_id);
});
afterAll(() => service.stop());

const getAt = (target: string) =>
  service.call({ method: 'GET', path: target, headers: authorization, body: null });
const get = (below: string) => getAt(`${path}${below}`);
const compare = async (from: number, to: number, more = '') =>
  JSON.parse((await get(`/compare?from=${dateOf(from)}&to=${dateOf(to)}${more}`)).body);

describe('two days', () => {
  test('of which one is today has the position that is valid now, also before the crawl of today', async () => {
    const { compareDays } = await import('../../lib/reporting/manage/compare-days.ts');
    const at = (now: number, to: number) =>
      compareDays(
        account,
        Number(path.split('/').at(-1)),
        { from: dateOf(5), to: dateOf(to), search: '', tag: '', per_page: 100, cursor: '' },
        now,
      );

    const [tea] = (await at(today + 2 * 3600, 0)).data;
    expect(tea).toMatchObject({
      before: { position: 6 },
      after: { position: 2, crawled_at: ago(1) },
      change: 4,
    });
    const [late] = (await at(today + 20 * 3600, 0)).data;
    expect(late).toMatchObject({ after: { position: null }, change: null });
    const [future] = (await at(today + 2 * 3600, -1)).data;
    expect(future).toMatchObject({ after: { position: null }, change: null });
  });

  test('have the last position of each, and the change', async () => {
    const { data, total } = await compare(5, 1);

    expect(total).toBe(3);
    expect(data).toMatchObject([
      { keyword: '=tea', before: { position: 6, crawled_at: ago(5, 20) }, after: { position: 2 }, change: 4 },
      { keyword: 'coffee', before: { position: 1000 }, after: { position: null }, change: null },
      { keyword: 'milk', before: { position: null, crawled_at: null, url: '' }, change: null },
    ]);
  });

  test('can be half a year apart, and in any order', async () => {
    expect((await compare(200, 1)).data[0]).toMatchObject({ before: { position: 3 }, change: 1 });
    expect((await compare(1, 200)).data[0]).toMatchObject({ after: { position: 3 }, change: -1 });
  });

  test('without a crawl are empty', async () => {
    const { data } = await compare(4, 3);

    expect(data[0]).toMatchObject({ before: { position: null }, after: { position: null }, change: null });
  });

  test('are pages of keywords', async () => {
    const first = await compare(5, 1, '&per_page=2');
    const next = await compare(5, 1, `&per_page=2&cursor=${first.cursor}`);

    const shown = [...first.data, ...next.data].map(({ keyword_id }) => keyword_id);
    expect([shown, next.cursor]).toEqual([ids, null]);
    expect((await get(`/compare?from=2026-02-30&to=${dateOf(1)}`)).status).toBe(422);
    const week = JSON.parse((await get(`/compare?to=${dateOf(1)}`)).body);
    expect(week.data[0]).toMatchObject({ before: { position: null }, after: { position: 2 } });
    expect((await get('/compare')).status).toBe(200);
  });
});

/** A generated history up to yesterday: crawls, days without one, crawls that failed, and a pause. */
const generated = (hours: number, seed: number): (Observation | Gap)[] => {
  const entries: (Observation | Gap)[] = [];
  let state = seed;
  const random = (below: number): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
  for (let days = 45; days > 0; days -= hours / 24) {
    if (days > 12 && days < 16 + hours / 24) continue;
    for (let n = random(3); n >= 0; n--) {
      const at = ago(days, 23 - n * 7 - random(6));
      if (random(4) === 0) entries.push({ at, reason: 'captcha: a person' });
      else entries.push(tracked.observationOf(at, 1 + random(100)));
    }
  }
  return entries.sort((a, b) => a.at - b.at);
};

test.each([
  [24, 7],
  [24, 8],
  [168, 9],
  [48, 10],
])(
  'each day of keywords that are crawled every %i hours is that of the history (seed %i)',
  async (hours, seed) => {
    const { pastPosition } = await import('../../lib/console/parts/past-position.ts');
    const history = generated(hours, seed);
    const crawls = history.filter((entry): entry is Observation => 'sightings' in entry);
    const keyword = tracked.after(tracked.keywordOf({ update_frequency: hours }), crawls);
    const project = await tracked.storeProject(account.id, [keyword]);
    await tracked.storeHistory(keyword.keyword_id, history);
    const below = `/api/v1/projects/${project.project_id}`;
    const read = async (path: string) => JSON.parse((await getAt(`${below}${path}`)).body);
    const measured = (days: number): number | undefined =>
      crawls.findLast(({ at }) => at >= ago(days, 0) && at < ago(days - 1, 0))?.sightings['example.com']
        ?.position;
    const wanted = (days: number): number | null => {
      const covering = Array.from({ length: hours / 24 }, (_, n) => measured(days + n));
      return covering.find((position) => position !== undefined) ?? null;
    };

    const [shown] = (await read('/keywords')).data;
    for (let days = 1; days <= 36; days += 2) {
      const { data } = await read(`/compare?from=${dateOf(days)}&to=${dateOf(days + 1)}`);
      expect([data[0].before.position, data[0].after.position], dateOf(days)).toEqual([
        wanted(days),
        wanted(days + 1),
      ]);
    }
    for (const days of [7, 30]) expect(pastPosition(shown, days)?.position ?? null).toBe(wanted(days));
    const { data } = await read(`/export?start_date=${dateOf(40)}&end_date=${dateOf(0)}`);
    const rows = data.filter(({ reason }: { reason: string }) => reason === '');
    expect(rows.map(({ date, position }: { date: string; position: number }) => [date, position])).toEqual(
      Array.from({ length: 40 }, (_, n) => 40 - n)
        .filter((days) => measured(days) !== undefined)
        .map((days) => [dateOf(days), measured(days)]),
    );
  },
);

describe('an export', () => {
  const range = () => `start_date=${dateOf(10)}&end_date=${dateOf(0)}`;

  test('has a row for each keyword and day, with the crawls that failed', async () => {
    const { data, cursor } = JSON.parse((await get(`/export?${range()}`)).body);

    expect(cursor).toBeNull();
    expect(data).toMatchObject([
      { date: dateOf(5), keyword: '=tea', position: 6, reason: '' },
      { date: dateOf(1), keyword: '=tea', position: 2 },
      { date: dateOf(5), keyword: 'coffee', position: 1000, url: '' },
      { date: dateOf(1), keyword: 'coffee', position: null, reason: 'captcha: a person' },
    ]);
  });

  test('is CSV for spreadsheets: texts as ids, ISO times, no formulas', async () => {
    const { body, headers } = await get(`/export?${range()}&format=csv&for=excel`);

    expect([headers['content-type'], headers['x-next-cursor']]).toEqual(['text/csv; charset=utf-8', '']);
    expect(body.startsWith('\uFEFFdate,keyword_id,')).toBe(true);
    const rows: Record<string, string>[] = parse(body, { columns: true, bom: true });
    expect(rows).toHaveLength(4);
    expect(rows[0]).toMatchObject({
      keyword_id: `\t${ids[0]}`,
      keyword: "'=tea",
      crawled_at: new Date(ago(5, 20) * 1000).toISOString().replace('.000Z', 'Z'),
      position: '6',
    });
  });

  test('is JSON lines, page by page', async () => {
    let [cursor, text, calls] = ['', '', 0];
    do {
      const answer = await get(`/export?${range()}&format=jsonl&per_page=1&cursor=${cursor}`);
      expect(answer.headers['content-type']).toContain('application/jsonl');
      text += answer.body;
      cursor = answer.headers['x-next-cursor'] ?? '';
      calls += 1;
    } while (cursor !== '' && calls < 9);

    expect(calls).toBe(3);
    const rows = text.trim().split('\n');
    expect(rows.map((row) => JSON.parse(row).position)).toEqual([6, 2, 1000, null]);
  });

  test('of own pages has a row for each', async () => {
    const days = `start_date=${dateOf(200)}&end_date=${dateOf(190)}`;
    const { data } = JSON.parse((await get(`/export?rows=own_urls&${days}`)).body);

    expect(data).toMatchObject([
      { position: 3, url: 'https://example.com/page' },
      { position: 9, url: 'https://example.com/other' },
    ]);
    expect((await get(`/export?start_date=${dateOf(200)}&end_date=${dateOf(0)}`)).status).toBe(422);
  });
});

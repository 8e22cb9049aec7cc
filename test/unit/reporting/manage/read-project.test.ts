/** What the management interface reads of a project. The tables are replaced. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Gap, Observation, Project } from '../../../../lib/model/tracking.ts';
import type { Account } from '../../../../lib/model/user.ts';
import { findProject, findTracked, keywordsOf } from '../../../../lib/reporting/find.ts';
import { costOf } from '../../../../lib/reporting/manage/keyword-cost.ts';
import {
  listTags,
  listTrackedKeywords,
  readCost,
  readKeyword,
  readSummary,
  readTrackedHistory,
  readVisibility,
} from '../../../../lib/reporting/manage/read-project.ts';
import { listNotes } from '../../../../lib/store/notes.ts';
import { listObservations } from '../../../../lib/store/observations.ts';
import { day, keywordOf, movedOf } from '../keywords.ts';

vi.mock(import('../../../../lib/reporting/find.ts'), () => ({
  findProject: vi.fn(),
  findTracked: vi.fn(),
  keywordsOf: vi.fn(),
}));
vi.mock(import('../../../../lib/reporting/manage/keyword-cost.ts'), () => ({ costOf: vi.fn() }));
vi.mock(import('../../../../lib/store/notes.ts'), async (original) => ({
  ...(await original()),
  listNotes: vi.fn(),
}));
vi.mock(import('../../../../lib/store/observations.ts'), async (original) => ({
  ...(await original()),
  listObservations: vi.fn(),
}));
vi.mock(import('../../../../lib/access/chart-link.ts'), async (original) => ({
  ...(await original()),
  chartLink: vi.fn((baseUrl: string, { keyword_id }) => `${baseUrl}/charts/${keyword_id}.svg`),
}));

const user = { id: 1, signing_key: Buffer.alloc(32, 1).toString('base64') } as unknown as Account;
const baseUrl = 'https://api.example';
const asked = { baseUrl, accept: '' };
const now = 20_000 * day;
const project = {
  project_id: 2,
  name: 'Shop',
  domain: 'example.com',
  competitors: [],
  paused: false,
} as unknown as Project;
const ids = { project_id: 2, keyword_id: 7 };
const keywords = ['tea', 'coffee', 'milk'].map((keyword, n) => keywordOf({ keyword_id: n + 1, keyword }));

beforeEach(() => {
  vi.resetAllMocks();
  vi.mocked(findProject).mockResolvedValue(project);
  vi.mocked(findTracked).mockResolvedValue({ project, keyword: keywordOf({ keyword_id: 7 }) });
  vi.mocked(keywordsOf).mockResolvedValue(keywords);
  vi.mocked(listNotes).mockResolvedValue([]);
});

describe('the keywords', () => {
  const list = (more: object) =>
    listTrackedKeywords(user, 2, { per_page: 2, cursor: '', ...more } as never, asked, now);

  test('are pages with the number of all that pass the filter', async () => {
    const page = await list({});
    expect(page).toMatchObject({ data: [{}, {}], cursor: expect.any(String), total: 3 });
    expect(await list({ cursor: (page as { cursor: string }).cursor })).toMatchObject({
      data: [{}],
      cursor: null,
      total: 3,
    });
    expect(await list({ search: 'cof' })).toMatchObject({
      data: [{ keyword_id: 2, project_id: 2 }],
      cursor: null,
      total: 1,
    });
  });

  test.each([
    [false, 'updating'],
    [true, 'updated'],
  ])('of a project that is paused (%s) are CSV by their status', async (paused, status) => {
    vi.mocked(findProject).mockResolvedValue({ ...project, paused });
    vi.mocked(keywordsOf).mockResolvedValue([movedOf([4], { next_at: now })]);

    expect(await list({ format: 'csv', status })).toMatchObject({ body: expect.stringContaining('coffee') });
  });

  test('are CSV with each field that is one value', async () => {
    const reply = (await list({ format: 'csv', search: 'cof' })) as unknown as { body: string };
    const [head = '', row = '', end] = reply.body.split('\r\n');

    expect(head.split(',')).toEqual(expect.arrayContaining(['keyword_id', 'current_position', 'chart_url']));
    const several = ['days', 'competitors', 'gap', 'owners'];
    expect(head.split(',').filter((name) => several.includes(name))).toEqual([]);
    expect(row).toContain('https://');
    expect(end).toBe('');
  });

  test('have their tags in one cell of CSV', async () => {
    vi.mocked(keywordsOf).mockResolvedValue([
      keywordOf({ location_name: '', tags: ['hot drinks', 'brand'] }),
      keywordOf({ location_name: '' }),
    ]);
    const { body } = (await list({ format: 'csv' })) as unknown as { body: string };
    const [head = [], ...rows] = body.split('\r\n').map((line) => line.split(','));

    expect(rows.slice(0, 2).map((row) => row[head.indexOf('tags')])).toEqual(['"hot drinks|brand"', '']);
  });

  test.each([
    [{ accept: 'text/csv' }, {}],
    [{ accept: '' }, { format: 'csv', for: 'excel' }],
  ])('are CSV for %j with %j', async (form, query) => {
    const reply = await listTrackedKeywords(
      user,
      2,
      { per_page: 2, cursor: '', ...query } as never,
      { baseUrl, ...form },
      now,
    );
    const { type, body } = reply as { type: string; body: string };

    expect(type).toBe('text/csv; charset=utf-8');
    expect(body.startsWith('\ufeff')).toBe('for' in query);
  });
});

test('a keyword is looked for in its project', async () => {
  expect(await readKeyword(user, ids, baseUrl, now)).toMatchObject({
    keyword_id: 7,
    project_id: 2,
  });
  expect(findProject).toHaveBeenCalledExactlyOnceWith(user, 2);
  expect(findTracked).toHaveBeenCalledExactlyOnceWith(user, 7, 2);
});

describe('the history', () => {
  const place = (position: number) => ({
    position,
    type: 'ad',
    url: 'https://x.example/',
    title: 'T',
    snippet: 'S',
  });
  const seen: Observation = {
    at: now - day,
    sightings: { 'example.com': place(3), 'rival.com': place(1) },
    features: ['video', 'image'],
    cited: true,
  };
  const unseen: Observation = {
    at: now - 2 * day,
    sightings: { 'late.com': place(9) },
    features: [],
    cited: null,
  };
  const gaps: Gap[] = [
    { at: now - 4 * day, reason: 'first' },
    { at: now - 3 * day, reason: 'second' },
  ];
  const history = (more: object = {}) => readTrackedHistory(user, ids, more as never, '', now);
  beforeEach(() => {
    vi.mocked(listObservations).mockResolvedValue([seen, gaps[1] as Gap, unseen, gaps[0] as Gap]);
  });

  test('is oldest first, with the positions of competitors', async () => {
    expect(await history()).toEqual({
      data: [
        {
          created_at: now - 2 * day,
          position: 1000,
          url: '',
          title: '',
          snippet: '',
          type: 'organic',
          features: [],
          cited: null,
          owners: [],
          own_urls: [],
          url_changed: false,
          competitors: { 'late.com': 9 },
        },
        {
          created_at: now - day,
          position: 3,
          url: 'https://x.example/',
          title: 'T',
          snippet: 'S',
          type: 'ad',
          features: ['video', 'image'],
          cited: true,
          owners: [],
          own_urls: [{ position: 3, url: 'https://x.example/' }],
          url_changed: false,
          competitors: { 'rival.com': 1 },
        },
      ],
      gaps: gaps.map(({ at, reason }) => ({ created_at: at, reason })),
      notes: [],
    });
    expect(listObservations).toHaveBeenCalledWith(7, { from: now - 30 * day, to: now + day - 1 });
  });

  test('is CSV with a column for each competitor', async () => {
    expect(await history({ format: 'csv' })).toMatchObject({
      body:
        'created_at,position,url,title,snippet,type,features,cited,late.com,rival.com\r\n' +
        `${now - 2 * day},1000,,,,organic,,,9,\r\n` +
        `${now - day},3,https://x.example/,T,S,ad,video image,1,,1\r\n`,
    });
    expect(await history({ format: 'csv', for: 'excel' })).toMatchObject({
      body: expect.stringMatching(/^\ufeff/),
    });
  });
});

describe('the history', () => {
  const pageOf = (at: number, url: string): Observation => ({
    at,
    sightings: url ? { 'example.com': { position: 3, type: 'organic', url, title: '', snippet: '' } } : {},
    features: [],
    cited: null,
  });

  test.each([
    [
      ['a', 'b', 'b'],
      [false, true, false],
    ],
    // A crawl that does not find the domain says nothing of its page.
    [
      ['a', '', 'a'],
      [false, false, false],
    ],
    [
      ['a', '', 'b'],
      [false, false, true],
    ],
    [
      ['', 'a', 'b'],
      [false, false, true],
    ],
  ])('of the pages %j has the changes %j', async (urls, changes) => {
    const observations = urls.map((url, n) => pageOf(now - (9 - n) * day, url && `https://${url}.example/`));
    vi.mocked(listObservations).mockResolvedValue(observations.toReversed());

    expect(await readTrackedHistory(user, ids, {} as never, '', now)).toMatchObject({
      data: changes.map((url_changed) => ({ url_changed })),
    });
  });

  test('has all pages of the domain, and the notes of its days', async () => {
    const several = {
      ...pageOf(now - day, 'https://a.example/'),
      own: [[3, 'a'] as never, [9, 'b'] as never],
    };
    vi.mocked(listObservations).mockResolvedValue([several]);
    const noted = ['2024-10-02', '2024-10-03', '2024-10-04', '2024-10-05'].map((date) => ({ date }) as never);
    vi.mocked(listNotes).mockResolvedValue(noted);
    const dates = { start_date: '2024-10-03', end_date: '2024-10-04' } as never;

    expect(await readTrackedHistory(user, ids, dates, '', now)).toMatchObject({
      data: [
        {
          own_urls: [
            { position: 3, url: 'a' },
            { position: 9, url: 'b' },
          ],
        },
      ],
      notes: [{ date: '2024-10-03' }, { date: '2024-10-04' }],
    });
    expect(listNotes).toHaveBeenCalledExactlyOnceWith(2);
  });

  test('is that of a keyword of the project', async () => {
    vi.mocked(listObservations).mockResolvedValue([]);
    await readTrackedHistory(user, ids, {} as never, '', now);

    expect(findProject).toHaveBeenCalledExactlyOnceWith(user, 2);
    expect(findTracked).toHaveBeenCalledExactlyOnceWith(user, 7, 2);
  });
});

test.each([
  [false, 2, 1],
  [true, 0, 3],
])(
  'the cost of a project that is paused (%s) is that of %i keywords',
  async (paused, crawled, notCrawled) => {
    const some = [...keywords.slice(0, 2), keywordOf({ keyword_id: 9, paused: true })];
    vi.mocked(findProject).mockResolvedValue({ ...project, paused });
    vi.mocked(keywordsOf).mockResolvedValue(some);
    vi.mocked(costOf).mockResolvedValue({ searches_per_day: 5, monthly_cost_usd: 6 });

    expect(await readCost(user, 2)).toEqual({
      keywords: 3,
      paused: notCrawled,
      searches_per_day: 5,
      monthly_cost_usd: 6,
    });
    expect(costOf).toHaveBeenCalledExactlyOnceWith(some.slice(0, crawled), []);
  },
);

test('the visibility and the summary are those of the keywords', async () => {
  vi.mocked(keywordsOf).mockResolvedValue([movedOf([5, 1])]);

  expect(await readVisibility(user, 2, { tag: '' }, '', now)).toMatchObject({
    data: [{ domain: 'example.com' }],
  });
  expect(await readSummary(user, 2, now)).toMatchObject({
    type: 'text/markdown; charset=utf-8',
    body: expect.stringMatching(/^# Shop: /),
  });
});

describe('the visibility', () => {
  const tagged = movedOf([1], { keyword_id: 1, tags: ['Brand'] });
  const other = movedOf([100], { keyword_id: 2, keyword: 'tea' });
  // One of four citations of the AI overview is the domain's.
  tagged.days = tagged.days.map((each) => ({ ...each, citations: [4, 1] }));
  const today = 2 * day;
  const visibility = (query: object, accept = '') =>
    readVisibility(user, 2, { tag: '', ...query } as never, accept, today);
  beforeEach(() => {
    vi.mocked(keywordsOf).mockResolvedValue([tagged, other]);
  });

  test.each([
    ['', 2],
    [' brand', 1],
    ['other', 0],
  ])('of the tag %j is that of %i keywords', async (tag, count) => {
    expect(await visibility({ tag })).toMatchObject({
      data: count > 0 ? [{ domain: 'example.com', keywords: count }] : [{ keywords: 0 }],
    });
  });

  test('has the notes of its days', async () => {
    const dates = ['1969-12-01', '1969-12-04', '1970-01-03', '1970-01-04'];
    vi.mocked(listNotes).mockResolvedValue(dates.map((date) => ({ date }) as never));

    expect(await visibility({})).toMatchObject({ notes: [{ date: '1969-12-04' }, { date: '1970-01-03' }] });
  });

  test.each([
    [{ format: 'csv' }, '', 'text/csv; charset=utf-8'],
    [{ format: 'jsonl' }, '', 'application/jsonl'],
    [{}, 'text/csv', 'text/csv; charset=utf-8'],
  ])('with %j and %j has a row for each day and domain', async (query, accept, type) => {
    vi.mocked(findProject).mockResolvedValue({ ...project, competitors: ['rival.com'] });
    const reply = (await visibility(query, accept)) as unknown as { type: string; body: string };
    const lines = reply.body.trimEnd().split(/\r?\n/);

    expect(reply.type).toBe(type);
    expect(lines.slice(-2)).toEqual(
      type === 'application/jsonl'
        ? [
            expect.stringMatching(
              /^\{"date":"1970-01-03","domain":"example.com","share":0\.\d+,"citation_share":0\.25\}$/,
            ),
            expect.stringMatching(
              /^\{"date":"1970-01-03","domain":"rival.com","share":null,"citation_share":null\}$/,
            ),
          ]
        : [
            expect.stringMatching(/^1970-01-03,example.com,0\.\d+,0\.25$/),
            expect.stringMatching(/^1970-01-03,rival.com,,$/),
          ],
    );
    expect(listNotes).not.toHaveBeenCalled();
  });
});

test('the tags are those of the keywords', async () => {
  vi.mocked(keywordsOf).mockResolvedValue([movedOf([5], { tags: ['brand'] })]);

  expect(await listTags(user, 2, now)).toMatchObject({ data: [{ tag: 'brand', all: 1 }] });
});

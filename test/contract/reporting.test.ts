/**
 * The reporting interface and the reads of the management interface, on stored projects (Readings 37 to 39).
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiAnswer, callArea } from '../api-call.ts';
import { detailOf, type Service, startService } from './service.ts';

let service: Service;
let tracked: typeof import('../tracked-project.ts');

beforeAll(async () => {
  service = await startService();
  tracked = await import('../tracked-project.ts');
});
afterAll(() => service.stop());

const newUser = async () => {
  const { account, apiKey } = await service.createAccount({ rate_limit: 0 });
  const headers = { Authorization: `Bearer ${apiKey}` };
  const get = (path: string, more: Record<string, string> = {}): Promise<ApiAnswer> =>
    service.call({ method: 'GET', path, body: null, headers: { ...headers, ...more } });
  const read = async (path: string) => {
    const { status, body } = await get(path);
    expect(status, body).toBe(200);
    return JSON.parse(body);
  };
  return { id: account.id, headers, get, read };
};
type User = Awaited<ReturnType<typeof newUser>>;

const origin = 'https://api.example.com';

/** The path and the query of a link of the service. */
const pathOf = (link: string): string => link.slice(origin.length);

const errorsOf = (answer: ApiAnswer) => {
  expect(answer.status, answer.body).toBe(422);
  return detailOf(answer);
};
const invalidCursor = [{ loc: ['query', 'cursor'], type: 'value_error', msg: 'Value error, invalid cursor' }];

/** Follows the links of a list from a page to the end. */
const walk = async ({ read }: User, link: string, direction: 'next' | 'prev') => {
  const pages = [];
  for (let to: string | null = link; to; ) {
    const page = await read(pathOf(to));
    pages.push(page);
    to = page.links[direction];
  }
  return pages;
};

describe('projects', () => {
  test('are listed oldest first, in pages that link to each other', async () => {
    const user = await newUser();
    const ids: number[] = [];
    for (let n = 0; n < 5; n++) ids.push((await tracked.storeProject(user.id)).project_id);

    const first = await user.read('/api/reporting/projects?per_page=2');
    expect(first).toEqual({
      data: ids.slice(0, 2).map((project_id) => ({
        project_id,
        name: 'Shop',
        locations: '',
        check_frequency: 24,
      })),
      meta: {
        per_page: [2, 2],
        next_cursor: expect.any(String),
        prev_cursor: null,
        has_more: true,
        path: `${origin}/api/reporting/projects`,
      },
      links: {
        first: `${origin}/api/reporting/projects?per_page=2`,
        last: expect.stringMatching(
          /^https:\/\/api\.example\.com\/api\/reporting\/projects\?per_page=2&cursor=/,
        ),
        prev: null,
        next: `${origin}/api/reporting/projects?per_page=2&cursor=${first.meta.next_cursor}`,
      },
    });

    const idsOf = (pages: { data: { project_id: number }[] }[]) =>
      pages.map(({ data }) => data.map(({ project_id }) => project_id));
    const forwards = await walk(user, first.links.first, 'next');
    expect(idsOf(forwards)).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
    expect(forwards.map(({ meta }) => [meta.per_page, meta.has_more, meta.prev_cursor === null])).toEqual([
      [[2, 2], true, true],
      [[2, 2], true, false],
      [[2, 1], false, false],
    ]);
    const backwards = await walk(user, first.links.last, 'prev');
    expect(idsOf(backwards)).toEqual([ids.slice(3), ids.slice(1, 3), ids.slice(0, 1)]);
    expect(backwards[1].meta.has_more).toBe(true);
  });

  test('have only the fields that the request names', async () => {
    const user = await newUser();
    const { project_id } = await tracked.storeProject(user.id);

    const page = await user.read('/api/reporting/projects?fields=name,nonsense,project_id');
    expect(page.data).toEqual([{ project_id, name: 'Shop' }]);
    expect(page.links.first).toBe(
      `${origin}/api/reporting/projects?per_page=25&fields=name%2Cnonsense%2Cproject_id`,
    );
    const detail = await user.read(`/api/reporting/projects/${project_id}?fields=stats`);
    expect(Object.keys(detail.data)).toEqual(['stats']);
  });

  test('of a user without any are an empty page', async () => {
    const { read } = await newUser();

    expect(await read('/api/reporting/projects')).toMatchObject({
      data: [],
      meta: { per_page: [25, 0], next_cursor: null, prev_cursor: null, has_more: false },
      links: { prev: null, next: null },
    });
  });

  test('a cursor is bound to the user and the list', async () => {
    const [user, other] = [await newUser(), await newUser()];
    for (let n = 0; n < 2; n++) await tracked.storeProject(user.id);
    const { meta } = await user.read('/api/reporting/projects?per_page=1');
    const { project_id } = await tracked.storeProject(other.id);

    const query = `cursor=${meta.next_cursor}`;
    expect(errorsOf(await other.get(`/api/reporting/projects?${query}`))).toEqual(invalidCursor);
    expect(errorsOf(await other.get(`/api/reporting/projects/${project_id}/keywords?${query}`))).toEqual(
      invalidCursor,
    );
  });
});

describe('a project', () => {
  const make = async () => {
    const user = await newUser();
    const keywords = Array.from({ length: 30 }, (_, n) =>
      tracked.after(
        tracked.keywordOf({
          keyword: `coffee ${n}`,
          volumes: { local_sv: 1000, global_sv: 0, cpc: 1, at: 0 },
        }),
        [tracked.observationOf(10, n + 5), tracked.observationOf(20, n + 1)],
      ),
    );
    const { project_id } = await tracked.storeProject(user.id, keywords);
    return { user, project_id };
  };

  test('has figures', async () => {
    const { user, project_id } = await make();

    expect(await user.read(`/api/reporting/projects/${project_id}`)).toEqual({
      data: {
        project_id,
        name: 'Shop',
        locations: 'Berlin,Germany',
        check_frequency: 24,
        stats: {
          keywords_count: 30,
          average_position: 16,
          moved_up: 30,
          moved_down: 0,
          no_change: 0,
          top_3: 3,
          top_10: 10,
          top_30: 30,
          top_100: 30,
          revenue: 869,
        },
      },
    });
  });

  test('includes its first keywords; the cursor continues in the list of keywords', async () => {
    const { user, project_id } = await make();

    const { included } = await user.read(`/api/reporting/projects/${project_id}?include=nothing,keywords`);
    expect(included.keywords).toEqual(Array.from({ length: 25 }, (_, n) => ({ name: `coffee ${n}` })));
    expect(included.keywords_meta).toEqual({
      per_page: 25,
      next_cursor: expect.any(String),
      has_more: true,
    });
    const next = await user.read(
      `/api/reporting/projects/${project_id}/keywords?cursor=${included.keywords_meta.next_cursor}`,
    );
    expect(next.data.map(({ name }: { name: string }) => name)).toEqual(
      Array.from({ length: 5 }, (_, n) => `coffee ${n + 25}`),
    );
    expect(await user.read(`/api/reporting/projects/${project_id}?include=nothing`)).not.toHaveProperty(
      'included',
    );
  });
});

describe('keywords', () => {
  const make = async () => {
    const user = await newUser();
    const keywords = [12, 3, 1000, 3, 40].map((position, n) =>
      tracked.after(tracked.keywordOf({ keyword: `tea & ${n}`, device: n % 2 ? 'mobile' : 'desktop' }), [
        tracked.observationOf(10, position),
      ]),
    );
    const { project_id } = await tracked.storeProject(user.id, keywords);
    const path = `/api/reporting/projects/${project_id}/keywords`;
    return { user, keywords, project_id, path };
  };
  type Page = { data: { keyword_id: number }[] };
  const idsOf = (pages: Page[]) => pages.flatMap(({ data }) => data.map(({ keyword_id }) => keyword_id));

  test('are summaries', async () => {
    const { user, keywords, path } = await make();

    const { data } = await user.read(`${path}?per_page=1`);
    expect(data).toEqual([
      {
        keyword_id: keywords[0]?.keyword_id,
        name: 'tea & 0',
        type: 'owner',
        domain: 'example.com',
        language: 'German',
        search_engine: 'google.com',
        device: 'desktop',
        location: 'Berlin,Germany',
        status: 'updated',
        position_next_update: '2096-10-02T07:06:40+00:00',
      },
    ]);
  });

  test('are filtered, sorted and paged; the links carry the filter', async () => {
    const { user, keywords, path } = await make();
    const ids = keywords.map(({ keyword_id }) => keyword_id);
    const query = 'search=TEA%20%26&sort=current_position&order=desc&per_page=2&fields=keyword_id';

    const pages = await walk(user, `${origin}${path}?${query}`, 'next');
    expect(idsOf(pages)).toEqual([ids[2], ids[4], ids[0], ids[3], ids[1]]);
    expect(pages[0].data[0]).toEqual({ keyword_id: ids[2] });
    const link = new URL(pages[0].links.next);
    expect(Object.fromEntries(link.searchParams)).toEqual({
      search: 'TEA &',
      sort: 'current_position',
      order: 'desc',
      per_page: '2',
      fields: 'keyword_id',
      cursor: pages[0].meta.next_cursor,
    });
    expect(idsOf((await walk(user, pages[0].links.last, 'prev')).toReversed())).toEqual(idsOf(pages));
    expect(idsOf([await user.read(`${path}?device=mobile&status=UPDATED&search_engine=Google`)])).toEqual([
      ids[1],
      ids[3],
    ]);
  });

  test('do not shift between pages when positions change', async () => {
    const { user, keywords, project_id, path } = await make();
    const { changeChunk } = await import('../../lib/store/chunks.ts');
    const ids = keywords.map(({ keyword_id }) => keyword_id);
    const first = await user.read(`${path}?sort=current_position&per_page=2`);
    expect(idsOf([first])).toEqual([ids[1], ids[3]]);

    // The first keyword of the first page falls to the end, and a new one comes to the front.
    await changeChunk(project_id, 0, (all) => [
      ...all.map((each) =>
        each.keyword_id === ids[1] ? tracked.after(each, [tracked.observationOf(20, 90)]) : each,
      ),
      tracked.after(tracked.keywordOf(), [tracked.observationOf(20, 1)]),
    ]);

    expect(idsOf(await walk(user, first.links.next, 'next'))).toEqual([ids[0], ids[4], ids[1], ids[2]]);
  });

  test('a cursor is bound to the filter and the order', async () => {
    const { user, path } = await make();
    const { meta } = await user.read(`${path}?per_page=2`);
    const cursor = `cursor=${meta.next_cursor}`;

    for (const query of ['order=desc', 'sort=name', 'search=tea', 'device=mobile', 'status=updated']) {
      expect(errorsOf(await user.get(`${path}?${cursor}&${query}`))).toEqual(invalidCursor);
    }
    expect((await user.read(`${path}?${cursor}&per_page=3`)).data).toHaveLength(3);
    // The cursor is checked before the project.
    expect(errorsOf(await user.get('/api/reporting/projects/1/keywords?cursor=x'))).toEqual(invalidCursor);
    expect(errorsOf(await user.get('/api/v1/projects/1/keywords?cursor=x'))).toEqual(invalidCursor);
  });

  test('as CSV have all rows and the positions, and no cell is a formula', async () => {
    const user = await newUser();
    const keywords = [
      tracked.after(tracked.keywordOf({ keyword: '=HYPERLINK("http://evil")' }), [
        tracked.observationOf(10, 3),
        tracked.observationOf(20, 1000),
      ]),
      tracked.keywordOf({ keyword: 'plain, "quoted"' }),
    ];
    const { project_id } = await tracked.storeProject(user.id, keywords);
    const path = `/api/reporting/projects/${project_id}/keywords`;

    const answer = await user.get(`${path}?per_page=1&fields=name,current_position,movement,url&sort=name`, {
      Accept: 'text/csv',
    });
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(answer.body).toBe(
      [
        'name,current_position,movement,url',
        '"\'=HYPERLINK(""http://evil"")",1000,-98,',
        '"plain, ""quoted""",,,',
        '',
      ].join('\r\n'),
    );
    expect((await user.get(`${path}?format=csv&fields=name`)).body).toContain('plain');
    expect((await user.get(`${path}?format=json`, { Accept: 'text/csv' })).headers['content-type']).toBe(
      'application/json',
    );
  });

  test('the detail has the positions', async () => {
    const { user, keywords } = await make();

    expect(await user.read(`/api/reporting/keywords/${keywords[2]?.keyword_id}`)).toEqual({
      data: expect.objectContaining({
        name: 'tea & 2',
        google_business: null,
        initial_position: 1000,
        current_position: 1000,
        best_position: 1000,
        previous_position: null,
        movement: 0,
        local_sv: null,
        url: '-',
        update_frequency: 24,
      }),
    });
    expect(
      await user.read(`/api/reporting/keywords/${keywords[0]?.keyword_id}?fields=best_position`),
    ).toEqual({ data: { best_position: 12 } });
  });
});

describe('history', () => {
  const at = (text: string): number => Date.parse(text) / 1000;
  const make = async () => {
    const user = await newUser();
    const keyword = tracked.keywordOf();
    const { project_id } = await tracked.storeProject(user.id, [keyword], { competitors: ['rival.com'] });
    await tracked.storeHistory(keyword.keyword_id, [
      tracked.observationOf(at('2026-04-30T23:59:59Z'), 9),
      {
        ...tracked.observationOf(at('2026-05-01T00:00:00Z'), 8, { rivals: { 'rival.com': 2 } }),
        owners: { ai_overview: { all: 2 }, video: { all: 4, own: 1, rivals: { 'rival.com': 1 } } },
      },
      tracked.observationOf(at('2026-05-02T06:00:00Z'), 1000),
      { at: at('2026-05-03T06:00:00Z'), reason: 'captcha: =cmd' },
      tracked.observationOf(at('2026-05-31T23:59:59Z'), 4),
      tracked.observationOf(at('2026-06-01T00:00:00Z'), 3),
    ]);
    const path = `/api/reporting/keywords/${keyword.keyword_id}/history`;
    return { user, path, project_id, keyword };
  };
  const may = 'start_date=2026-05-01&end_date=2026-05-31';

  test('is empty for days before what is kept', async () => {
    const { user, path } = await make();

    expect((await user.read(`${path}?start_date=2019-05-01&end_date=2019-05-31`)).data).toEqual([]);
  });

  test('has the positions of the days, newest first; gaps are no items', async () => {
    const { user, path } = await make();

    const list = await user.read(`${path}?${may}`);
    const link = `${origin}${path}?${may}&per_page=25&page=1`;
    expect(list).toEqual({
      data: [
        {
          created_at: '2026-05-31T23:59:59+00:00',
          type: 'organic',
          url: 'https://example.com/page',
          position: 4,
          title: 'Title 4',
          snippet: 'Snippet 4',
        },
        {
          created_at: '2026-05-02T06:00:00+00:00',
          type: 'organic',
          url: '-',
          position: 1000,
          title: '-',
          snippet: '-',
        },
        expect.objectContaining({ created_at: '2026-05-01T00:00:00+00:00', position: 8 }),
      ],
      meta: {
        current_page: 1,
        per_page: 25,
        total: 3,
        last_page: 1,
        has_more: false,
        date_range: { start_date: '2026-05-01', end_date: '2026-05-31', max_allowed_days: 180 },
        gaps: [{ created_at: '2026-05-03T06:00:00+00:00', reason: 'captcha: =cmd' }],
      },
      links: { first: link, last: link, prev: null, next: null },
    });
  });

  test('is paged by number', async () => {
    const { user, path } = await make();
    const page = (n: number) => user.read(`${path}?${may}&per_page=2&page=${n}`);
    const link = (n: number) => `${origin}${path}?${may}&per_page=2&page=${n}`;

    const [first, second, third] = [await page(1), await page(2), await page(9)];
    expect([first, second, third].map(({ data }) => data.length)).toEqual([2, 1, 0]);
    expect(first.links).toEqual({ first: link(1), last: link(2), prev: null, next: link(2) });
    expect(second.links).toEqual({ first: link(1), last: link(2), prev: link(1), next: null });
    expect(third.links.prev).toBe(link(2));
    expect([first, second, third].map(({ meta }) => meta.has_more)).toEqual([true, false, false]);
  });

  test('of one date covers 30 days', async () => {
    const { user, path } = await make();
    const read = async (query: string) => {
      const { data, meta } = await user.read(`${path}?${query}`);
      return [meta.date_range.start_date, meta.date_range.end_date, data.length];
    };

    expect(await read('start_date=2026-05-02')).toEqual(['2026-05-02', '2026-06-01', 3]);
    expect(await read('end_date=2026-05-01')).toEqual(['2026-04-01', '2026-05-01', 2]);
  });

  test('of a good range is 404, and of a bad one 422, whether the keyword exists or not', async () => {
    const { user, path } = await make();
    const range = 'start_date=2020-01-01&end_date=2024-01-01';

    for (const each of [path, '/api/reporting/keywords/1/history']) {
      expect(errorsOf(await user.get(`${each}?${range}`))).toEqual([
        {
          loc: ['query', 'start_date'],
          type: 'value_error',
          msg: 'Value error, the date range must not exceed 180 days',
        },
      ]);
    }
    expect((await user.get(`/api/reporting/keywords/1/history?${may}`)).status).toBe(404);
  });

  test('as CSV has all rows of the range', async () => {
    const { user, path } = await make();

    expect((await user.get(`${path}?${may}&per_page=1&format=csv`)).body).toBe(
      [
        'created_at,type,url,position,title,snippet',
        '2026-05-31T23:59:59+00:00,organic,https://example.com/page,4,Title 4,Snippet 4',
        '2026-05-02T06:00:00+00:00,organic,,1000,,',
        '2026-05-01T00:00:00+00:00,organic,https://example.com/page,8,Title 8,Snippet 8',
        '',
      ].join('\r\n'),
    );
  });

  test('of the management interface has the competitors and the features', async () => {
    const { user, project_id, keyword } = await make();
    const path = `/api/v1/projects/${project_id}/keywords/${keyword.keyword_id}/history`;

    const { data, gaps } = await user.read(`${path}?${may}`);
    expect(data.map(({ position }: { position: number }) => position)).toEqual([8, 1000, 4]);
    expect(data[0]).toEqual({
      created_at: at('2026-05-01T00:00:00Z'),
      position: 8,
      url: 'https://example.com/page',
      title: 'Title 8',
      snippet: 'Snippet 8',
      type: 'organic',
      features: ['related_search'],
      cited: null,
      competitors: { 'rival.com': 2 },
      own_urls: [{ position: 8, url: 'https://example.com/page' }],
      owners: [
        { kind: 'video', total: 4, own: 1, competitors: { 'rival.com': 1 }, other: 2, hidden: 0 },
        { kind: 'ai_overview', total: 2, own: 0, competitors: {}, other: 2, hidden: 0 },
      ],
      url_changed: false,
    });
    expect(data[2].owners).toEqual([]);
    expect(gaps).toEqual([{ created_at: at('2026-05-03T06:00:00Z'), reason: 'captcha: =cmd' }]);
    const csv = (await user.get(`${path}?${may}&format=csv`)).body.split('\r\n');
    expect(csv[0]).toBe('created_at,position,url,title,snippet,type,features,cited,rival.com');
    expect(csv[1]).toMatch(/,8,.*,related_search,,2$/);
  });

  test('of a keyword in another project of the user is 404', async () => {
    const { user, keyword } = await make();
    const other = await tracked.storeProject(user.id);

    const { status, body } = await user.get(
      `/api/v1/projects/${other.project_id}/keywords/${keyword.keyword_id}/history`,
    );
    expect([status, body]).toEqual([404, '{"detail":"Keyword not found"}']);
  });
});

describe('the keywords of the management interface', () => {
  test('have their days, competitors and a chart', async () => {
    const user = await newUser();
    const keywords = [5, 9].map((position) =>
      tracked.after(tracked.keywordOf(), [
        tracked.observationOf(10 * tracked.day, position, { rivals: { 'rival.com': 3 } }),
        tracked.observationOf(11 * tracked.day, position - 1, { rivals: { 'rival.com': 1000 } }),
      ]),
    );
    const { project_id } = await tracked.storeProject(user.id, keywords, { competitors: ['rival.com'] });
    await tracked.storeHistory(keywords[0]?.keyword_id ?? 0, [
      tracked.observationOf(Math.floor(Date.now() / 1000) - tracked.day, 5),
    ]);
    const path = `/api/v1/projects/${project_id}/keywords`;

    const first = await user.read(`${path}?per_page=1&sort=current_position`);
    expect(first).toMatchObject({ total: 2, cursor: expect.any(String) });
    expect(first.data).toEqual([
      expect.objectContaining({
        keyword_id: keywords[0]?.keyword_id,
        project_id,
        keyword: 'coffee',
        current_position: 4,
        previous_position: 5,
        movement: 1,
        crawled_at: 11 * tracked.day,
        days: [
          { date: '1970-01-11', position: 5, cited: null },
          { date: '1970-01-12', position: 4, cited: null },
        ],
        competitors: { 'rival.com': { current_position: 1000, previous_position: 3, movement: -98 } },
        features: ['related_search'],
        gap: null,
      }),
    ]);
    expect(first.data[0]).not.toHaveProperty('search_hash');
    const next = await user.read(`${path}?per_page=1&sort=current_position&cursor=${first.cursor}`);
    expect(next).toMatchObject({ data: [{ keyword_id: keywords[1]?.keyword_id }], cursor: null });
    const csv = (await user.get(`${path}?format=csv`)).body.split('\r\n');
    expect(csv).toHaveLength(4);

    const chart = await callArea(service.reporting, {
      method: 'GET',
      path: pathOf(first.data[0].chart_url),
    });
    expect(chart.status).toBe(200);
    expect(chart.headers).toMatchObject({
      'content-type': 'image/svg+xml',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'cache-control': 'private, max-age=300',
      'x-content-type-options': 'nosniff',
    });
    expect(chart.body).toContain('1 position, the first is 5');
  });

  test('links are correct under a stage and below PUBLIC_URL', async () => {
    const user = await newUser();
    await tracked.storeProject(user.id);
    await tracked.storeProject(user.id);
    const read = async (path: string, stage: string) => {
      const answer = await callArea(service.reporting, { method: 'GET', path, stage, headers: user.headers });
      return JSON.parse(answer.body).links.next;
    };

    expect(await read('/api/reporting/projects?per_page=1', '/prod')).toMatch(
      /^https:\/\/api\.example\.com\/prod\/api\/reporting\/projects\?per_page=1&cursor=/,
    );
    process.env.PUBLIC_URL = 'https://rank.example/base/';
    try {
      expect(await read('/base/api/reporting/projects?per_page=1', '')).toMatch(
        /^https:\/\/rank\.example\/base\/api\/reporting\/projects\?per_page=1&cursor=/,
      );
    } finally {
      process.env.PUBLIC_URL = '';
    }
  });
});

test('the visibility and the summary of a project are those of its keywords', async () => {
  const user = await newUser();
  const now = Math.floor(Date.now() / 1000);
  const keyword = tracked.after(tracked.keywordOf({ keyword: 'green tea' }), [
    tracked.observationOf(now - 9 * tracked.day, 20, { rivals: { 'rival.com': 1 } }),
    {
      ...tracked.observationOf(now - 3600, 1, { rivals: { 'rival.com': 2 } }),
      features: ['ai_overview'],
      owners: { ai_overview: { all: 4, own: 1, rivals: { 'rival.com': 2 } } },
    },
  ]);
  const { project_id } = await tracked.storeProject(user.id, [keyword], { competitors: ['rival.com'] });

  const { data, days } = await user.read(`/api/v1/projects/${project_id}/visibility`);
  const counts = { keywords: 1, ranked: 1, top_3: 1, top_10: 1 };
  expect(data).toEqual([
    {
      ...counts,
      domain: 'example.com',
      share: 0.3175,
      average_of_ranked: 1,
      average_of_all: 1,
      citation_share: 0.25,
    },
    {
      ...counts,
      domain: 'rival.com',
      share: 0.1818,
      average_of_ranked: 2,
      average_of_all: 2,
      citation_share: 0.5,
    },
  ]);
  expect(days).toHaveLength(31);
  const rows = await user.get(`/api/v1/projects/${project_id}/visibility?format=csv`);
  expect(rows.headers['content-type']).toBe('text/csv; charset=utf-8');
  const lines = rows.body.trim().split('\r\n');
  expect([lines.length, lines[0], lines.at(-2)]).toEqual([
    63,
    'date,domain,share,citation_share',
    `${days[30].date},example.com,0.3175,0.25`,
  ]);
  // A share that is not known is an empty cell, and null in JSON lines.
  expect(lines[1]).toBe(`${days[0].date},example.com,,`);
  const json = await user.get(`/api/v1/projects/${project_id}/visibility?format=jsonl`);
  expect(json.body.split('\n').map((line) => line && JSON.parse(line).share)).toEqual([
    ...days.flatMap(({ shares }: { shares: object }) => Object.values(shares)),
    '',
  ]);
  expect(await user.read(`/api/v1/projects/${project_id}/overview`)).toMatchObject({
    now: { keywords: 1, from_1_to_3: 1, not_ranked: 0, average_of_ranked: 1, average_of_all: 1 },
    share: 0.3175,
    winners: [{ keyword: 'green tea', before: 20, position: 1, movement: 19 }],
    losers: [],
    features: [{ name: 'ai_overview', keywords: 1, owners: { own: 1, competitor: 1, other: 1 } }],
    cost: { keywords: 1, paused: 0 },
  });
  const summary = await user.get(`/api/v1/projects/${project_id}/summary`);
  expect(summary.headers['content-type']).toBe('text/markdown; charset=utf-8');
  expect(summary.body).toMatch(/- green tea \(Berlin,Germany, desktop\): 20 → 1 \(\+19 since [\d-]{10}\)/);
});

test.each([
  '/charts/x.svg',
  '/charts/1.9999999999.MQ.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA.svg',
  '/charts/x',
])('gives 404 for the forged chart %s', async (path) => {
  expect((await callArea(service.reporting, { method: 'GET', path })).status).toBe(404);
});

/**
 * Pages of projects and keywords in the reporting interface: walked from end to end, in both directions. The
 * tables are replaced.
 */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Project } from '../../../../lib/model/tracking.ts';
import type { Account } from '../../../../lib/model/user.ts';
import { findProject, findTracked, keywordsOf } from '../../../../lib/reporting/find.ts';
import { listReportKeywords, showReportKeyword } from '../../../../lib/reporting/report/keywords.ts';
import { compareKeys, linkTo } from '../../../../lib/reporting/report/page.ts';
import { listReportProjects, showReportProject } from '../../../../lib/reporting/report/projects.ts';
import { allKeywords } from '../../../../lib/reporting/report/select-keywords.ts';
import { listProjects } from '../../../../lib/store/projects.ts';
import { day, keywordOf, movedOf } from '../keywords.ts';

vi.mock(import('../../../../lib/reporting/find.ts'), () => ({
  findProject: vi.fn(),
  findTracked: vi.fn(),
  keywordsOf: vi.fn(),
}));
vi.mock(import('../../../../lib/store/projects.ts'), () => ({
  listProjects: vi.fn(),
}));

const user = { id: 1, signing_key: Buffer.alloc(32, 1).toString('base64') } as unknown as Account;
const baseUrl = 'https://api.example';
const projectOf = (project_id: number): Project =>
  ({
    project_id,
    name: `P${project_id}`,
    locations: ['Berlin', 'Paris'],
    check_frequency: 24,
    paused: false,
  }) as unknown as Project;
const projects = [3, 5, 8, 13, 21].map(projectOf);
const names = ['tea', 'coffee', 'milk', 'cup', 'bean'];
const keywords = names.map((keyword, n) => keywordOf({ keyword_id: n + 1, keyword }));

beforeEach(() => {
  vi.mocked(findProject).mockResolvedValue(projectOf(3));
  vi.mocked(keywordsOf).mockResolvedValue(keywords);
  vi.mocked(listProjects).mockImplementation(async (_, { after = 0, before, limit }) => {
    const found = projects.filter(({ project_id: id }) => id > after && id < (before ?? 99));
    return before === undefined ? found.slice(0, limit) : found.slice(-limit);
  });
});

type Page = {
  data: { name: string }[];
  meta: { next_cursor: string | null; prev_cursor: string | null; has_more: boolean };
  links: object;
};

const cursorIn = (link: unknown): string => new URL(String(link)).searchParams.get('cursor') ?? '';

/** The names on each page, from the first one on, or, in the other direction, from the last one on. */
const walked = async (list: (cursor: string) => Promise<Page>, direction: 'next' | 'prev') => {
  const first = await list('');
  const start = direction === 'next' ? '' : cursorIn((first.links as { last: string }).last);
  const pages: string[][] = [];
  for (let cursor: string | null = start; cursor !== null; ) {
    const page: Page = await list(cursor);
    pages.push(page.data.map(({ name }) => name));
    cursor = direction === 'next' ? page.meta.next_cursor : page.meta.prev_cursor;
  }
  return pages;
};

describe('projects', () => {
  const list = (cursor: string, per_page = 2) =>
    listReportProjects(user, { cursor, per_page, fields: '' } as never, baseUrl) as unknown as Promise<Page>;

  test('are read forwards and backwards', async () => {
    expect(await walked(list, 'next')).toEqual([['P3', 'P5'], ['P8', 'P13'], ['P21']]);
    expect(await walked(list, 'prev')).toEqual([['P13', 'P21'], ['P5', 'P8'], ['P3']]);
  });

  test('are read with another number on each page', async () => {
    const three = (cursor: string) => list(cursor, 3);

    expect(await walked(three, 'next')).toEqual([
      ['P3', 'P5', 'P8'],
      ['P13', 'P21'],
    ]);
    expect(await walked(three, 'prev')).toEqual([
      ['P8', 'P13', 'P21'],
      ['P3', 'P5'],
    ]);
  });

  test('on one page have no further ones', async () => {
    expect(await list('', 5)).toEqual({
      data: projects.map(({ project_id, name }) => ({
        project_id,
        name,
        locations: 'Berlin,Germany',
        check_frequency: 24,
      })),
      meta: {
        per_page: [5, 5],
        next_cursor: null,
        prev_cursor: null,
        has_more: false,
        path: `${baseUrl}/api/reporting/projects`,
      },
      links: {
        first: `${baseUrl}/api/reporting/projects?per_page=5`,
        last: expect.stringContaining('per_page=5&cursor='),
        prev: null,
        next: null,
      },
    });
    expect(await list('', 4)).toMatchObject({ meta: { per_page: [4, 4], has_more: true } });
  });

  test('know whether pages follow the one before another', async () => {
    const { meta } = await list((await list('')).meta.next_cursor ?? '');
    expect(meta.prev_cursor).not.toBeNull();
    const before = await list(meta.prev_cursor ?? '');

    expect(before).toMatchObject({
      data: [{ name: 'P3' }, { name: 'P5' }],
      meta: { has_more: true, prev_cursor: null },
    });
  });

  test('on the last page know that none follows', async () => {
    const { links } = await list('');

    expect(await list(cursorIn((links as { last: string }).last))).toMatchObject({
      data: [{ name: 'P13' }, { name: 'P21' }],
      meta: { has_more: false, next_cursor: null, prev_cursor: expect.any(String) },
      links: { next: null },
    });
  });

  test('a list that is empty has no cursors', async () => {
    vi.mocked(listProjects).mockResolvedValue([]);
    expect(await list('')).toMatchObject({
      data: [],
      meta: { next_cursor: null, prev_cursor: null, has_more: false },
    });
  });
});

describe('a project', () => {
  const show = (include: string) => showReportProject(user, 3, { include } as never, 0);

  test.each(['', 'keyword', 'keywords_meta', 'stats'])(
    'with include=%j has its figures only',
    async (include) => {
      const reply = await show(include);
      expect(Object.keys(reply)).toEqual(['data']);
      expect(reply.data).toMatchObject({
        project_id: 3,
        name: 'P3',
        locations: 'Berlin,Germany',
        stats: expect.any(Object),
      });
    },
  );

  test('names the places of its keywords, each once, and the country of a keyword without a place', async () => {
    vi.mocked(keywordsOf).mockResolvedValue([
      keywordOf({ location_name: 'Wien,Austria', iso_code: 'AT' }),
      keywordOf({ location_name: 'Berlin,Germany' }),
      keywordOf({ location_name: '', iso_code: 'FR' }),
      keywordOf({ location_name: 'Wien,Austria', iso_code: 'AT', type: 'competitor' }),
    ]);

    expect((await show('')).data.locations).toBe('Berlin,Germany, France, Wien,Austria');
    expect(
      (await listReportProjects(user, { cursor: '', per_page: 1, fields: '' } as never, baseUrl)).data,
    ).toMatchObject([{ locations: 'Berlin,Germany, France, Wien,Austria' }]);
  });

  test.each(['keywords', 'x, keywords'])('with include=%j has its first keywords', async (include) => {
    const many = Array.from({ length: 70 }, (_, n) => keywordOf({ keyword_id: n + 1 }));
    expect((await show(include)).included).toEqual({
      keywords: expect.arrayContaining(names.map((name) => ({ name }))),
      keywords_meta: { per_page: 25, next_cursor: null, has_more: false },
    });
    vi.mocked(keywordsOf).mockResolvedValue(many);
    expect((await show(include)).included).toMatchObject({
      keywords: { length: 25 },
      keywords_meta: { next_cursor: expect.any(String), has_more: true },
    });
  });
});

describe('keywords', () => {
  const query = { ...allKeywords, fields: '', per_page: 2, cursor: '' };
  const asked = { baseUrl, accept: '' };
  const list = (cursor: string, more: object = {}) =>
    listReportKeywords(user, 3, { ...query, ...more, cursor } as never, asked, 0) as unknown as Promise<Page>;

  test.each(['asc', 'desc'])('in the order %s are read forwards and backwards', async (order) => {
    const sorted = (cursor: string) => list(cursor, { sort: 'name', order });
    const forwards = await walked(sorted, 'next');
    const backwards = await walked(sorted, 'prev');

    expect(forwards.map(({ length }) => length)).toEqual([2, 2, 1]);
    expect(forwards.flat()).toEqual(order === 'asc' ? names.toSorted() : names.toSorted().reverse());
    expect(backwards.toReversed().flat()).toEqual(forwards.flat());
    expect(backwards.map(({ length }) => length)).toEqual([2, 2, 1]);
  });

  test('are read on after the one at the edge was removed', async () => {
    const { meta } = await list('', { sort: 'name', order: 'asc' });
    vi.mocked(keywordsOf).mockResolvedValue(keywords.filter(({ keyword }) => keyword !== 'coffee'));

    expect(await list(meta.next_cursor ?? '', { sort: 'name', order: 'asc' })).toMatchObject({
      data: [{ name: 'cup' }, { name: 'milk' }],
    });
  });

  test.each([
    { order: 'desc' },
    { search: 'x' },
    { status: 'failed' },
    { type: 'owner' },
    { device: 'mobile' },
    { location: 'x' },
    { search_engine: 'bing' },
    { tag: 'brand' },
    { iso_code: 'DE' },
    { position_from: 2 },
    { position_to: 9 },
    { moved: 'up' },
    { feature: 'video' },
    { feature_of: 'own' },
    { url: 'x' },
  ])('with %j do not take the cursor of a list without it', async (more) => {
    const { meta } = await list('', { order: 'asc' });

    await expect(list(meta.next_cursor ?? '', { order: 'asc', ...more })).rejects.toThrow(
      expect.objectContaining({ statusCode: 422 }),
    );
  });

  test.each([
    [{ tag: 'a' }, { tag: 'b' }],
    [{ tag: 'a', moved: 'up' }, { moved: 'up' }],
    [{ position_from: 2 }, { position_to: 2 }],
    [
      { feature: 'video', feature_of: 'own' },
      { feature: 'video', feature_of: 'other' },
    ],
  ])('with %j do not take the cursor of a list with %j', async (one, other) => {
    const owners = { video: { all: 2, own: 1 } };
    vi.mocked(keywordsOf).mockResolvedValue(
      names.map((keyword, n) =>
        movedOf([5, 2], { keyword_id: n + 1, keyword, tags: ['a', 'b'], features: ['video'], owners }),
      ),
    );
    const { meta } = await list('', other);

    expect(meta.next_cursor).not.toBeNull();
    await expect(list(meta.next_cursor ?? '', one)).rejects.toThrow(
      expect.objectContaining({ statusCode: 422 }),
    );
    expect(await list(meta.next_cursor ?? '', other)).toMatchObject({ data: [{}, {}] });
  });

  test.each([
    [false, 'updating'],
    [true, 'updated'],
  ])('of a project that is paused (%s) are found by their status', async (paused, status) => {
    vi.mocked(findProject).mockResolvedValue({ ...projectOf(3), paused });
    vi.mocked(keywordsOf).mockResolvedValue([movedOf([4], { next_at: 0 })]);

    expect(await list('', { status })).toMatchObject({ data: [{ name: 'coffee' }] });
    expect(await list('', { status, format: 'csv', for: 'excel', fields: 'name' })).toMatchObject({
      body: expect.stringMatching(/^\ufeffname\r\n.*coffee/),
    });
  });

  test('are CSV with their positions', async () => {
    vi.mocked(keywordsOf).mockResolvedValue([movedOf([4])]);

    expect(await list('', { format: 'csv', fields: 'name,current_position' })).toMatchObject({
      body: expect.stringMatching(/^name,current_position\r\ncoffee,4\r\n$/),
    });
  });

  test('have details one by one', async () => {
    vi.mocked(findTracked).mockResolvedValue({
      keyword: movedOf([4], { next_at: 5 * day }),
      project: { ...projectOf(3), paused: true },
    });

    expect(await showReportKeyword(user, 1, 6 * day)).toMatchObject({
      data: { name: 'coffee', current_position: 4, status: 'updated' },
    });
    expect(findTracked).toHaveBeenCalledExactlyOnceWith(user, 1);
  });
});

test.each([
  [['a', 1], ['b', 0], -1],
  [['b', 0], ['a', 1], 1],
  [['a', 3], ['a', 1], 2],
  [[10, 1], [9, 1], 1],
] as const)('the keys %j and %j are in order: %i', (one, other, order) => {
  expect(compareKeys(one, other)).toBe(order);
});

test('a link has the values that the query names', () => {
  expect(linkTo('/a', { b: 'c d', e: 0, f: '', g: undefined })).toBe('/a?b=c+d&e=0');
  expect(linkTo('/a', { f: '' })).toBe('/a');
});

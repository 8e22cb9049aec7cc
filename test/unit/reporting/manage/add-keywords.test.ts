/** Keywords that are added to a project. The tables are replaced by chunks in memory. */
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { presentOrder } from '../../../../lib/fetcher/present-order.ts';
import { maxListedErrors, maxProjectKeywords } from '../../../../lib/model/request-limits.ts';
import type { KeywordRequest } from '../../../../lib/model/tracked-keyword.ts';
import type { Project } from '../../../../lib/model/tracking.ts';
import { firstDueTime } from '../../../../lib/reporting/due-time.ts';
import { findProject } from '../../../../lib/reporting/find.ts';
import { endRequest } from '../../../../lib/reporting/finish-work.ts';
import { addKeywords } from '../../../../lib/reporting/manage/add-keywords.ts';
import { noRank } from '../../../../lib/reporting/observe.ts';
import { scheduleNew } from '../../../../lib/reporting/schedule.ts';
import { startCalendar } from '../../../../lib/runtime/calendar.ts';
import { type Chunk, readPresentAgain, readPresentChunks, writeChunk } from '../../../../lib/store/chunks.ts';
import { readClaimed } from '../../../../lib/store/import-claims.ts';
import { beginWork } from '../../../../lib/store/project-work.ts';
import { putPointers, readProject, reserveIds } from '../../../../lib/store/projects.ts';
import { day, keywordOf } from '../keywords.ts';

vi.mock(import('../../../../lib/fetcher/present-order.ts'), async (original) => ({
  ...(await original()),
  presentOrder: vi.fn(),
}));
vi.mock(import('../../../../lib/reporting/find.ts'), () => ({ findProject: vi.fn() }));
vi.mock(import('../../../../lib/reporting/finish-work.ts'), () => ({ endRequest: vi.fn() }));
vi.mock(import('../../../../lib/reporting/schedule.ts'), async (original) => ({
  ...(await original()),
  scheduleNew: vi.fn(),
}));
vi.mock(import('../../../../lib/store/chunks.ts'), async (original) => ({
  ...(await original()),
  readPresentAgain: vi.fn(),
  readPresentChunks: vi.fn(),
  writeChunk: vi.fn(),
}));
vi.mock(import('../../../../lib/store/import-claims.ts'), () => ({ readClaimed: vi.fn() }));
vi.mock(import('../../../../lib/store/project-work.ts'), async (original) => ({
  ...(await original()),
  beginWork: vi.fn(),
}));
vi.mock(import('../../../../lib/store/projects.ts'), async (original) => ({
  ...(await original()),
  putPointers: vi.fn(),
  readProject: vi.fn(),
  reserveIds: vi.fn(),
}));

const now = 20_000 * day;
const user = { id: 1 };
const project = {
  user_id: 1,
  project_id: 2,
  domain: 'example.com',
  check_frequency: 12,
} as unknown as Project;
const work = { kind: 'add', user_id: 1, project_id: 2 };

const requestOf = (more: Partial<KeywordRequest> = {}): KeywordRequest =>
  ({
    keyword: 'coffee',
    engine: 'google',
    engine_domain: '',
    location_name: '',
    iso_code: 'DE',
    language_code: 'de',
    device: 'desktop',
    type: 'owner',
    domain: '',
    google_business: null,
    ...more,
  }) as KeywordRequest;
const requestsOf = (count: number) =>
  Array.from({ length: count }, (_, n) => requestOf({ keyword: `word ${n}` }));

let chunks: Chunk[];
const add = (requests: KeywordRequest[], isDryRun = false) => addKeywords(user, 2, requests, isDryRun, now);
const stored = () => chunks.flatMap(({ keywords }) => keywords);

beforeEach(() => {
  vi.resetAllMocks();
  chunks = [];
  vi.mocked(presentOrder).mockResolvedValue(['http']);
  vi.mocked(findProject).mockResolvedValue(project);
  vi.mocked(readProject).mockResolvedValue(project);
  let last = 100;
  vi.mocked(reserveIds).mockImplementation(async (count) => {
    last += count;
    return last - count;
  });
  vi.mocked(readClaimed).mockResolvedValue(0);
  vi.mocked(beginWork).mockResolvedValue(work as never);
  vi.mocked(readPresentChunks).mockImplementation(async () => chunks);
  vi.mocked(readPresentAgain).mockImplementation(async () => chunks);
  vi.mocked(writeChunk).mockImplementation(async (_, chunk) => {
    chunks = [
      ...chunks.filter(({ n }) => n !== chunk.n),
      { ...chunk, keywords: [...chunk.keywords] },
    ].toSorted((a, b) => a.n - b.n);
    return true;
  });
});

test('a keyword has the values of its request and of its project, and no position', async () => {
  const answer = await add([requestOf()]);
  const [keyword] = stored();

  expect(keyword).toEqual({
    keyword_id: answer.keyword_ids[0],
    engine: 'google',
    engine_domain: 'google.com',
    keyword: 'coffee',
    location_name: '',
    iso_code: 'DE',
    language_code: 'de',
    device: 'desktop',
    type: 'owner',
    domain: 'example.com',
    google_business: null,
    update_frequency: 12,
    paused: false,
    created_at: now,
    search_hash: expect.stringMatching(/^[0-9a-f]+$/),
    domains: ['example.com'],
    ranks: [noRank],
    days: [],
    features: [],
    cited: null,
    gap: null,
    volumes: null,
    next_at: firstDueTime(keyword?.search_hash ?? '', now),
  });
  expect(answer).toEqual({
    added: 1,
    existing: 0,
    keyword_ids: [expect.any(Number)],
    searches_per_day: 2,
    monthly_cost_usd: expect.any(Number),
    dry_run: false,
    warnings: [],
  });
});

test('a keyword may have its own domain, address, frequency and business', async () => {
  await add([
    requestOf({
      domain: 'other.com',
      engine_domain: 'google.de',
      update_frequency: 168,
      google_business: 'Shop',
    }),
  ]);

  expect(stored()).toMatchObject([
    {
      domain: 'other.com',
      domains: ['other.com'],
      engine_domain: 'google.de',
      update_frequency: 168,
      google_business: 'Shop',
    },
  ]);
});

test.each([
  [['New', 'old', 'NEW'], { tags: ['New', 'old'] }],
  [[], {}],
])('a keyword has the tags %j of its request, each once', async (tags, expected) => {
  await add([requestOf({ tags })]);

  expect(stored().map((keyword) => ('tags' in keyword ? { tags: keyword.tags } : {}))).toEqual([expected]);
});

describe('the order of the writes', () => {
  const orderOf = (mock: unknown) => vi.mocked(mock as typeof endRequest).mock.invocationCallOrder[0] ?? 0;

  test('is: the work, the pointers, the chunk, the schedule, the end of the work', async () => {
    const { keyword_ids } = await add([requestOf()]);

    const order = [beginWork, putPointers, writeChunk, scheduleNew, endRequest].map(orderOf);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(beginWork).toHaveBeenCalledExactlyOnceWith('add', project, expect.any(Number));
    expect(putPointers).toHaveBeenCalledExactlyOnceWith(1, [
      { keyword_id: keyword_ids[0], project_id: 2, chunk: 0 },
    ]);
    expect(endRequest).toHaveBeenCalledExactlyOnceWith(work);
  });

  test('records the work at the time of the clock, which the function that finishes it reads', async () => {
    startCalendar({ real: 1000, shown: now - 2400, rate: 24 });
    onTestFinished(() => startCalendar({ real: 0, shown: 0, rate: 1 }));

    await add([requestOf()]);
    expect(beginWork).toHaveBeenCalledExactlyOnceWith('add', project, 1100);
    expect(stored()).toMatchObject([{ created_at: now }]);
  });

  test('schedules the keywords of the request only', async () => {
    await add([requestOf()]);
    const [[, isWanted] = []] = vi.mocked(scheduleNew).mock.calls;

    expect(stored().map((keyword) => isWanted?.(keyword))).toEqual([true]);
    expect(isWanted?.(keywordOf())).toBe(false);
  });
});

describe('a keyword that the project has', () => {
  test.each<[string, Partial<KeywordRequest>]>([
    ['the same one', {}],
    ['another spelling of its domain', { domain: 'https://www.Example.com/' }],
    ['another frequency', { update_frequency: 6 }],
  ])('is not added again: %s', async (_, more) => {
    await add([requestOf()]);

    expect(await add([requestOf(more)])).toMatchObject({
      added: 0,
      existing: 1,
      keyword_ids: [],
      searches_per_day: 0,
    });
    expect(stored()).toHaveLength(1);
    expect(writeChunk).toHaveBeenCalledTimes(1);
  });

  test.each<[string, Partial<KeywordRequest>]>([
    ['another domain', { domain: 'other.com' }],
    ['a folder of its domain', { domain: 'example.com/shop' }],
    ['another type', { type: 'competitor' }],
    ['another device', { device: 'mobile' }],
    ['another country', { iso_code: 'AT' }],
  ])('is another one with %s', async (_, more) => {
    await add([requestOf()]);

    expect(await add([requestOf(), requestOf(more)])).toMatchObject({ added: 1, existing: 1 });
    expect(stored()).toHaveLength(2);
  });

  test('twice in a request is added once', async () => {
    expect(await add([requestOf(), requestOf()])).toMatchObject({ added: 1, existing: 1 });
    expect(stored()).toHaveLength(1);
  });

  test('in several spellings is one, as it was typed first', async () => {
    const spellings = ['Foo Bar', 'foo bar', '  foo   bar ', 'FOO\u00a0BAR'].map((keyword) =>
      requestOf({ keyword }),
    );

    expect(await add(spellings)).toMatchObject({ added: 1, existing: 3 });
    expect(await add(spellings.toReversed())).toMatchObject({ added: 0, existing: 4 });
    expect(stored().map(({ keyword }) => keyword)).toEqual(['Foo Bar']);
  });

  test('is also one that has the hash of an earlier version', async () => {
    await add([requestOf({ keyword: 'Foo Bar' })]);
    chunks = chunks.map((chunk) => ({
      ...chunk,
      keywords: chunk.keywords.map((each) => ({ ...each, search_hash: 'old' })),
    }));

    expect(await add([requestOf({ keyword: 'foo bar' })])).toMatchObject({ added: 0, existing: 1 });
  });
});

describe('chunks', () => {
  const sizes = () => chunks.map(({ n, keywords }) => [n, keywords.length]);

  test('have at most fifty keywords, and those with room are filled first', async () => {
    await add(requestsOf(60));
    expect(sizes()).toEqual([
      [0, 50],
      [1, 10],
    ]);

    await add(requestsOf(65));
    expect(sizes()).toEqual([
      [0, 50],
      [1, 15],
    ]);
  });

  test('get numbers after the last one, also if one between them is gone', async () => {
    await add(requestsOf(110));
    chunks = chunks.filter(({ n }) => n !== 1);

    await add(requestsOf(160));
    expect(sizes()).toEqual([
      [0, 50],
      [2, 50],
      [3, 50],
      [4, 10],
    ]);
    expect(new Set(stored().map(({ keyword }) => keyword)).size).toBe(160);
    expect(new Set(stored().map(({ keyword_id }) => keyword_id)).size).toBe(160);
  });

  test('that another request changes first are written again', async () => {
    vi.mocked(writeChunk).mockResolvedValueOnce(false);

    expect(await add([requestOf()])).toMatchObject({ added: 1, keyword_ids: [expect.any(Number)] });
    expect(stored()).toHaveLength(1);
    expect(writeChunk).toHaveBeenCalledTimes(2);
  });

  test('that others change twenty times are given up', async () => {
    vi.mocked(writeChunk).mockResolvedValue(false);

    await expect(add([requestOf()])).rejects.toThrow(
      expect.objectContaining({
        statusCode: 409,
        detail: expect.stringContaining('changed at the same time'),
      }),
    );
    expect(writeChunk).toHaveBeenCalledTimes(20);
  });
});

test('only chunks with new keywords are written', async () => {
  await add(requestsOf(160));
  vi.mocked(writeChunk).mockClear();

  await add(requestsOf(161));
  expect(vi.mocked(writeChunk).mock.calls.map(([, { n }]) => n)).toEqual([3]);
  expect(chunks.map(({ n }) => n)).toEqual([0, 1, 2, 3]);
});

test('each keyword has the place of its own request', async () => {
  await add([
    requestOf({ keyword: 'a', location_name: 'Nowhere at all' }),
    requestOf({ keyword: 'b', location_name: 'Nowhere else' }),
    requestOf({ keyword: 'c' }),
  ]);

  expect(stored().map(({ location_name }) => location_name)).toEqual(['Nowhere at all', 'Nowhere else', '']);
});

test('channels of a video site are told apart', async () => {
  const channel = (domain: string) => requestOf({ engine: 'youtube', domain });

  expect(await add([channel('@shop'), channel('@other'), channel(' @shop ')])).toMatchObject({
    added: 2,
    existing: 1,
  });
});

test('a response shows a hundred ids at most', async () => {
  const { added, keyword_ids } = await add(requestsOf(120));

  expect([added, keyword_ids.length]).toEqual([120, 100]);
  expect(keyword_ids).toEqual(
    stored()
      .slice(0, 100)
      .map(({ keyword_id }) => keyword_id),
  );
});

test('a dry run says what the keywords would cost, and writes nothing', async () => {
  expect(await add([requestOf()], true)).toMatchObject({
    added: 1,
    keyword_ids: [],
    searches_per_day: 2,
    dry_run: true,
  });
  for (const mock of [beginWork, writeChunk, putPointers, scheduleNew]) expect(mock).not.toHaveBeenCalled();
});

describe('a project', () => {
  const message = `A project has at most ${maxProjectKeywords.toLocaleString('en-US')} keywords`;
  const full = (count: number) => {
    chunks = [
      {
        n: 0,
        revision: 1,
        keywords: Array.from({ length: count }, (_, n) => keywordOf({ keyword: `keyword ${n}` })),
      },
    ];
  };

  test('that is full takes no further keyword', async () => {
    full(maxProjectKeywords);
    await expect(add([requestOf()], true)).rejects.toThrow(
      expect.objectContaining({ statusCode: 409, detail: message }),
    );
    full(maxProjectKeywords - 1);
    await expect(add([requestOf()])).resolves.toMatchObject({ added: 1 });
  });

  test('leaves the room to imports that run, but for keywords that it has', async () => {
    full(maxProjectKeywords - 10);
    vi.mocked(readClaimed).mockResolvedValue(9);
    await expect(add(requestsOf(2))).rejects.toThrow(
      expect.objectContaining({
        statusCode: 409,
        detail: `${message}, and imports that run may add 9 to it: try again when they end`,
      }),
    );
    await expect(add([requestOf()])).resolves.toMatchObject({ added: 1 });
    expect(readClaimed).toHaveBeenLastCalledWith({ ...project, import_id: 0 }, now);
    vi.mocked(readClaimed).mockResolvedValue(99);
    await expect(add([requestOf()])).resolves.toMatchObject({ added: 0, existing: 1 });
  });

  test('that others fill meanwhile takes none, either', async () => {
    vi.mocked(readPresentChunks).mockImplementationOnce(async () => []);
    full(maxProjectKeywords);

    await expect(add([requestOf()])).rejects.toThrow(
      expect.objectContaining({ statusCode: 409, detail: message }),
    );
    expect(writeChunk).not.toHaveBeenCalled();
  });

  test('names a limited number of wrong domains', async () => {
    const wrong = Array.from({ length: maxListedErrors + 1 }, () => requestOf({ engine: 'youtube' }));
    const error = await add(wrong).catch((thrown: unknown) => thrown);

    expect(error).toMatchObject({ detail: { length: maxListedErrors } });
  });

  test('needs a domain that the engine ranks', async () => {
    const requests = [
      requestOf(),
      requestOf({ engine: 'youtube' }),
      requestOf({ engine: 'youtube', domain: '@shop' }),
    ];

    await expect(add(requests)).rejects.toThrow(
      expect.objectContaining({
        statusCode: 422,
        detail: [
          {
            loc: ['body', 1, 'domain'],
            type: 'value_error',
            msg: expect.stringMatching(/^Value error, the domain of the project is not a/),
          },
        ],
      }),
    );
    expect(beginWork).not.toHaveBeenCalled();
  });
});

describe('warnings', () => {
  test('name unknown fields once, and unknown places', async () => {
    const { warnings } = await add([
      requestOf({
        unknown_fields: ['a', 'b'],
        location_name: 'Nowhere at all',
        keyword: 'x',
      } as Partial<KeywordRequest>),
      requestOf({ unknown_fields: ['a'], location_name: 'Nowhere at all' } as Partial<KeywordRequest>),
    ]);

    expect(warnings).toEqual([
      expect.stringMatching(/^Unknown fields are ignored: .*a.*b.*\.$/),
      expect.stringMatching(
        /Nowhere at all.* is not in the table of places\. It is sent to the engine unchanged\.$/,
      ),
    ]);
    expect(stored()[0]?.location_name).toBe('Nowhere at all');
  });

  test('are not given for known places', async () => {
    expect((await add([requestOf({ location_name: 'Berlin' })])).warnings).toEqual([]);
    expect(stored()[0]?.location_name).toBe('Berlin');
  });

  test('are a hundred at most', async () => {
    const requests = Array.from({ length: 120 }, (_, n) =>
      requestOf({ location_name: `Nowhere at all ${n}` }),
    );

    expect((await add(requests, true)).warnings).toHaveLength(100);
  });
});

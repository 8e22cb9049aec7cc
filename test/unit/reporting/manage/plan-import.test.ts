/** What an import adds, and the room that it claims. The tables are replaced; a project has six keywords. */
import { setTimeout } from 'node:timers/promises';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { presentOrder } from '../../../../lib/fetcher/present-order.ts';
import type { KeywordRequest } from '../../../../lib/model/tracked-keyword.ts';
import type { Project, TrackedKeyword } from '../../../../lib/model/tracking.ts';
import {
  type Lines,
  planDryRun,
  planImport,
  withDomainErrors,
} from '../../../../lib/reporting/manage/plan-import.ts';
import { clock } from '../../../../lib/runtime/clock.ts';
import { readPresentChunks } from '../../../../lib/store/chunks.ts';
import { dropClaim, putClaim, readClaimed } from '../../../../lib/store/import-claims.ts';
import { keywordOf } from '../keywords.ts';

vi.mock('node:timers/promises', () => ({ setTimeout: vi.fn() }));
vi.mock(import('../../../../lib/fetcher/present-order.ts'), () => ({ presentOrder: vi.fn() }));
vi.mock(import('../../../../lib/model/request-limits.ts'), async (original) => ({
  ...(await original()),
  maxProjectKeywords: 6 as 20_000,
}));
vi.mock(import('../../../../lib/runtime/clock.ts'), async (original) => ({
  ...(await original()),
  clock: vi.fn(),
}));
vi.mock(import('../../../../lib/store/chunks.ts'), async (original) => ({
  ...(await original()),
  readPresentChunks: vi.fn(),
}));
vi.mock(import('../../../../lib/store/import-claims.ts'), () => ({
  dropClaim: vi.fn(),
  putClaim: vi.fn(),
  readClaimed: vi.fn(),
}));

const project = {
  project_id: 2,
  domain: 'example.com',
  check_frequency: 24,
} as unknown as Project;
const named = { project_id: 2, import_id: 9 };

const requestOf = (keyword: string, more: Partial<KeywordRequest> = {}): KeywordRequest =>
  ({
    keyword,
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
/** A file with these keywords, from row 2 on, and with a bad line in row 9. */
const linesOf = (...requests: (string | KeywordRequest)[]): Lines => ({
  accepted: requests.map((each, n) => ({
    row: n + 2,
    place: n,
    request: typeof each === 'string' ? requestOf(each) : each,
  })),
  refused: [{ row: 9, column: 'device', message: 'bad' }],
  errors: [{ loc: ['body', 7, 'device'], type: 'value_error', msg: 'bad' }],
});
const has = (...keywords: TrackedKeyword[]) =>
  vi.mocked(readPresentChunks).mockResolvedValue([
    { n: 0, revision: 1, keywords: keywords.slice(0, 2) },
    { n: 1, revision: 1, keywords: keywords.slice(2) },
  ]);
/** Keywords that have nothing to do with those of the files. */
const others = (count: number) =>
  Array.from({ length: count }, (_, n) => keywordOf({ keyword: `other ${n}`, search_hash: `other ${n}` }));
const coffee = keywordOf({ keyword: 'coffee', location_name: '', search_hash: 'old' });
const textsOf = ({ keywords }: Awaited<ReturnType<typeof planDryRun>>) =>
  keywords.map(({ n, request }) => [n, request.keyword]);

beforeEach(() => {
  vi.resetAllMocks();
  vi.mocked(presentOrder).mockResolvedValue(['http']);
  vi.mocked(clock).mockReturnValue(1000);
  vi.mocked(readClaimed).mockResolvedValue(0);
  has();
});

describe('the domain of the project', () => {
  const lines = linesOf(
    'a',
    requestOf('b', { engine: 'youtube' }),
    requestOf('c', { engine: 'youtube', domain: '@shop' }),
  );

  test('is enough for the engines that can track it', () => {
    expect(withDomainErrors(linesOf('a'), project)).toEqual(linesOf('a'));
    expect(withDomainErrors(lines, { ...project, domain: '@shop' }).accepted.map(({ row }) => row)).toEqual([
      3, 4,
    ]);
  });

  test('refuses the lines without one of their own, in the order of the file', () => {
    const [a, b] = [requestOf('a'), requestOf('b', { domain: 'example.com' })];
    const file = {
      ...linesOf(a, b),
      refused: [
        { row: 1, column: null, message: 'first' },
        { row: 9, column: 'device', message: 'bad' },
      ],
    };
    const after = withDomainErrors(file, { ...project, domain: '@shop' });

    expect(after.accepted).toEqual([{ row: 3, place: 1, request: b }]);
    const message = expect.stringMatching(/^domain is missing, and that of the project is not .+/);
    expect(after.refused).toEqual([
      { row: 1, column: null, message: 'first' },
      { row: 2, column: 'domain', message },
      { row: 9, column: 'device', message: 'bad' },
    ]);
    expect(after.errors).toEqual([
      ...file.errors,
      { loc: ['body', 0, 'domain'], type: 'value_error', msg: message },
    ]);
  });
});

describe('a plan', () => {
  test('has each keyword once, and says which of them are new and what these cost', async () => {
    has(...others(2), coffee);
    const lines = linesOf('tea', 'Coffee', 'TEA', 'milk');

    const planned = await planDryRun(lines, project);
    expect(planned).toEqual({
      lines,
      keywords: ['tea', 'Coffee', 'milk'].map((keyword, n) => ({ n, request: requestOf(keyword) })),
      added: 2,
      present: 3,
      warnings: [],
      cost: { searches_per_day: 2, monthly_cost_usd: expect.any(Number) },
    });
    expect(readPresentChunks).toHaveBeenCalledExactlyOnceWith(2);
    expect(readClaimed).toHaveBeenCalledExactlyOnceWith({ ...project, import_id: 0 }, 1000);
    expect(putClaim).not.toHaveBeenCalled();
  });

  test('costs nothing more for searches that the project has', async () => {
    has(coffee);

    expect((await planDryRun(linesOf('coffee'), project)).cost).toEqual({
      searches_per_day: 0,
      monthly_cost_usd: 0,
    });
  });

  test('has the names of the table of places, and warns of other places and fields', async () => {
    const planned = await planDryRun(
      linesOf(
        requestOf('a', { location_name: 'berlin, germany', unknown_fields: ['color'] }),
        requestOf('b', { location_name: 'Nowhere' }),
      ),
      project,
    );

    expect(planned.keywords).toEqual([
      { n: 0, request: requestOf('a', { location_name: 'Berlin,Germany' }) },
      { n: 1, request: requestOf('b', { location_name: 'Nowhere' }) },
    ]);
    expect(planned.warnings).toEqual([expect.stringContaining('color'), expect.stringContaining('Nowhere')]);
  });

  test.each<[string, number, number, [number, string][], number[]]>([
    [
      'has room for all',
      3,
      0,
      [
        [0, 'coffee'],
        [1, 'a'],
        [2, 'b'],
      ],
      [],
    ],
    [
      'has room for the first new ones',
      4,
      0,
      [
        [0, 'coffee'],
        [1, 'a'],
      ],
      [4, 5],
    ],
    [
      'has room that no other import claims',
      2,
      2,
      [
        [0, 'coffee'],
        [1, 'a'],
      ],
      [4, 5],
    ],
    ['has no room but for those that it has', 5, 0, [[0, 'coffee']], [3, 4, 5]],
    ['has less than no room', 5, 9, [[0, 'coffee']], [3, 4, 5]],
  ])('for a project that %s leaves the lines of the others', async (_, present, claimed, kept, left) => {
    has(...others(present), coffee);
    vi.mocked(readClaimed).mockResolvedValue(claimed);

    const planned = await planDryRun(linesOf('coffee', 'a', 'b', 'B'), project);
    expect(textsOf(planned)).toEqual(kept);
    expect(planned.added).toBe(kept.length - 1);
    expect(planned.present).toBe(present + 1);
    expect(planned.lines.refused.map(({ row, column }) => [row, column])).toEqual([
      ...left.map((row) => [row, null]),
      [9, 'device'],
    ]);
    expect(planned.lines.accepted.map(({ row }) => row)).toEqual(
      [2, 3, 4, 5].filter((row) => !left.includes(row)),
    );
    expect(planned.lines.errors).toEqual(linesOf().errors);
  });

  test('says why there is no room', async () => {
    has(...others(4));
    const reason = async () => (await planDryRun(linesOf('a', 'b', 'c'), project)).lines.refused[0]?.message;

    const text = 'There is no room for the keyword: A project has at most 6 keywords';
    expect(await reason()).toBe(text);
    vi.mocked(readClaimed).mockResolvedValue(2);
    expect(await reason()).toBe(`${text}, and imports that run may add 2 to it: try again when they end`);
  });
});

describe('an import', () => {
  const plan = (lines: Lines, on_error: 'refuse' | 'skip' = 'skip') =>
    planImport(lines, project, 9, { on_error });
  const orderOf = (mock: unknown, call = 0) =>
    vi.mocked(mock as typeof putClaim).mock.invocationCallOrder[call] ?? 0;

  test('claims room for its new keywords, and then looks at the claims of others', async () => {
    has(coffee);

    expect(textsOf(await plan(linesOf('coffee', 'tea')))).toEqual([
      [0, 'coffee'],
      [1, 'tea'],
    ]);
    expect(putClaim).toHaveBeenCalledExactlyOnceWith(named, 1, 1000);
    expect(vi.mocked(readClaimed).mock.calls).toEqual([
      [named, 1000],
      [named, 1000],
    ]);
    expect(orderOf(putClaim)).toBeLessThan(orderOf(readClaimed, 1));
    expect(dropClaim).not.toHaveBeenCalled();
  });

  test('of nothing new claims nothing', async () => {
    has(coffee);

    expect(await plan(linesOf('coffee'))).toMatchObject({ added: 0 });
    expect(putClaim).not.toHaveBeenCalled();
  });

  test('is refused as a whole for a line without room, if it is to be', async () => {
    has(...others(4));
    vi.mocked(readClaimed).mockResolvedValue(1);
    const lines = linesOf('a', 'b');

    await expect(plan(lines, 'refuse')).rejects.toThrow(
      expect.objectContaining({
        statusCode: 409,
        detail: expect.stringMatching(/6 keywords, .+ add 1 to it/),
      }),
    );
    expect(putClaim).not.toHaveBeenCalled();
    expect(textsOf(await plan(lines))).toEqual([[0, 'a']]);
    vi.mocked(readClaimed).mockResolvedValue(0);
    expect(textsOf(await plan(lines, 'refuse'))).toHaveLength(2);
  });

  test.each([
    [4, true],
    [5, false],
  ])('meets another one that claims %i meanwhile: fits %s', async (claimed, fits) => {
    has(coffee);
    vi.mocked(readClaimed).mockResolvedValueOnce(0).mockResolvedValueOnce(claimed);
    vi.spyOn(Math, 'random').mockReturnValue(0.25);
    await plan(linesOf('tea'));

    expect(putClaim).toHaveBeenCalledTimes(fits ? 1 : 2);
    expect(vi.mocked(dropClaim).mock.calls).toEqual(fits ? [] : [[named]]);
    expect(vi.mocked(setTimeout).mock.calls).toEqual(fits ? [] : [[50]]);
  });

  test('that meets others ten times is given up, without a claim', async () => {
    has(coffee);
    vi.mocked(readClaimed).mockImplementation(async () =>
      vi.mocked(readClaimed).mock.calls.length % 2 === 0 ? 9 : 0,
    );

    await expect(plan(linesOf('tea'))).rejects.toThrow(
      expect.objectContaining({
        statusCode: 409,
        detail: 'The project is being changed at the same time: send the request again',
      }),
    );
    expect(putClaim).toHaveBeenCalledTimes(10);
    expect(dropClaim).toHaveBeenCalledTimes(10);
    expect(orderOf(dropClaim, 9)).toBeGreaterThan(orderOf(putClaim, 9));
  });
});

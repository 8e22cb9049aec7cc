/** Imports of keywords: what is recorded, in which order, and what a repeated request gets. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { HttpError } from '../../../../lib/model/http-error.ts';
import type { RefusedLine } from '../../../../lib/model/keyword-import.ts';
import type { Project } from '../../../../lib/model/tracking.ts';
import { continueImport } from '../../../../lib/reporting/continue-import.ts';
import { findProject } from '../../../../lib/reporting/find.ts';
import { endRequest } from '../../../../lib/reporting/finish-work.ts';
import {
  importKeywords,
  readKeywordImport,
  shownImport,
} from '../../../../lib/reporting/manage/import-keywords.ts';
import {
  type Lines,
  type Planned,
  planDryRun,
  planImport,
  withDomainErrors,
} from '../../../../lib/reporting/manage/plan-import.ts';
import { clock } from '../../../../lib/runtime/clock.ts';
import { timeLimit } from '../../../../lib/runtime/time-limit.ts';
import {
  type ImportKey,
  type KeywordImport,
  putImportKey,
  putImportParts,
  readImport,
  readImportKey,
  readRefused,
  takeTurn,
  writeImport,
} from '../../../../lib/store/keyword-imports.ts';
import { beginWork, leaveWork } from '../../../../lib/store/project-work.ts';
import { reserveIds } from '../../../../lib/store/projects.ts';
import { taskId } from '../../../../lib/task/id.ts';

vi.mock(import('../../../../lib/reporting/continue-import.ts'), () => ({ continueImport: vi.fn() }));
vi.mock(import('../../../../lib/reporting/find.ts'), () => ({ findProject: vi.fn() }));
vi.mock(import('../../../../lib/reporting/finish-work.ts'), () => ({ endRequest: vi.fn() }));
vi.mock(import('../../../../lib/reporting/manage/plan-import.ts'), () => ({
  planDryRun: vi.fn(),
  planImport: vi.fn(),
  withDomainErrors: vi.fn(),
}));
vi.mock(import('../../../../lib/runtime/clock.ts'), async (original) => ({
  ...(await original()),
  clock: vi.fn(),
}));
vi.mock(import('../../../../lib/runtime/time-limit.ts'), () => ({ timeLimit: vi.fn() }));
vi.mock(import('../../../../lib/store/keyword-imports.ts'), () => ({
  importSeconds: 7 * 86_400,
  putImportKey: vi.fn(),
  putImportParts: vi.fn(),
  readImport: vi.fn(),
  readImportKey: vi.fn(),
  readRefused: vi.fn(),
  takeTurn: vi.fn(),
  writeImport: vi.fn(),
}));
vi.mock(import('../../../../lib/store/project-work.ts'), () => ({ beginWork: vi.fn(), leaveWork: vi.fn() }));
vi.mock(import('../../../../lib/store/projects.ts'), () => ({ reserveIds: vi.fn() }));

const now = 1_790_000_000;
const user = { id: 1 };
const project = { user_id: 1, project_id: 2, name: 'Shop' } as unknown as Project;
const work = { kind: 'import', user_id: 1, project_id: 2 };
const key = { key: 'k', path: '/imports', body: 'hash' };

const refused: RefusedLine[] = [
  { row: 3, column: 'device', message: 'bad' },
  { row: 3, column: 'engine', message: 'bad' },
  { row: 5, column: null, message: 'bad' },
];
const error = { loc: ['body', 1, 'device'], type: 'value_error', msg: 'bad' };
const lines = (more: Partial<Lines> = {}): Lines =>
  ({ accepted: [{ row: 2 }], refused: [], errors: [], ...more }) as unknown as Lines;
/** A plan for four lines with three keywords, and two lines that are refused. */
const planned = {
  lines: { accepted: [{}, {}, {}, {}], refused, errors: [] },
  keywords: [{ n: 0 }, { n: 1 }, { n: 2 }],
  added: 2,
  present: 9,
  warnings: ['unknown'],
  cost: { searches_per_day: 3, monthly_cost_usd: 0.5 },
} as unknown as Planned;

/** The import that is stored. */
let stored: KeywordImport | undefined;
const bring = (more: object = {}, idempotency?: typeof key, found = lines()) =>
  importKeywords(user, 2, found, { on_error: 'skip', dry_run: false, ...more }, idempotency);
const written = () => vi.mocked(writeImport).mock.calls.map(([row]) => row);
const orderOf = (mock: unknown, call = 0) =>
  vi.mocked(mock as typeof beginWork).mock.invocationCallOrder[call] ?? 0;

beforeEach(() => {
  vi.resetAllMocks();
  stored = undefined;
  vi.mocked(clock).mockReturnValue(now);
  vi.mocked(timeLimit).mockReturnValue(() => false);
  vi.mocked(findProject).mockResolvedValue(project);
  vi.mocked(withDomainErrors).mockImplementation((found) => found);
  vi.mocked(planImport).mockResolvedValue(planned);
  vi.mocked(planDryRun).mockResolvedValue(planned);
  vi.mocked(reserveIds).mockResolvedValueOnce(70).mockResolvedValueOnce(500);
  vi.mocked(beginWork).mockResolvedValue(work as never);
  vi.mocked(putImportParts).mockResolvedValue({ parts: 1, refused_parts: 1 });
  vi.mocked(putImportKey).mockResolvedValue(true);
  vi.mocked(writeImport).mockImplementation(async (row) => {
    stored = row;
    return true;
  });
  vi.mocked(readImport).mockImplementation(async () => stored);
  vi.mocked(readRefused).mockResolvedValue(refused);
  vi.mocked(takeTurn).mockResolvedValue(true);
  vi.mocked(continueImport).mockResolvedValue(true);
});

const import_id = taskId(now, 70);
const shown = {
  project_id: 2,
  import_id,
  status: 'running',
  created_at: now,
  ended_at: null,
  lines: 6,
  accepted: 4,
  refused: 2,
  handled: 1,
  added: 0,
  existing: 1,
  reason: null,
  warnings: ['unknown'],
  searches_per_day: 3,
  monthly_cost_usd: 0.5,
  refused_lines: refused,
};
const { refused_lines: _, ...counts } = shown;
const row = {
  ...counts,
  user_id: 1,
  first: 500,
  parts: 1,
  next_part: 0,
  refused_parts: 1,
  ttl: now + 7 * 86_400,
  revision: 0,
};

describe('while another import of the project has the turn', () => {
  test('the request waits for its end', async () => {
    vi.mocked(takeTurn).mockResolvedValueOnce(false);

    await bring();

    expect(takeTurn).toHaveBeenCalledTimes(2);
    expect(takeTurn).toHaveBeenCalledWith(expect.objectContaining({ project_id: 2, import_id }), now);
    expect(orderOf(takeTurn, 1)).toBeLessThan(orderOf(continueImport));
  });

  test('the request waits as long as it may add parts', async () => {
    vi.mocked(timeLimit).mockReturnValue(() => vi.mocked(takeTurn).mock.calls.length >= 3);
    vi.mocked(takeTurn).mockResolvedValue(false);
    vi.mocked(continueImport).mockResolvedValue(false);

    await bring();

    expect(takeTurn).toHaveBeenCalledTimes(3);
    expect(leaveWork).toHaveBeenCalledExactlyOnceWith(work);
  });

  test('an import that adds nothing does not wait', async () => {
    vi.mocked(putImportParts).mockResolvedValue({ parts: 0, refused_parts: 1 });

    await bring();

    expect(takeTurn).not.toHaveBeenCalled();
    expect(continueImport).toHaveBeenCalledTimes(1);
  });
});

describe('an import', () => {
  test('is recorded with its counts, and begins at once', async () => {
    expect(await bring()).toEqual(shown);

    expect(findProject).toHaveBeenCalledExactlyOnceWith(user, 2);
    expect(timeLimit).toHaveBeenCalledExactlyOnceWith(3);
    expect(planImport).toHaveBeenCalledExactlyOnceWith(lines(), project, import_id, { on_error: 'skip' });
    expect(vi.mocked(reserveIds).mock.calls).toEqual([[1], [3]]);
    expect(beginWork).toHaveBeenCalledExactlyOnceWith('import', expect.anything(), now, String(import_id));
    expect(vi.mocked(beginWork).mock.calls[0]?.[1]).toMatchObject({ user_id: 1, project_id: 2 });
    expect(putImportParts).toHaveBeenCalledExactlyOnceWith(
      { ...row, parts: 0, refused_parts: 0 },
      planned.keywords,
      refused,
      row.ttl,
    );
    expect(written()).toEqual([row]);
    expect(readImport).toHaveBeenCalledExactlyOnceWith({ project_id: 2, import_id }, now);
    expect(continueImport).toHaveBeenCalledExactlyOnceWith(work, expect.any(Function));
    expect(endRequest).toHaveBeenCalledExactlyOnceWith(work);
    const order = [planImport, beginWork, putImportParts, writeImport, continueImport, endRequest];
    expect(order.map((mock) => orderOf(mock))).toEqual(
      order.map((mock) => orderOf(mock)).toSorted((a, b) => a - b),
    );
  });

  test('shows how far it has come', async () => {
    vi.mocked(continueImport).mockImplementation(async () => {
      stored = { ...row, status: 'done', handled: 4, added: 2, ended_at: now } as KeywordImport;
      return true;
    });

    expect(await bring()).toEqual({ ...shown, status: 'done', handled: 4, added: 2, ended_at: now });
  });

  test('that is gone when it is read shows what was planned', async () => {
    vi.mocked(readImport).mockResolvedValue(undefined);

    expect(await bring()).toEqual(shown);
  });

  test.each<[string, number, boolean, boolean, boolean]>([
    ['of one part goes on, also after the time', 1, true, true, true],
    ['of no part goes on, also after the time', 0, true, true, true],
    ['of several parts goes on in the time', 2, false, true, true],
    ['of several parts is left after the time', 2, true, false, false],
    ['that does not end is left', 2, false, true, false],
  ])('%s', async (_title, parts, isOver, continues, ends) => {
    vi.mocked(putImportParts).mockResolvedValue({ parts, refused_parts: 0 });
    vi.mocked(timeLimit).mockReturnValue(() => isOver);
    vi.mocked(continueImport).mockResolvedValue(ends);
    await bring();

    expect(continueImport).toHaveBeenCalledTimes(continues ? 1 : 0);
    expect(endRequest).toHaveBeenCalledTimes(ends ? 1 : 0);
    expect(vi.mocked(leaveWork).mock.calls).toEqual(ends ? [] : [[work]]);
    if (continues) expect(vi.mocked(continueImport).mock.calls[0]?.[1]()).toBe(isOver);
  });

  test('that another request has recorded stays as it is', async () => {
    vi.mocked(writeImport).mockResolvedValue(false);
    await bring();

    for (const mock of [continueImport, endRequest, leaveWork]) expect(mock).not.toHaveBeenCalled();
  });
});

test('a dry run says what an import would add, and writes nothing', async () => {
  expect(await bring({ dry_run: true, on_error: 'refuse' }, key, lines({ errors: [error] }))).toEqual({
    ...shown,
    import_id: null,
    status: 'dry_run',
    handled: 0,
    added: 2,
    existing: 2,
  });
  expect(planDryRun).toHaveBeenCalledExactlyOnceWith(lines({ errors: [error] }), project);
  for (const mock of [reserveIds, putImportKey, beginWork, writeImport]) {
    expect(mock).not.toHaveBeenCalled();
  }
});

describe('bad lines', () => {
  const errors = Array.from({ length: 10_001 }, (_, n) => ({ ...error, loc: ['body', n] }));
  const refusal = (detail: unknown) => expect.objectContaining({ statusCode: 422, detail });

  test('refuse the file with its errors, before the project is read', async () => {
    await expect(bring({ on_error: 'refuse' }, undefined, lines({ errors }))).rejects.toThrow(
      refusal(errors.slice(0, 10_000)),
    );
    expect(findProject).not.toHaveBeenCalled();
  });

  test('are also those that need the domain of the project', async () => {
    vi.mocked(withDomainErrors).mockReturnValue(lines({ errors: [error] }));

    await expect(bring({ on_error: 'refuse' })).rejects.toThrow(refusal([error]));
    expect(withDomainErrors).toHaveBeenCalledExactlyOnceWith(lines(), project);
    expect(reserveIds).not.toHaveBeenCalled();
  });

  test('that are skipped refuse nothing', async () => {
    await bring({}, undefined, lines({ errors: [error] }));

    expect(writeImport).toHaveBeenCalledTimes(1);
  });

  test('are shown as far as a response has room', () => {
    const list = (count: number) =>
      Array.from({ length: count }, (_, n) => ({ row: n, column: null, message: 'x'.repeat(1_000_000) }));
    const rowsOf = (count: number) => shownImport(row as KeywordImport, list(count)).refused_lines.length;

    expect([0, 3, 4, 5, 9].map(rowsOf)).toEqual([0, 3, 4, 4, 4]);
    const huge = { row: 1, column: null, message: 'x'.repeat(5_000_000) };
    expect(shownImport(row as KeywordImport, [huge]).refused_lines).toEqual([]);
  });

  test('of an import without warnings have none', () => {
    const { warnings: _none, ...early } = row;

    expect(shownImport(early as KeywordImport, refused)).toEqual({ ...shown, warnings: [] });
  });
});

describe('a key', () => {
  const earlier = { import_id: 77, body: 'hash skip' };
  /** What the key names, each time that it is read. */
  const named = (...found: (ImportKey | undefined)[]) => {
    for (const each of found) vi.mocked(readImportKey).mockResolvedValueOnce(each);
  };

  test('is recorded with the request, before the import is planned', async () => {
    expect(await bring({}, key)).toEqual(shown);

    expect(readImportKey).toHaveBeenCalledExactlyOnceWith(2, 'k', now);
    expect(putImportKey).toHaveBeenCalledExactlyOnceWith(2, 'k', { import_id, body: 'hash skip' }, now);
    expect(orderOf(putImportKey)).toBeLessThan(orderOf(planImport));
    expect(planImport).toHaveBeenCalledTimes(1);
  });

  test('of an earlier request gives its import, and adds nothing', async () => {
    named(earlier);
    stored = { ...row, import_id: 77, status: 'done' } as KeywordImport;

    expect(await bring({}, key)).toEqual({ ...shown, import_id: 77, status: 'done' });
    expect(readImport).toHaveBeenCalledExactlyOnceWith({ project_id: 2, import_id: 77 }, now);
    for (const mock of [reserveIds, putImportKey, planImport, writeImport]) {
      expect(mock).not.toHaveBeenCalled();
    }
  });

  test('of a request that died before its import gives this one its id', async () => {
    named(earlier);
    vi.mocked(reserveIds).mockReset().mockResolvedValueOnce(500);

    expect(await bring({}, key)).toEqual({ ...shown, import_id: 77 });
    expect(written()).toEqual([{ ...row, import_id: 77 }]);
  });

  test.each([
    ['another file', 'other skip'],
    ['another choice for bad lines', 'hash refuse'],
  ])('with %s is refused', async (_title, body) => {
    named({ ...earlier, body });

    await expect(bring({}, key)).rejects.toThrow(
      expect.objectContaining({
        statusCode: 422,
        detail: [expect.objectContaining({ msg: expect.stringContaining('another body') })],
      }),
    );
    expect(reserveIds).not.toHaveBeenCalled();
  });

  test.each<[string, ImportKey | undefined, number]>([
    ['uses the id of that one', earlier, 77],
    ['and expires uses its own id', undefined, import_id],
  ])('that another request records at the same time %s', async (_title, found, expected) => {
    named(undefined, found);
    vi.mocked(putImportKey).mockResolvedValue(false);

    expect(await bring({}, key)).toMatchObject({ import_id: expected });
    expect(readImportKey).toHaveBeenCalledTimes(2);
  });
});

describe('the progress of an import', () => {
  const read = () => readKeywordImport(user, { project_id: 2, import_id: 77 });

  test('is that of the project, with the refused lines', async () => {
    stored = { ...row, import_id: 77 } as KeywordImport;

    expect(await read()).toEqual({ ...shown, import_id: 77 });
    expect(findProject).toHaveBeenCalledExactlyOnceWith(user, 2);
    expect(readImport).toHaveBeenCalledExactlyOnceWith({ project_id: 2, import_id: 77 }, now);
    expect(readRefused).toHaveBeenCalledExactlyOnceWith(stored);
  });

  test('of an unknown one is none', async () => {
    await expect(read()).rejects.toThrow(
      expect.objectContaining({ statusCode: 404, detail: 'Import not found' }),
    );
    expect(readRefused).not.toHaveBeenCalled();
  });

  test('is not read for the project of another user', async () => {
    vi.mocked(findProject).mockRejectedValue(new HttpError(404, 'Project not found'));

    await expect(read()).rejects.toThrow('Project not found');
    expect(readImport).not.toHaveBeenCalled();
  });
});

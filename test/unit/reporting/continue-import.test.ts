/** The parts of an import that are added one after the other, and its end. The tables are replaced. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { HttpError } from '../../../lib/model/http-error.ts';
import type { KeywordRequest } from '../../../lib/model/tracked-keyword.ts';
import type { TrackedKeyword } from '../../../lib/model/tracking.ts';
import { continueImport } from '../../../lib/reporting/continue-import.ts';
import { newKeyword } from '../../../lib/reporting/new-keyword.ts';
import { scheduleChunks } from '../../../lib/reporting/schedule.ts';
import { addMissing, tooMany } from '../../../lib/reporting/write-keywords.ts';
import { clock } from '../../../lib/runtime/clock.ts';
import { type Chunk, readPresentChunks } from '../../../lib/store/chunks.ts';
import { dropClaim } from '../../../lib/store/import-claims.ts';
import {
  dropImportParts,
  type KeywordImport,
  readImport,
  readImportPart,
  takeTurn,
  writeImport,
} from '../../../lib/store/keyword-imports.ts';
import { readProject } from '../../../lib/store/projects.ts';
import { taskId } from '../../../lib/task/id.ts';

vi.mock(import('../../../lib/reporting/schedule.ts'), () => ({ scheduleChunks: vi.fn() }));
vi.mock(import('../../../lib/reporting/write-keywords.ts'), () => ({
  addMissing: vi.fn(),
  tooMany: (claimed = 0) => new HttpError(409, `There is no room, ${claimed} are claimed`),
}));
vi.mock(import('../../../lib/runtime/clock.ts'), async (original) => ({
  ...(await original()),
  clock: vi.fn(),
}));
vi.mock(import('../../../lib/store/chunks.ts'), () => ({ readPresentChunks: vi.fn() }));
vi.mock(import('../../../lib/store/import-claims.ts'), () => ({ dropClaim: vi.fn() }));
vi.mock(import('../../../lib/store/keyword-imports.ts'), () => ({
  dropImportParts: vi.fn(),
  readImport: vi.fn(),
  readImportPart: vi.fn(),
  takeTurn: vi.fn(),
  writeImport: vi.fn(),
}));
vi.mock(import('../../../lib/store/projects.ts'), () => ({ readProject: vi.fn() }));

const project = { user_id: 1, project_id: 2, domain: 'example.com', check_frequency: 24 };
const requestOf = (keyword: string) =>
  ({
    keyword,
    engine: 'google',
    engine_domain: '',
    location_name: 'Berlin,Germany',
    iso_code: 'DE',
    language_code: 'de',
    device: 'desktop',
    type: 'owner',
    domain: '',
    google_business: null,
  }) as KeywordRequest;
const start = {
  user_id: 1,
  project_id: 2,
  import_id: 9,
  status: 'running',
  created_at: 1000,
  ended_at: null,
  handled: 1,
  added: 0,
  existing: 1,
  first: 70,
  parts: 2,
  next_part: 0,
  reason: null,
  revision: 3,
} as unknown as KeywordImport;
const parts = [['a', 'b'], ['c']];
const idOf = (n: number) => taskId(1000, 70 + n);

/** The import and the keywords that are stored. */
let row: KeywordImport | undefined;
let chunk: Chunk;
const goOn = (isOver = false) => continueImport({ project_id: 2, id: '9' }, () => isOver);
const written = () => vi.mocked(writeImport).mock.calls.map(([each]) => each);
const orderOf = (mock: unknown, call = 0) =>
  vi.mocked(mock as typeof dropClaim).mock.invocationCallOrder[call] ?? 0;
const keywordsOf = (...texts: string[]): TrackedKeyword[] =>
  texts.map((text, n) => ({
    keyword_id: 500 + n,
    ...newKeyword(requestOf(text), 'Berlin,Germany', project, 0).keyword,
  }));

beforeEach(() => {
  vi.resetAllMocks();
  row = start;
  chunk = { n: 0, revision: 1, keywords: [] };
  vi.mocked(clock).mockReturnValue(2000);
  vi.mocked(readProject).mockResolvedValue(project as never);
  vi.mocked(readImport).mockImplementation(async () => row);
  vi.mocked(readImportPart).mockImplementation(async (_, part) =>
    (parts[part] ?? []).map((text, n) => ({ n: part * 2 + n, request: requestOf(text) })),
  );
  vi.mocked(takeTurn).mockResolvedValue(true);
  vi.mocked(writeImport).mockImplementation(async (each) => {
    row = { ...each, revision: each.revision + 1 };
    return true;
  });
  vi.mocked(addMissing).mockImplementation(async (_, wanted, idsFor) => {
    const known = chunk.keywords.map(({ keyword }) => keyword);
    const missing = wanted.filter(({ keyword }) => !known.includes(keyword.keyword));
    const ids = await idsFor(missing);
    const added = missing.map(({ keyword }, n) => ({ keyword_id: ids[n] ?? 0, ...keyword }));
    chunk = { ...chunk, keywords: [...chunk.keywords, ...added] };
    return [chunk];
  });
});

describe('an import', () => {
  test('is added part by part with the ids that it has reserved, and then ends', async () => {
    expect(await goOn()).toBe(true);

    expect(chunk.keywords.map(({ keyword, keyword_id }) => [keyword, keyword_id])).toEqual([
      ['a', idOf(0)],
      ['b', idOf(1)],
      ['c', idOf(2)],
    ]);
    expect(chunk.keywords[0]).toMatchObject({ location_name: 'Berlin,Germany', domain: 'example.com' });
    expect(written()).toEqual([
      { ...start, next_part: 1, handled: 3, added: 2, existing: 1 },
      { ...start, next_part: 2, handled: 4, added: 3, existing: 1, revision: 4 },
      {
        ...start,
        next_part: 2,
        handled: 4,
        added: 3,
        existing: 1,
        revision: 5,
        status: 'done',
        ended_at: 2000,
      },
    ]);
    expect(readImport).toHaveBeenCalledWith({ project_id: 2, import_id: 9 }, 2000);
    expect(readProject).toHaveBeenCalledWith(1, 2);
  });

  test('drops its claim and its parts after its end', async () => {
    await goOn();

    expect(dropClaim).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ import_id: 9 }));
    expect(dropImportParts).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ parts: 2 }));
    expect(orderOf(writeImport, 2)).toBeLessThan(orderOf(dropClaim));
    expect(orderOf(dropClaim)).toBeLessThan(orderOf(dropImportParts));
  });

  test('schedules its own keywords only, before the part counts as added', async () => {
    const [other] = keywordsOf('other');
    chunk = { ...chunk, keywords: other ? [other] : [] };
    await goOn();
    const [[owner, chunks, isWanted] = []] = vi.mocked(scheduleChunks).mock.calls;

    expect(owner).toBe(project);
    expect(chunks?.[0]?.keywords.map((each) => [each.keyword, isWanted?.(each)])).toEqual([
      ['other', false],
      ['a', true],
      ['b', true],
    ]);
    expect(orderOf(scheduleChunks)).toBeLessThan(orderOf(writeImport));
  });

  test('gives the chunks of a part to the next one', async () => {
    await goOn();

    expect(vi.mocked(addMissing).mock.calls.map(([, , , before]) => before?.[0]?.keywords.length)).toEqual([
      undefined,
      2,
    ]);
  });

  test('counts the keywords that the project has, and a keyword that the part has twice', async () => {
    chunk = { ...chunk, keywords: keywordsOf('a') };
    vi.mocked(readImportPart).mockImplementation(async (_, part) =>
      part > 0 ? [] : ['a', 'b', 'B'].map((text, n) => ({ n, request: requestOf(text) })),
    );
    await goOn();

    expect(written()[0]).toMatchObject({ handled: 4, added: 1, existing: 3 });
    expect(chunk.keywords.map(({ keyword_id }) => keyword_id)).toEqual([500, idOf(1)]);
  });

  test('that adds a part again counts the same', async () => {
    vi.mocked(writeImport).mockRejectedValueOnce(new Error('broken'));
    await expect(goOn()).rejects.toThrow('broken');

    await goOn();
    expect(written().at(-1)).toMatchObject({ status: 'done', handled: 4, added: 3, existing: 1 });
    expect(chunk.keywords).toHaveLength(3);
  });
});

describe('the time', () => {
  test('ends a run after one part, unless that is the last one', async () => {
    expect(await goOn(true)).toBe(false);
    expect(row).toMatchObject({ status: 'running', next_part: 1 });

    expect(await goOn(true)).toBe(true);
    expect(row).toMatchObject({ status: 'done', next_part: 2 });
  });
});

test('an import adds nothing while another one of its project has the turn', async () => {
  vi.mocked(takeTurn).mockResolvedValueOnce(false);

  expect(await goOn()).toBe(false);
  expect(addMissing).not.toHaveBeenCalled();
  expect(row).toBe(start);

  expect(await goOn()).toBe(true);
  expect(row).toMatchObject({ status: 'done', added: 3 });
  // Once for each run.
  expect(vi.mocked(takeTurn).mock.calls).toEqual([
    [start, 2000],
    [start, 2000],
  ]);
});

describe('an import ends at once', () => {
  test('that is gone', async () => {
    row = undefined;

    expect(await goOn()).toBe(true);
    for (const mock of [writeImport, dropClaim, dropImportParts]) expect(mock).not.toHaveBeenCalled();
  });

  test.each(['done', 'failed'] as const)('that is %s, with its parts and its claim', async (status) => {
    row = { ...start, status };

    expect(await goOn()).toBe(true);
    expect(dropImportParts).toHaveBeenCalledExactlyOnceWith(row);
    expect(writeImport).not.toHaveBeenCalled();
    // The answer of the write that ended it may have been lost.
    expect(dropClaim).toHaveBeenCalledExactlyOnceWith(row);
  });

  test('whose project is deleted', async () => {
    vi.mocked(readProject).mockResolvedValue(undefined);

    expect(await goOn()).toBe(true);
    expect(written()).toEqual([
      { ...start, status: 'failed', reason: 'The project was deleted', added: 0, ended_at: 2000 },
    ]);
    expect(addMissing).not.toHaveBeenCalled();
    expect(dropClaim).toHaveBeenCalledTimes(1);
  });

  test('whose room others have taken, with what it could add', async () => {
    row = { ...start, added: 4, next_part: 1 };
    vi.mocked(addMissing).mockImplementationOnce(async (_, wanted, idsFor) => {
      const [id = 0] = await idsFor(wanted);
      const [first] = wanted;
      chunk = {
        ...chunk,
        keywords: first ? [...keywordsOf('other'), { keyword_id: id, ...first.keyword }] : [],
      };
      throw tooMany();
    });
    vi.mocked(readPresentChunks).mockImplementation(async () => [chunk]);

    expect(await goOn()).toBe(true);
    expect(written()).toEqual([
      {
        ...row,
        revision: 3,
        status: 'failed',
        reason: tooMany().detail,
        handled: 2,
        added: 5,
        ended_at: 2000,
      },
    ]);
    expect(readPresentChunks).toHaveBeenCalledExactlyOnceWith(2);
    expect(vi.mocked(scheduleChunks).mock.calls[0]?.[1]).toEqual([chunk]);
  });

  test.each([tooMany(3), new HttpError(409, 'The project is being changed'), new Error('broken')])(
    'but not by an error that the next run may not meet: %s',
    async (error) => {
      vi.mocked(addMissing).mockRejectedValueOnce(error);

      await expect(goOn()).rejects.toBe(error);
      expect(writeImport).not.toHaveBeenCalled();
    },
  );

  test.each([
    ['done', { ...start, next_part: 2 }],
    ['failed', start],
  ])('and is read again, if another run writes it first: %s', async (status, before) => {
    row = before;
    if (status === 'failed') vi.mocked(readProject).mockResolvedValue(undefined);
    vi.mocked(writeImport).mockImplementationOnce(async () => {
      row = { ...before, revision: 8 };
      return false;
    });

    expect(await goOn()).toBe(true);
    expect(written().map((each) => [each.status, each.revision])).toEqual([
      [status, 3],
      [status, 8],
    ]);
    expect(dropClaim).toHaveBeenCalledTimes(1);
  });
});

/** Imports of keywords in real tables: large ones, several at once, and after the death of the process. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { paginateQuery } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { AddKeywordsRequest } from '../../../lib/model/tracked-keyword.ts';
import { inParallel } from '../../../lib/runtime/in-parallel.ts';
import type { KeywordImport as ImportRow } from '../../../lib/store/keyword-imports.ts';
import { startTables } from '../../tables.ts';
import { dyingProcesses } from './dying-process.ts';

const { stop } = await startTables();
afterAll(stop);
const { dynamo } = await import('../../../lib/runtime/aws.ts');
const { importKeywords, readKeywordImport } = await import(
  '../../../lib/reporting/manage/import-keywords.ts'
);
const { addKeywords } = await import('../../../lib/reporting/manage/add-keywords.ts');
const { createProject, removeProject } = await import('../../../lib/reporting/manage/projects.ts');
const { finishProjectWork } = await import('../../../lib/reporting/finish-work.ts');
const { keywordOf } = await import('../../tracked-project.ts');
const { clock } = await import('../../../lib/runtime/clock.ts');
const { changeChunk, readPresentChunks } = await import('../../../lib/store/chunks.ts');
const { findKeyword } = await import('../../../lib/store/projects.ts');
const { continueImport } = await import('../../../lib/reporting/continue-import.ts');
const { putImportParts, readImport, takeTurn, writeImport } = await import(
  '../../../lib/store/keyword-imports.ts'
);
const { listWork } = await import('../../../lib/store/project-work.ts');
const { readSearch } = await import('../../../lib/store/searches.ts');
vi.spyOn(process.stdout, 'write').mockReturnValue(true);

const dyingAt = dyingProcesses(dynamo);

/** A run of another process, which comes before each write of the import until it is set to undefined. */
let otherRun: (() => Promise<unknown>) | undefined;
const inOtherProcess = AsyncLocalStorage.snapshot();
const runBeforeWrites = (run: typeof otherRun): void => {
  otherRun = run;
};
dynamo.middlewareStack.add(
  (next, context) => async (args) => {
    const run = otherRun;
    if (run && String(context.commandName).startsWith('Put')) {
      otherRun = undefined;
      await inOtherProcess(run);
      otherRun = run;
    }
    return next(args);
  },
  { step: 'initialize', name: 'run of another process' },
);

let users = 900;
const newProject = async () => {
  users += 1;
  const user = { id: users };
  const request = { name: 'Shop', domain: 'example.com', competitors: [], locations: [] };
  const project = await createProject(user, {
    ...request,
    check_frequency: 24,
    alerts: null,
    click_rates: null,
  });
  return { user, projectId: project.project_id };
};

const requestsOf = (count: number, from = 0) =>
  v.parse(
    AddKeywordsRequest,
    Array.from({ length: count }, (_, n) => ({ keyword: `tea ${from + n}`, iso_code: 'US' })),
  );

const linesOf = (count: number, from = 0) => ({
  accepted: requestsOf(count, from).map((request, n) => ({ row: n + 2, place: n + 2, request })),
  refused: [],
  errors: [],
});

const skip = { on_error: 'skip', dry_run: false } as const;
const start = (
  { user, projectId }: Awaited<ReturnType<typeof newProject>>,
  lines: ReturnType<typeof linesOf>,
  key?: string,
) => importKeywords(user, projectId, lines, skip, key ? { key, path: '/imports', body: 'hash' } : undefined);

/** Runs of the scheduled function, as long as there is work: on a busy machine, a run may end none of it. */
const finish = async () => {
  // The requests have ended.
  const later = clock() + 3600;
  while ((await listWork(later)).length > 0) await finishProjectWork(later);
};

/** Checks that each keyword is in the project once, can be found and is scheduled. */
const expectComplete = async (
  { user, projectId }: Awaited<ReturnType<typeof newProject>>,
  texts: readonly string[],
) => {
  const keywords = (await readPresentChunks(projectId)).flatMap((chunk) =>
    chunk.keywords.map((keyword) => ({ ...keyword, chunk: chunk.n })),
  );
  expect(keywords.map(({ keyword }) => keyword).toSorted()).toEqual(texts.toSorted());
  expect(new Set(keywords.map(({ keyword_id }) => keyword_id)).size).toBe(texts.length);
  // Some of a large project.
  const step = Math.ceil(keywords.length / 200);
  for (const { keyword_id, search_hash, chunk } of keywords.filter((_, n) => n % step === 0)) {
    expect(await findKeyword(user.id, keyword_id)).toEqual({ project_id: projectId, chunk });
    const { subscribers } = await readSearch(search_hash);
    expect(subscribers.filter((each) => each.keyword_id === keyword_id)).toMatchObject([
      { user_id: user.id, project_id: projectId, chunk },
    ]);
  }
};

const textsOf = (count: number, from = 0) => Array.from({ length: count }, (_, n) => `tea ${from + n}`);

/** The sort keys of the items of a project that have a prefix. */
const itemsOf = async (projectId: number, prefix: string): Promise<string[]> => {
  const keys: string[] = [];
  const query = {
    TableName: process.env.TRACKING_TABLE,
    KeyConditionExpression: 'pk = :project AND sk BETWEEN :prefix AND :end',
    ExpressionAttributeValues: {
      ':project': `project#${projectId}`,
      ':prefix': prefix || '!',
      ':end': `${prefix}~`,
    },
  };
  for await (const { Items = [] } of paginateQuery({ client: dynamo }, query)) {
    keys.push(...Items.map(({ sk }) => String(sk)));
  }
  return keys;
};

test('10,000 lines, twice at once, add each keyword once, and count it once', async () => {
  const project = await newProject();

  const imports = await Promise.all([1, 2].map(() => start(project, linesOf(10_000))));
  await finish();

  await expectComplete(project, textsOf(10_000));
  const ended = await Promise.all(
    imports.map(({ import_id }) =>
      readKeywordImport(project.user, { project_id: project.projectId, import_id: import_id ?? 0 }),
    ),
  );
  for (const each of ended) expect(each).toMatchObject({ status: 'done', accepted: 10_000, handled: 10_000 });
  expect(ended.reduce((sum, { added }) => sum + added, 0)).toBe(10_000);
  expect(ended.reduce((sum, { existing }) => sum + existing, 0)).toBe(10_000);
  expect(await itemsOf(project.projectId, 'import-part#')).toEqual([]);
});

type Recorded = { named: { project_id: number; import_id: number }; goOn: () => Promise<boolean> };

/** Imports that have been recorded, and have added nothing. The first one has the turn. */
const recorded = async (
  project: Awaited<ReturnType<typeof newProject>>,
  files: readonly Parameters<typeof linesOf>[],
): Promise<Recorded[]> => {
  const rows: ImportRow[] = [];
  for (const file of files) {
    const { import_id } = await start(project, linesOf(...file));
    const row = await readImport({ project_id: project.projectId, import_id: Number(import_id) }, clock());
    if (row) rows.push(row);
  }
  if (rows[0]) await takeTurn(rows[0], clock());
  for (const [n, row] of rows.entries()) {
    const keywords = requestsOf(...(files[n] ?? [0])).map((request, n) => ({ n, request }));
    await putImportParts(row, keywords, [], row.ttl);
    const counts = { next_part: 0, handled: 0, added: 0, existing: 0 };
    await writeImport({ ...row, ...counts, status: 'running', ended_at: null });
  }
  for (const { n } of await readPresentChunks(project.projectId)) {
    await changeChunk(project.projectId, n, () => []);
  }
  return rows.map(({ project_id, import_id }) => ({
    named: { project_id, import_id },
    goOn: () => continueImport({ project_id, id: String(import_id) }, () => false),
  }));
};

test('two imports count a keyword of both once, if one goes on as the other has read the project', async () => {
  const project = await newProject();
  // The first one puts those of both into its second chunk, the other one into its first.
  const imports = await recorded(project, [[70], [20, 50]]);
  const [first, second] = imports;
  const isOther = new AsyncLocalStorage<boolean>();
  let other: Promise<unknown> | undefined;
  const name = 'chunks are written after another import has gone on';
  dynamo.middlewareStack.add(
    (next) => async (args) => {
      const { sk } = (args.input as { Item?: { sk?: string } }).Item ?? {};
      if (sk?.startsWith('chunk#') && !isOther.getStore()) {
        other ??= isOther.run(true, async () => second?.goOn());
        await other;
      }
      return next(args);
    },
    { step: 'initialize', name },
  );
  await first?.goOn();
  dynamo.middlewareStack.remove(name);
  for (const each of imports) expect(await each.goOn()).toBe(true);

  expect(other).toBeDefined();
  await expectComplete(project, textsOf(70));
  const ended = await Promise.all(imports.map(({ named }) => readKeywordImport(project.user, named)));
  expect(ended.map(({ added }) => added)).toEqual([70, 0]);
  expect(ended.map(({ existing }) => existing)).toEqual([0, 20]);
});

describe('the turn of a project', () => {
  const take = ({ named }: Recorded) => takeTurn({ ...named, ttl: clock() + 60 }, clock());

  test('stays with an import that runs, and is free when that has ended', async () => {
    const imports = await recorded(await newProject(), [[3], [3]]);
    const takeAll = async () => {
      const taken: boolean[] = [];
      for (const each of imports) taken.push(await take(each));
      return taken;
    };
    expect(await takeAll()).toEqual([true, false]);
    expect(await takeAll()).toEqual([true, false]);

    await imports[0]?.goOn();
    expect(await takeAll()).toEqual([true, true]);
    expect(await takeAll()).toEqual([false, true]);
  });

  test('is written once by an import that has it', async () => {
    const named = { project_id: (await newProject()).projectId, import_id: 7, ttl: clock() + 60 };
    let writes = 0;
    runBeforeWrites(async () => {
      writes += 1;
    });
    const taken = [await takeTurn(named, clock()), await takeTurn(named, clock())];
    runBeforeWrites(undefined);

    expect([taken, writes]).toEqual([[true, true], 1]);
  });

  test('is free if its import has expired', async () => {
    const project = await newProject();
    await takeTurn({ project_id: project.projectId, import_id: 7, ttl: clock() + 60 }, clock());

    const [only] = await recorded(project, [[3]]);
    expect(await only?.goOn()).toBe(true);
  });

  test('goes to one of ten imports that take it at once', async () => {
    const { projectId } = await newProject();
    const taken = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        takeTurn({ project_id: projectId, import_id: n + 1, ttl: clock() + 60 }, clock()),
      ),
    );

    expect(taken.filter(Boolean)).toHaveLength(1);
  });
});

test('imports and requests that share some keywords at once add each of them once', async () => {
  const project = await newProject();

  // Each has other keywords before the shared ones, so they belong into other chunks.
  await Promise.all([
    start(project, linesOf(150)),
    start(project, linesOf(170, 80)),
    start(project, linesOf(90, 120)),
    addKeywords(project.user, project.projectId, requestsOf(130, 100), false),
  ]);
  await finish();

  await expectComplete(project, textsOf(250));
});

test('a line of 2,048 characters is a small part of its import', async () => {
  const project = await newProject();
  const texts = Array.from({ length: 600 }, (_, n) => `${n} ${'☕'.repeat(2000)}`);
  const accepted = v
    .parse(
      AddKeywordsRequest,
      texts.map((keyword) => ({ keyword, iso_code: 'US' })),
    )
    .map((request, n) => ({ row: n + 2, place: n + 2, request }));

  await start(project, { accepted, refused: [], errors: [] });
  await finish();

  await expectComplete(project, texts);
});

test('an import whose project is full ends with its reason', async () => {
  const project = await newProject();
  const project_id = project.projectId;
  const fill = keywordOf();
  await inParallel(Array.from({ length: 399 }).keys(), 8, async (n) => {
    await changeChunk(project_id, n, () => Array.from({ length: 50 }, () => fill));
  });
  await dyingAt(7, () => start(project, linesOf(40)));
  // Not through `POST …/keywords`, which leaves the room to the import.
  await changeChunk(project_id, 399, () => Array.from({ length: 40 }, () => fill));

  await finish();

  const [key = ''] = await itemsOf(project_id, 'import#');
  const named = { project_id, import_id: Number(key.slice('import#'.length)) };
  expect(await readKeywordImport(project.user, named)).toMatchObject({
    status: 'failed',
    reason: 'A project has at most 20,000 keywords',
    added: 0,
  });
});

describe('if the process dies while it imports keywords', () => {
  // The ids, the key, the claim, the work, the part, the import; pointers, chunks, subscribers, progress.
  test.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19])(
    'at write %i, a repeated request with the key imports the rest, once',
    async (write) => {
      const project = await newProject();
      await dyingAt(write, () => start(project, linesOf(70), 'file'));

      const { import_id } = await start(project, linesOf(70), 'file');
      await finish();

      await expectComplete(project, textsOf(70));
      const named = { project_id: project.projectId, import_id: import_id ?? 0 };
      expect(await readKeywordImport(project.user, named)).toMatchObject({
        status: 'done',
        handled: 70,
        added: 70,
        existing: 0,
      });
      expect(await itemsOf(project.projectId, 'import#')).toEqual([`import#${import_id}`]);
    },
  );

  test.each([7, 8, 9, 10, 11, 12, 13])(
    'at write %i, it is finished although a run with a clock five minutes ahead came before each write',
    async (write) => {
      const project = await newProject();
      const now = clock();
      runBeforeWrites(() => finishProjectWork(now + 300));
      await dyingAt(write, () => start(project, linesOf(70)));
      runBeforeWrites(undefined);
      const isRecorded = (await itemsOf(project.projectId, 'import#')).length > 0;

      await finish();

      expect(await itemsOf(project.projectId, 'import-part#')).toEqual([]);
      if (isRecorded) await expectComplete(project, textsOf(70));
    },
  );

  test.each([7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19])(
    'at write %i, an import that was recorded is finished without another request',
    async (write) => {
      const project = await newProject();
      await dyingAt(write, () => start(project, linesOf(70)));
      const isRecorded = (await itemsOf(project.projectId, 'import#')).length > 0;

      await finish();

      await expectComplete(project, isRecorded ? textsOf(70) : []);
    },
  );
});

test.each([1, 2, 3, 4, 5, 6])(
  'a request with the same key that begins and ends before write %i leaves one import, and no parts',
  async (write) => {
    const project = await newProject();
    let writes = 0;
    runBeforeWrites(async () => {
      writes += 1;
      if (writes === write) await start(project, linesOf(70), 'file');
    });
    const { import_id } = await start(project, linesOf(70), 'file');
    runBeforeWrites(undefined);

    expect(writes).toBeGreaterThanOrEqual(write);
    expect(
      await readKeywordImport(project.user, { project_id: project.projectId, import_id: Number(import_id) }),
    ).toMatchObject({ status: 'done', added: 70 });
    expect(await itemsOf(project.projectId, 'import-part#')).toEqual([]);
    await expectComplete(project, textsOf(70));
  },
);

test('a keyword that two runs have written into two chunks is counted once', async () => {
  const project = await newProject();
  const { import_id } = await start(project, linesOf(10));
  const named = { project_id: project.projectId, import_id: Number(import_id) };
  const [chunk] = await readPresentChunks(project.projectId);
  const row = await readImport(named, clock());
  if (!chunk || !row) throw new Error('There is no import');
  // As a run finds it that has read the project before both were written.
  await changeChunk(project.projectId, 1, () => chunk.keywords);
  await putImportParts(
    row,
    requestsOf(10).map((request, n) => ({ n, request })),
    [],
    row.ttl,
  );
  await writeImport({
    ...row,
    status: 'running',
    ended_at: null,
    next_part: 0,
    handled: 0,
    added: 0,
    existing: 0,
  });
  await continueImport({ project_id: named.project_id, id: String(import_id) }, () => false);

  expect(await readKeywordImport(project.user, named)).toMatchObject({
    status: 'done',
    added: 10,
    existing: 0,
  });
});

test('an import ends with its project, and leaves nothing', async () => {
  const project = await newProject();
  await dyingAt(9, () => start(project, linesOf(70), 'file'));

  await removeProject(project.user, project.projectId, clock());
  await finish();

  expect(await itemsOf(project.projectId, '')).toEqual([]);
});

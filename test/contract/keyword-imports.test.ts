/** Imports of keywords: files as people have them, bad lines, progress, and requests that are sent again. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Service, startService } from './service.ts';

vi.mock('../../lib/model/request-limits.ts', async (original) => ({
  ...(await original<object>()),
  maxProjectKeywords: 1020,
}));

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const projects = '/api/v1/projects';

const send = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const answer = await service.call({ method, path, headers, body: body === undefined ? null : text });
  return { ...answer, json: JSON.parse(answer.body) };
};

const newProject = async (fields: object = {}): Promise<{ path: string; imports: string }> => {
  const { json } = await send('POST', projects, { name: 'Shop', domain: 'example.com', ...fields });
  const path = `${projects}/${json.project_id}`;
  return { path, imports: `${path}/imports` };
};

const csv = { 'Content-Type': 'text/csv; charset=utf-8' };

/** The texts of the keywords of a project. */
const keywordsOf = async (path: string): Promise<string[]> =>
  (await send('GET', `${path}/keywords?per_page=500&sort=name`)).json.data.map(
    ({ keyword }: { keyword: string }) => keyword,
  );

describe('a file', () => {
  test.each([
    ['commas', 'keyword,iso_code,location_name\nred shoes,DE,"Berlin,Germany"\nblue shoes,US,\n'],
    ['semicolons', 'keyword;iso_code;location_name\r\nred shoes;DE;Berlin,Germany\r\nblue shoes;US;\r\n'],
    ['tabs', 'keyword\tiso_code\tlocation_name\nred shoes\tDE\tBerlin,Germany\nblue shoes\tUS\n'],
    ['names in any case', 'Keyword,ISO Code,Location-Name\nred shoes,de,"Berlin,Germany"\nblue shoes,us,\n'],
    [
      'words in any case',
      'keyword,iso_code,device,engine,type\nred shoes,DE,Mobile,GOOGLE,Owner\nblue shoes,US, Desktop ,,\n',
    ],
    ['a byte order mark', '\uFEFFkeyword;iso_code\nred shoes;DE\nblue shoes;US'],
    ['a line that names the separator', 'sep=;\nkeyword;iso_code\nred shoes;DE\nblue shoes;US'],
    ['empty cells and empty rows', 'keyword,iso_code,,\n\nred shoes,DE,,\n,,,\nblue shoes,US,,,,\n'],
    [
      'a separator within quotes',
      '"keyword","iso_code","a;b;c;d"\n"red shoes","DE",""\n"blue shoes","US",""',
    ],
  ])('with %s is understood', async (_, file) => {
    const { path, imports } = await newProject();

    const { status, json } = await send('POST', imports, file, csv);

    expect([status, json.status, json.lines, json.added, json.refused]).toEqual([202, 'done', 2, 2, 0]);
    expect(await keywordsOf(path)).toEqual(['blue shoes', 'red shoes']);
  });

  test.each([
    ['no names', '\n\n', 'it has no rows'],
    ['two columns of one name', 'keyword,Keyword\na,b', 'two columns are named "keyword"'],
    ['a quote without an end', 'keyword,iso_code\n"red shoes,DE', 'Quote Not Closed'],
    ['no column of keywords', 'Query,iso_code\ntea,US', 'does not name the column "keyword"'],
    ['no column that is needed', '<html><body>', 'does not name the column "keyword", "iso_code"'],
    ['a first line without an end', 'a'.repeat(20_000), 'first line has more than 10,000 characters'],
  ])('with %s is refused', async (_, file, reason) => {
    const { imports } = await newProject();

    const { status, json } = await send('POST', imports, file, csv);

    expect([status, json.detail]).toEqual([400, expect.stringContaining(reason)]);
  });

  test('with names only, or an empty list, is empty', async () => {
    const { imports } = await newProject();

    expect((await send('POST', imports, 'keyword,iso_code\n', csv)).status).toBe(400);
    expect((await send('POST', imports, [])).status).toBe(400);
  });

  test('with more than 10,000 lines is refused', async () => {
    const { imports } = await newProject();
    const rows = Array.from({ length: 10_001 }, (_, n) => `tea ${n},US`).join('\n');

    const { status, json } = await send('POST', imports, `keyword,iso_code\n${rows}`, csv);

    expect(status).toBe(422);
    expect(json.detail).toEqual([expect.objectContaining({ loc: ['body'], type: 'too_long' })]);
  });

  test.each([['"a text"'], ['{"rows": [{"row": 1, "cells": {}}]}'], ['7']])('is not %s', async (body) => {
    const { imports } = await newProject();

    const { status, json } = await send('POST', imports, body, { 'Content-Type': 'application/json' });

    expect([status, json.detail[0].type]).toEqual([422, 'list_type']);
  });
});

const mixed = [
  'keyword;device;iso_code;location_name;update_frequency;type',
  'red shoes;mobile;DE;Berlin,Germany;24;owner',
  ';;DE;;;',
  '',
  'blue shoes;phone;DE;;0;',
  'green shoes;desktop;XX;;two;',
  'tea;desktop;US;Paris,France;;',
  'coffee;desktop;US;;;;;more',
  '"two',
  'rows";desktop;US;;;',
  'last;mobile;;;24;seller',
].join('\n');

const refused = [
  { row: 3, column: 'keyword', message: 'keyword is missing' },
  { row: 5, column: 'device', message: "device must be 'mobile' or 'desktop', not \"phone\"" },
  { row: 5, column: 'update_frequency', message: 'update_frequency must be 1 or more, not "0"' },
  {
    row: 6,
    column: 'iso_code',
    message: expect.stringMatching(/^iso_code "XX": not the code of a country$/),
  },
  { row: 6, column: 'update_frequency', message: 'update_frequency must be a whole number, not "two"' },
  { row: 7, column: 'location_name', message: expect.stringContaining('"Paris,France" is in France (FR)') },
  { row: 8, column: null, message: expect.stringContaining('The line has 8 cells, and the file 6 columns') },
  { row: 10, column: 'iso_code', message: 'iso_code is missing' },
  { row: 10, column: 'type', message: "type must be 'owner', 'competitor' or 'paid', not \"seller\"" },
];

describe('bad lines', () => {
  test('refuse the whole file, with the rows of the file', async () => {
    const { path, imports } = await newProject();

    const { status, json } = await send('POST', imports, mixed, csv);

    expect(status).toBe(422);
    expect(json.detail.map(({ loc }: { loc: unknown[] }) => loc)).toEqual(
      refused.map(({ row, column }) => ['body', row, ...(column ? [column] : [])]),
    );
    expect(json.detail.map(({ msg }: { msg: string }) => msg)).toEqual(refused.map(({ message }) => message));
    expect(await keywordsOf(path)).toEqual([]);
  });

  test('are left out with on_error=skip, and listed', async () => {
    const { path, imports } = await newProject();

    const { status, json } = await send('POST', `${imports}?on_error=skip`, mixed, csv);

    expect(status).toBe(202);
    expect(json).toMatchObject({ status: 'done', lines: 8, accepted: 2, refused: 6, added: 2, handled: 2 });
    expect(json.refused_lines).toEqual(refused);
    expect(await keywordsOf(path)).toEqual(['red shoes', 'two\nrows']);
    expect((await send('GET', `${imports}/${json.import_id}`)).json).toEqual(json);
  });

  test('that are all lines leave nothing to import', async () => {
    const { imports } = await newProject();

    const { status, json } = await send('POST', `${imports}?on_error=skip`, [{}, 7, null, 'tea', ['tea']]);

    expect(status).toBe(202);
    expect(json).toMatchObject({ status: 'done', lines: 5, accepted: 0, added: 0 });
    expect(json.refused_lines.slice(-4)).toEqual(
      [2, 3, 4, 5].map((row) => ({ row, column: null, message: 'The line is not an object' })),
    );
  });

  test('include those whose engine cannot track the domain of the project', async () => {
    const { imports } = await newProject();
    const lines = [
      { keyword: 'tea', iso_code: 'US', engine: 'youtube' },
      { keyword: 'tea', iso_code: 'US' },
    ];

    const { json } = await send('POST', `${imports}?on_error=skip`, lines);

    expect(json.refused_lines).toMatchObject([{ row: 1, column: 'domain' }]);
    expect(json.added).toBe(1);
  });
});

test('a dry run lists the bad lines and the cost, and adds nothing', async () => {
  const { path, imports } = await newProject();
  await send('POST', `${path}/keywords`, [
    { keyword: 'red shoes', iso_code: 'DE', location_name: 'Berlin,Germany', device: 'mobile' },
  ]);

  const { status, json } = await send('POST', `${imports}?dry_run=true`, mixed, csv);

  expect(status).toBe(202);
  expect(json).toMatchObject({ status: 'dry_run', import_id: null, added: 1, existing: 1, refused: 6 });
  expect(json.monthly_cost_usd).toBeGreaterThan(0);
  expect(json.refused_lines).toEqual(refused);
  expect(await keywordsOf(path)).toEqual(['red shoes']);
});

test('a keyword that the project or an earlier line has is existing', async () => {
  const { path, imports } = await newProject();
  await send('POST', `${path}/keywords`, [{ keyword: 'Red Shoes', iso_code: 'DE' }]);

  const { json } = await send('POST', imports, 'keyword,iso_code\nred  shoes,DE\ntea,US\nTEA,US\n', csv);

  expect(json).toMatchObject({ lines: 3, accepted: 3, handled: 3, added: 1, existing: 2 });
  expect(await keywordsOf(path)).toEqual(['Red Shoes', 'tea']);
});

test('a large file that takes long to read is answered before its first part', async () => {
  const { imports } = await newProject();
  const rows = Array.from({ length: 1001 }, (_, n) => `tea ${n},US`).join('\n');
  const now = performance.now.bind(performance);
  let delay = 0;
  const slow = vi.spyOn(performance, 'now').mockImplementation(() => {
    delay += 4000;
    return now() + delay;
  });

  const { status, json } = await send('POST', imports, `keyword,iso_code\n${rows}`, csv);
  slow.mockRestore();

  expect([status, json.status, json.accepted, json.handled]).toEqual([202, 'running', 1001, 0]);
});

describe('a project that is almost full', () => {
  /** A new project with 10 keywords less than it takes, of which the first ones are `old 0` to `old 9`. */
  const fullProject = async () => {
    const project = await newProject();
    const { keywordOf } = await import('../tracked-project.ts');
    const { changeChunk } = await import('../../lib/store/chunks.ts');
    const projectId = Number(project.path.split('/').at(-1));
    const old = Array.from({ length: 10 }, (_, n) =>
      keywordOf({ keyword: `old ${n}`, iso_code: 'US', location_name: '', language_code: 'en' }),
    );
    const fill = Array.from({ length: 1000 }, () => keywordOf({ keyword: 'fill' }));
    await changeChunk(projectId, 0, () => old);
    await changeChunk(projectId, 1, () => fill);
    return { ...project, projectId };
  };
  const fileOf = (words: readonly string[]) =>
    `keyword,iso_code,language_code\n${words.map((word) => `${word},US,en`).join('\n')}`;
  const wordsOf = (name: string, count: number) => Array.from({ length: count }, (_, n) => `${name} ${n}`);
  const countOf = async (path: string): Promise<number> => (await send('GET', `${path}/cost`)).json.keywords;

  test('takes no file with too many keywords, and writes nothing', async () => {
    const { path, imports } = await fullProject();

    const { status, json } = await send('POST', imports, fileOf(wordsOf('new', 20)), csv);

    expect([status, json.detail]).toEqual([409, 'A project has at most 1,020 keywords']);
    expect(await countOf(path)).toBe(1010);
  });

  test('takes the first lines with on_error=skip, and lists the others by their rows', async () => {
    const { path, imports } = await fullProject();
    // Lines that exist, and those of a keyword that the file has already, need no room.
    const words = ['old 1', ...wordsOf('new', 9), 'OLD 2', 'NEW 3', ...wordsOf('more', 2), 'new 4', 'more 1'];
    const refusedLines = [15, 17].map((row) => ({
      row,
      column: null,
      message: 'There is no room for the keyword: A project has at most 1,020 keywords',
    }));

    const dry = await send('POST', `${imports}?dry_run=true`, fileOf(words), csv);
    expect(dry.json).toMatchObject({ status: 'dry_run', added: 10, existing: 4, refused: 2 });
    expect(dry.json.refused_lines).toEqual(refusedLines);
    const { status, json } = await send('POST', `${imports}?on_error=skip`, fileOf(words), csv);

    expect([status, json]).toMatchObject([
      202,
      { status: 'done', lines: 16, accepted: 14, added: 10, existing: 4 },
    ]);
    expect(json.refused_lines).toEqual(refusedLines);
    expect(await countOf(path)).toBe(1020);
    const again = await send('POST', imports, fileOf(words.slice(0, 13)), csv);
    expect(again.json).toMatchObject({ status: 'done', added: 0, existing: 13 });
  });

  test('takes one of three files at once if two of them have too many keywords together', async () => {
    const { path, imports } = await fullProject();

    const answers = await Promise.all(
      ['a', 'b', 'c'].map((name) => send('POST', imports, fileOf(wordsOf(name, 8)), csv)),
    );

    expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 409, 409]);
    expect(await countOf(path)).toBe(1018);
  });

  test('keeps the room that running imports and requests need, and no other', async () => {
    const { path, imports, projectId } = await fullProject();
    const { putClaim } = await import('../../lib/store/import-claims.ts');
    const { readImport, writeImport } = await import('../../lib/store/keyword-imports.ts');
    const now = Math.floor(Date.now() / 1000);
    const { json: known } = await send('POST', imports, fileOf(['old 1']), csv);
    const done = await readImport({ project_id: projectId, import_id: known.import_id }, now);
    const claim = async (import_id: number, keywords: number, changes: Partial<typeof done> = {}) => {
      await putClaim({ project_id: projectId, import_id }, keywords, now);
      await writeImport({ ...done!, import_id, accepted: 9, handled: 0, added: 0, ...changes, revision: 0 });
    };
    // Two more lines, two more new keywords, and none, because what is left is in the project.
    await claim(1, 5, { status: 'running', handled: 7, added: 3 });
    await claim(2, 5, { status: 'running', handled: 3, added: 3 });
    await claim(3, 5, { status: 'running', handled: 6, added: 5 });
    // It has ended without the removal of its claim.
    await claim(4, 5, { status: 'done' });
    // Its process has died before it recorded the import.
    await putClaim({ project_id: projectId, import_id: 8 }, 10, now - 61);

    const rows = wordsOf('row', 7).map((keyword) => ({ keyword, iso_code: 'US', location_name: '' }));
    const { status, json: refused } = await send('POST', `${path}/keywords`, JSON.stringify(rows));
    expect([status, refused.detail]).toEqual([
      409,
      'A project has at most 1,020 keywords, and imports that run may add 4 to it: try again when they end',
    ]);

    const { json } = await send('POST', `${imports}?on_error=skip`, fileOf(wordsOf('new', 8)), csv);

    expect(json).toMatchObject({ added: 6, refused: 2 });
    expect(json.refused_lines[0].message).toMatch(/imports that run may add 4 to it/);
    expect(await countOf(path)).toBe(1016);
  });
});

test('a quotation mark within a cell is part of it', async () => {
  const { path, imports } = await newProject();
  const file = 'keyword,iso_code\n12" pizza,US\n"a ""b""",US\nx "y" z,US\n';

  const { json } = await send('POST', imports, file, csv);

  expect(json).toMatchObject({ added: 3, refused: 0 });
  expect(await keywordsOf(path)).toEqual(['12" pizza', 'a "b"', 'x "y" z']);
});

test('columns and places that are not known are named in warnings, also later', async () => {
  const { imports } = await newProject();
  const file = 'keyword,iso_code,Country,location_name\ntea,US,France,Nowhereville\n';

  const { json } = await send('POST', imports, file, csv);

  expect(json.warnings).toEqual([
    'Unknown fields are ignored: "country".',
    expect.stringContaining('"Nowhereville" is not in the table of places'),
  ]);
  expect((await send('GET', `${imports}/${json.import_id}`)).json.warnings).toEqual(json.warnings);
  expect((await send('POST', `${imports}?dry_run=true`, file, csv)).json.warnings).toEqual(json.warnings);
});

test('an error within a list names its column', async () => {
  const { imports } = await newProject();

  const { json } = await send('POST', `${imports}?on_error=skip`, [
    { keyword: 'tea', iso_code: 'US', tags: ['a', ''] },
    { keyword: 'a\0b', iso_code: 'US' },
  ]);

  expect(json.refused_lines).toEqual([
    { row: 1, column: 'tags', message: 'tags (item 2) is empty' },
    { row: 2, column: 'keyword', message: 'keyword "a\\u0000b": contains the character NUL' },
  ]);
});

test('UK and GB are one country, and spellings of a language one language', async () => {
  const { path, imports } = await newProject();
  const file = 'keyword,iso_code,language_code\ntea,UK,\nTea,gb,\nmate,BR,pt-BR\nmate,BR,pt_br\n';

  const { json } = await send('POST', imports, file, csv);

  expect(json).toMatchObject({ added: 2, existing: 2, searches_per_day: 2 });
  expect(await keywordsOf(path)).toEqual(['mate', 'tea']);
});

describe('an Idempotency-Key', () => {
  const file = 'keyword,iso_code\nred shoes,DE\n';

  test('returns the import that the first request began', async () => {
    const { imports } = await newProject();
    const headers = { ...csv, 'Idempotency-Key': 'file-1' };

    const first = await send('POST', imports, file, headers);
    const second = await send('POST', imports, file, headers);

    expect(second.json).toEqual(first.json);
    expect(first.json.added).toBe(1);
  });

  test('begins one import, however many requests come at once', async () => {
    const { imports } = await newProject();
    const headers = { ...csv, 'Idempotency-Key': 'file-1' };

    const answers = await Promise.all([1, 2, 3, 4].map(() => send('POST', imports, file, headers)));

    expect(new Set(answers.map(({ json }) => json.import_id)).size).toBe(1);
    const { json } = await send('GET', `${imports}/${answers[0]?.json.import_id}`);
    expect(json).toMatchObject({ status: 'done', added: 1, existing: 0 });
  });

  test.each([
    ['another file', 'keyword,iso_code\nblue shoes,DE\n', ''],
    ['another way with errors', file, '?on_error=skip'],
  ])('is refused with %s', async (_, other, query) => {
    const { imports } = await newProject();
    const headers = { ...csv, 'Idempotency-Key': 'file-1' };
    await send('POST', imports, file, headers);

    const { status, json } = await send('POST', `${imports}${query}`, other, headers);

    expect([status, json.detail[0].loc]).toEqual([422, ['header', 'idempotency-key']]);
  });
});

test('an import of another user or project is unknown', async () => {
  const { imports } = await newProject();
  const other = await newProject();
  const { json } = await send('POST', imports, [{ keyword: 'tea', iso_code: 'US' }]);
  const { apiKey } = await service.createAccount({ rate_limit: 0 });

  const stranger = { Authorization: `Bearer ${apiKey}` };
  expect((await send('GET', `${imports}/${json.import_id}`, undefined, stranger)).status).toBe(404);
  expect((await send('POST', imports, [{ keyword: 'tea', iso_code: 'US' }], stranger)).status).toBe(404);
  expect((await send('GET', `${other.imports}/${json.import_id}`)).json.detail).toBe('Import not found');
});

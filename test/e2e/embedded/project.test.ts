/** `npm run project`, on the embedded stack that runs in DATA_DIR. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commandHere } from '../../command-here.ts';
import { startService } from '../service.ts';

let service: Awaited<ReturnType<typeof startService>>;
let folder: string;
beforeAll(async () => {
  [service, folder] = await Promise.all([startService(), mkdtemp(join(tmpdir(), 'project-'))]);
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true });
});

const environment = () => ({ DATA_DIR: service.dataDir, API_KEY: '' });

/** The command in a separate process. */
const runAsProcess = (...args: string[]) =>
  promisify(execFile)(process.execPath, ['infra/commands/project.ts', ...args], {
    env: { ...process.env, ...environment() },
  });

const run = (...args: string[]) => commandHere('project', args, environment());

const csvFile = async (name: string, rows: readonly string[]): Promise<string> => {
  const file = join(folder, name);
  await writeFile(
    file,
    ['keyword,location_name,iso_code,language_code,update_frequency', ...rows].join('\r\n'),
  );
  return file;
};

const named = ['--name', 'Coffee shop', '--domain', 'drifter.example'];

test('imports a file, after a dry run that leaves nothing, and deletes the project', async () => {
  const file = await csvFile('good.csv', [
    'coffee grinder,"Berlin,Germany",DE,de,12',
    'moka pot,,US,en,',
    'moka pot,,US,en,',
  ]);

  const dry = await run('import', file, ...named, '--dry-run');
  expect(dry.stdout).toMatch(/^would add 2 keywords; in the project already, or twice in the file: 1$/m);
  expect(dry.stdout).toMatch(/^3 searches a day, about \$0\.\d\d a month$/m);
  expect((await run('list')).stdout).toBe('There are no projects.\n');

  const { stdout } = await runAsProcess('import', file, ...named, '--competitor', 'acme.example');
  const [, id = ''] = /^project (\d+) {2}Coffee shop {2}drifter\.example {2}every 24 h$/m.exec(stdout) ?? [];
  expect(stdout).toMatch(/^added 2 keywords/m);
  expect((await run('import', file, '--project', id)).stdout).toMatch(
    /^added 0 keywords; .* twice in the file: 3$/m,
  );
  expect((await run('show', id)).stdout).toMatch(/^competitors +acme\.example$/m);

  expect((await run('delete', id)).stdout).toMatch(/^deleted project/);
  expect((await run('list')).stdout).toBe('There are no projects.\n');
});

test('names the row and the column of each error, and leaves no project', async () => {
  const file = await csvFile('bad.csv', ['coffee,,XX,en,24', ',,US,en,often']);

  const failed = await runAsProcess('import', file, ...named).catch((error) => error);

  expect(failed.code).toBe(1);
  expect(failed.stderr).toBe(
    [
      'The API refused the request (422):',
      'row 1, iso_code: Value error, not the code of a country',
      'row 2, keyword: Field required',
      'row 2, update_frequency: Input should be a valid integer, unable to parse string as an integer',
      '',
    ].join('\n'),
  );
  expect((await run('list')).stdout).toBe('There are no projects.\n');
});

test('imports what another tracker has exported, without the positions that it measured', async () => {
  const file = join(folder, 'drifter.example-keywords_serp.csv');
  const line = (keyword: string, device: string) =>
    `1, ${keyword}, 4, https://drifter.example/, Germany, -, Berlin, ${device}, 2026-11-20, 2025-01-02, brand,summer`;
  const header = 'ID,Keyword,Position,URL,Country,State,City,Device,Updated,Added,Tags';
  await writeFile(
    file,
    [header, line('moka pot', 'mobile'), line('beans, whole', 'mobile'), ''].join('\r\n'),
  );
  const from = ['import', file, '--from', 'serpbear'];

  const preview = [
    '2 lines of serpbear',
    'columns: Keyword → keyword, Country → iso_code, State → location_name, City → location_name, Device → device, Tags → tags',
    'not imported: ID, Position, URL, Updated, Added',
    expect.stringMatching(/^not imported: 1 position of past days, because .* measured itself/),
    expect.stringMatching(/^row 3: The line has 13 cells, and the file 11 columns/),
  ];
  const dry = await run(...from, ...named, '--dry-run');
  expect(dry.stdout.split('\n').slice(0, 6)).toEqual([
    ...preview,
    'would add 1 keyword; in the project already, or twice in the file: 0; refused: 1 line',
  ]);
  const refused = await run(...from, ...named);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toMatch(/^Nothing was imported, because lines were refused/);
  expect((await run('list')).stdout).toBe('There are no projects.\n');

  const { stdout } = await run(...from, ...named, '--skip-bad');
  const [, id = ''] = /^project (\d+) /m.exec(stdout) ?? [];
  expect(stdout).toMatch(/^added 1 keyword; .* twice in the file: 0; refused: 1 line$/m);
  const reply = await fetch(`${service.url}/api/v1/projects/${id}/keywords`, {
    headers: { authorization: `Bearer ${service.apiKey}` },
  });
  expect(await reply.json()).toMatchObject({
    data: [
      {
        keyword: 'moka pot',
        location_name: 'Berlin,Germany',
        device: 'mobile',
        tags: ['brand', 'summer'],
        current_position: null,
        days: [],
      },
    ],
  });
  await run('delete', id);
});

test.each([
  [[], 'Arguments are missing'],
  [['import'], 'The file to import is missing'],
  [['import', 'x.csv'], 'Missing: --name, --domain of the new project, or --project'],
  [['import', 'x.csv', '--name', 'Shop', '--from', 'serpbear'], 'Missing: --domain of the new project'],
  [
    ['import', 'x.csv', ...named, '--from', 'excel'],
    '--from must be serpbear, serpapi, seranking, not excel',
  ],
  [['import', 'x.csv', ...named, '--country', 'DE'], 'Without --from, there is no --country'],
  [['import', 'x.csv', ...named, 'y.csv'], 'Unknown arguments: y.csv'],
  [['show'], 'show needs the id of a project'],
  [['list', '--dry-run'], 'list does not take --dry-run'],
  [['import', 'x.csv', ...named, '--project', '1'], '--name, --domain are for a new project'],
])('says what is wrong with %j', async (args, fault) => {
  const failed = await run(...args);

  expect(failed.code).toBe(1);
  expect(failed.stderr).toMatch(new RegExp(`^${fault}.*\\nUsage: npm run project`));
});

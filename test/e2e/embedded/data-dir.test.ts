/** What the embedded stack does with a DATA_DIR that is in use, damaged, or removed. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { localTemplate } from '../../../infra/local/cached-template.ts';
import { readFirstUser } from '../../../infra/local/first-user.ts';
import { openStores } from '../../../infra/local/stores/open-stores.ts';
import { openSecrets } from '../../../infra/local/stores/secrets.ts';
import { readTemplate } from '../../../infra/local/template.ts';
import { checkEntries } from '../../../infra/local/unusable.ts';
import { bareEnvironment } from '../../bare-environment.ts';
import { clientOf } from '../client.ts';
import { startService } from '../service.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'data-dir-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));

/** Runs `npm start` on a folder until it ends by itself. */
const startAndFail = async (dataDir: string): Promise<{ code: number | null; errors: string }> => {
  const child: ChildProcess = spawn(process.execPath, ['infra/local/start.ts', '--no-demonstration'], {
    env: { ...bareEnvironment, PORT: '0', DATA_DIR: dataDir },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(child, 'exit');
  const errors = child.stderr ? await text(child.stderr) : '';
  const [code] = await ended;
  return { code, errors };
};

/** Names, sizes and times of change of all files in a folder. */
const filesIn = (dataDir: string): [name: string, size: number, changedMs: number][] =>
  readdirSync(dataDir, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const { size, mtimeMs } = statSync(join(dataDir, name));
      return [name, size, mtimeMs];
    });

const expectEndWithout = async (
  { child, dataDir }: Awaited<ReturnType<typeof startService>>,
  part: string,
): Promise<void> => {
  const errors: string[] = [];
  child.stderr?.on('data', (chunk) => errors.push(String(chunk)));
  const ended = once(child, 'close');

  rmSync(join(dataDir, part), { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });

  const [code] = await ended;
  expect(code).toBe(1);
  expect(errors.join('')).toContain(`${dataDir}, or a part of it, was removed while the service ran.`);
};

test('a second service on the same DATA_DIR ends with a sentence, and changes nothing; the first one ends with a sentence when the folder is removed', async () => {
  const dataDir = join(folder, 'used');
  const service = await startService({}, dataDir);
  // The others change while the first service runs.
  const unchanged = () =>
    filesIn(dataDir).filter(([name]) => !/^(tables|queues|service\.log|clock\.json)/.test(name));
  const before = unchanged();

  const { code, errors } = await startAndFail(dataDir);

  expect(code).toBe(1);
  expect(errors).toBe(
    `${dataDir} is in use by another process (process id ${service.child.pid}). Stop that service, or set DATA_DIR to another folder.\n`,
  );
  expect(unchanged()).toEqual(before);
  expect(before.map(([name]) => name)).toContain('first-user.json');
  expect((await clientOf(service).searched({ keyword: 'undisturbed' })).status).toBe('success');

  await expectEndWithout(service, '');
});

/** Replaces a file or folder by a file with other content. */
const replace = (content: string) => (file: string) => {
  rmSync(file, { recursive: true, force: true });
  writeFileSync(file, content);
};
const cut = (bytes: number) => (file: string) => truncateSync(file, bytes);
const overwrite = (from: number) => (file: string) => {
  const bytes = readFileSync(file);
  bytes.write(noise.slice(0, 8192), from, 'latin1');
  writeFileSync(file, bytes);
};
const remove = (file: string) => rmSync(file);
const makeFolder = (file: string) => {
  rmSync(file, { recursive: true, force: true });
  mkdirSync(file);
};
const makePipe = (file: string) => {
  rmSync(file);
  execFileSync('mkfifo', [file]);
};
const linkTo = (target: string) => (file: string) => {
  rmSync(file);
  symlinkSync(target, file);
};
const damageFormer = (file: string) =>
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), former: { kid: 5 } }));
const noise = Array.from({ length: 50_000 }, (_, n) => String.fromCharCode(33 + ((n * 7919) % 90))).join('');

/** The file in the folder whose name ends like this. */
const find = (dataDir: string, ending: RegExp): string => {
  const name = readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).find((it) => ending.test(it));
  if (!name) throw new Error(`no file ${ending} in ${dataDir}`);
  return join(dataDir, name);
};

type Damage = [what: string, file: RegExp, damage: (file: string) => void, isFoundAfterKill: boolean];

/**
 * One for each place in which a start finds damage: without the list of files of a regular stop, LevelDB and
 * SQLite must find it themselves.
 */
const foundByStart: Damage[] = [
  ['a pipe in the place of first-user.json', /first-user\.json$/, makePipe, true],
  ['an empty first-user.json', /first-user\.json$/, cut(0), true],
  ['a truncated token-key.json', /token-key\.json$/, cut(20), true],
  ['a folder in the place of running.json', /running\.json$/, makeFolder, true],
  ['a foreign lock.db', /lock\.db$/, replace(noise), true],
  ['a truncated log of LevelDB', /tables.\d+\.log$/, cut(2000), false],
  ['a foreign CURRENT of LevelDB', /CURRENT$/, replace(noise), true],
  ['a foreign database of queues', /fauxqs\.db$/, replace(noise), true],
  ['a folder in the place of the log', /service\.log$/, makeFolder, true],
];

/** What `readFolder` finds, without a start. */
const foundInProcess: Damage[] = [
  ['a truncated first-user.json', /first-user\.json$/, cut(20), true],
  ['a foreign first-user.json', /first-user\.json$/, replace('{"name": "another program"}'), true],
  [
    'a first-user.json without a key',
    /first-user\.json$/,
    replace('{"api_key": "", "webhook_secret": ""}'),
    true,
  ],
  ['an empty token-key.json', /token-key\.json$/, cut(0), true],
  ['a token-key.json with a damaged former key', /token-key\.json$/, damageFormer, true],
  ['a foreign token-key.json', /token-key\.json$/, replace('{"kid": "1", "key": 7}'), true],
  ['a link to nothing in the place of token-key.json', /token-key\.json$/, linkTo('/nowhere/key'), true],
  ['a link to a device in the place of token-key.json', /token-key\.json$/, linkTo('/dev/zero'), true],
  ['a foreign list of files', /stopped\.json$/, replace(noise), false],
  ['an empty CURRENT of LevelDB', /CURRENT$/, cut(0), true],
  ['a truncated MANIFEST of LevelDB', /MANIFEST-\d+$/, cut(10), true],
  ['a removed MANIFEST of LevelDB', /MANIFEST-\d+$/, remove, true],
  ['a foreign log of LevelDB', /tables.\d+\.log$/, replace(noise), true],
  ['a removed log of LevelDB', /tables.\d+\.log$/, remove, false],
  ['a file in the place of the tables', /tables$/, replace(noise), true],
  ['a truncated database of queues', /fauxqs\.db$/, cut(5000), true],
  ['a damaged page in the database of queues', /fauxqs\.db$/, overwrite(8192), true],
  ['an empty database of queues', /fauxqs\.db$/, cut(0), false],
  ['a file in the place of the queues', /queues$/, replace(noise), true],
];

let stopped: string;
beforeAll(async () => {
  stopped = join(folder, 'stopped');
  const service = await startService({}, stopped);
  await clientOf(service).searched({ keyword: 'kept' });
  await service.stop();
  writeFileSync(join(stopped, 'running.json'), 'left behind by a killed service');
});

/** A copy of the stopped folder with the damage, and the name of the damaged file. */
const damagedCopy = ([what, file, damage, isFoundAfterKill]: Damage) => {
  const dataDir = join(folder, what.replaceAll(' ', '-'));
  cpSync(stopped, dataDir, { recursive: true });
  const damaged = find(dataDir, file);
  if (isFoundAfterKill) rmSync(join(dataDir, 'stopped.json'));
  damage(damaged);
  return { dataDir, damaged };
};

const expectSentence = (sentence: string, damaged: string): void => {
  expect(sentence).toMatch(/^\S+ cannot be used: .+\. Restore it, or set DATA_DIR to another folder\.$/);
  // LevelDB does not name the file if the reason is in another file than the one that it reads.
  expect(sentence).toContain(damaged.replace(/(tables)\/(CURRENT|MANIFEST).*/, '$1'));
};

test.each(foundByStart)('a start ends with a sentence that names the file: %s', async (...damage) => {
  const { dataDir, damaged } = damagedCopy(damage);

  const { code, errors } = await startAndFail(dataDir);

  expectSentence(errors.replace(/\n$/, ''), damaged);
  expect(code).toBe(1);
});

/** Reads all that a start reads in a folder, in the same order. */
const readFolder = async (dataDir: string): Promise<void> => {
  checkEntries(dataDir);
  readFirstUser(dataDir);
  const { lock, tables, fauxqs } = await openStores(dataDir, process.pid, () => undefined);
  await Promise.all([fauxqs.stop(), new Promise((resolve) => tables.close(resolve))]);
  lock.close();
  openSecrets(readTemplate(await localTemplate(), ''), {}, dataDir);
};

test.each(foundInProcess)(
  'a damaged folder is refused with a sentence that names the file: %s',
  async (...damage) => {
    const { dataDir, damaged } = damagedCopy(damage);

    const error: unknown = await readFolder(dataDir).catch((each: unknown) => each);

    expectSentence(error instanceof Error ? error.message : 'no error', damaged);
  },
);

test('a folder of a service that stopped is not refused', async () => {
  const dataDir = join(folder, 'undamaged');
  cpSync(stopped, dataDir, { recursive: true });

  await expect(readFolder(dataDir)).resolves.toBeUndefined();
});

test('ends with a sentence if DATA_DIR is a file', async () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');

  const { code, errors } = await startAndFail(file);

  expect({ code, errors }).toEqual({ code: 1, errors: expect.stringContaining(`${file} cannot be used: `) });
});

// `restart.test.ts` kills a service at work, and starts it again.
test.each([
  ['a regular stop', 'tables', []],
  ['a kill', 'queues', ['stopped.json']],
])(
  'a start after %s has no complaint, and the service ends with a sentence when DATA_DIR/%s is removed',
  async (end, part, missing) => {
    const dataDir = join(folder, `${end.replaceAll(' ', '-')}, ${part}`);
    cpSync(stopped, dataDir, { recursive: true });
    for (const name of missing) rmSync(join(dataDir, name));

    await expectEndWithout(await startService({}, dataDir), part);
  },
);

/**
 * `npm run user` on a deployed stack: its outputs come from a stand-in for CloudFormation, its table is on
 * loopback.
 */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { bareEnvironment } from '../../bare-environment.ts';
import { commandHere } from '../../command-here.ts';
import { startTableService } from '../../tables.ts';
import { startStores } from '../task/stores.ts';

const stores = await startStores(startTableService);
// No webhook is parked.
stores.queue.on(ReceiveMessageCommand).resolves({});

const outputs = {
  Stage: 'prod',
  UsersTable: process.env.USERS_TABLE,
  TasksTable: process.env.TASKS_TABLE,
  SnapshotsTable: 'snapshots',
  PaceTable: process.env.PACE_TABLE,
  TrackingTable: process.env.TRACKING_TABLE,
  FetchersParameterName: 'fetchers',
  BucketName: process.env.BUCKET,
  CrawlQueueUrl: 'https://sqs.example/crawl',
  KeywordQueueUrl: 'https://sqs.example/keyword',
  PostbackQueueUrl: 'https://sqs.example/postback',
  ParkedDeliveriesUrl: 'https://sqs.example/parked',
  TokenKeySecretArn: 'arn:aws:secretsmanager:us-east-1:123456789012:secret:TokenKeySecret-x-AbCdEf',
  ProxyCaSecretArn: 'arn:aws:secretsmanager:us-east-1:123456789012:secret:ProxyCaSecret-x-AbCdEf',
  GoogleAdsCredentialsSecretArn:
    'arn:aws:secretsmanager:us-east-1:123456789012:secret:GoogleAdsCredentialsSecret-x-AbCdEf',
  UpstreamCredentialsSecretArn:
    'arn:aws:secretsmanager:us-east-1:123456789012:secret:UpstreamCredentialsSecret-x-AbCdEf',
  ProxyUrlSecretArn: 'arn:aws:secretsmanager:us-east-1:123456789012:secret:ProxyUrlSecret-x-AbCdEf',
  ApiUrl: 'https://api.example/prod/',
};

const description = `<DescribeStacksResponse><DescribeStacksResult><Stacks><member>
<StackName>SearchRanking-prod</StackName><CreationTime>2026-01-01T00:00:00Z</CreationTime><StackStatus>CREATE_COMPLETE</StackStatus>
<Outputs>${Object.entries(outputs)
  .map(([key, value]) => `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`)
  .join('')}</Outputs>
</member></Stacks></DescribeStacksResult></DescribeStacksResponse>`;

const aws = createServer((_, response) => response.setHeader('content-type', 'text/xml').end(description));
beforeAll(async () => {
  aws.listen(0, '127.0.0.1');
  await once(aws, 'listening');
});
afterAll(async () => {
  aws.close();
  await stores.stop();
});

const stack = ['--stack', 'SearchRanking-prod'];

const environment = () => ({
  DATA_DIR: '/nowhere',
  AWS_ENDPOINT_URL: `http://127.0.0.1:${(aws.address() as AddressInfo).port}`,
  AWS_ENDPOINT_URL_DYNAMODB: process.env.AWS_ENDPOINT_URL_DYNAMODB ?? '',
  AWS_ENDPOINT_URL_S3: process.env.AWS_ENDPOINT_URL_S3 ?? '',
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
});

/** @throws what the command printed, if it fails. */
const run = async (...args: string[]): Promise<string> => {
  const printed = await commandHere('user', [...args, ...stack], environment());
  if (printed.code !== 0) throw Object.assign(new Error(printed.stderr), printed);
  return printed.stdout;
};

const runAsProcess = (...args: string[]) =>
  promisify(execFile)(process.execPath, ['infra/commands/user.ts', ...args, ...stack], {
    env: { ...bareEnvironment, ...environment() },
  });

test('prints a new key without a stack, and changes nothing', async () => {
  const { isApiKey } = await import('../../../lib/access/api-key.ts');
  const { stdout } = await promisify(execFile)(process.execPath, ['infra/commands/user.ts', 'key'], {
    env: { PATH: process.env.PATH, DATA_DIR: '/nowhere' },
  });

  expect(isApiKey(stdout.trimEnd())).toBe(true);
  await expect(run('key')).rejects.toMatchObject({
    stderr: expect.stringMatching(/"key" does not take --stack/),
  });
});

const keyIn = (printed: string): string => /^API key +(\S+)$/m.exec(printed)?.[1] ?? '';

test('creates, lists, rotates, limits and disables a user of the stack', async () => {
  const { authenticate } = await import('../../../lib/access/authenticate.ts');
  expect(await run('list')).toBe('There are no users.\n');

  const created = await run('create', '--name', 'Ada');
  expect(created).toMatch(/^user +2$/m);
  expect(created).toContain('curl -X POST https://api.example/prod/api/v2/serp/crawl');
  const former = keyIn(created);

  const newest = keyIn(await run('rotate', '2', '--grace', '90m'));
  for (const key of [former, newest]) {
    expect(await authenticate(`Bearer ${key}`, 'here')).toMatchObject({ id: 2, name: 'Ada' });
  }
  expect(await run('show', '2')).toMatch(/^former key +[0-9a-f]{8} {2}works until 2\S+Z$/m);

  const replaced = await run('rotate', '2', '--lost');
  await expect(authenticate(`Bearer ${newest}`, 'here')).rejects.toMatchObject({ statusCode: 401 });
  expect(await authenticate(`Bearer ${former}`, 'here')).toMatchObject({ id: 2 });

  expect(await run('limit', '2', '0')).toBe('user 2  no limit\n');
  expect(await run('disable', '2')).toBe('user 2  disabled\n');
  expect(await run('list')).toMatch(
    /^user 2 {2}Ada {2}- {2}disabled {2}engines {2}no limit {2}key [0-9a-f]{8} {2}2\S+Z\n$/,
  );
  await expect(authenticate(`Bearer ${keyIn(replaced)}`, 'here')).rejects.toMatchObject({ statusCode: 401 });
});

test('a new key of the first user of the stack is not that of the embedded one, whose file stays', async () => {
  const { ensureFirstAccount } = await import('../../../lib/access/first-account.ts');
  await ensureFirstAccount({ rateLimit: 0 });
  const folder = await mkdtemp(join(tmpdir(), 'embedded-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'first-user.json');
  const content = '{"api_key":"serp_kept","webhook_secret":"whsec_kept"}';
  await writeFile(file, content);

  const env = { ...environment(), DATA_DIR: folder };
  const rotated = await commandHere('user', ['rotate', '1', ...stack], env);
  const replaced = await commandHere('user', ['secret', '1', ...stack], env);

  expect([rotated.code, replaced.code]).toEqual([0, 0]);
  expect(await readFile(file, 'utf8')).toBe(content);
});

test('refuses a name that the interface refuses, and lists each user on one line', async () => {
  await expect(run('create', '--name', 'a'.repeat(257))).rejects.toThrow(/too long/);
  await run('create', '--name', 'Eve\nuser 99  Mallory');
  expect(await run('list')).toMatch(/^user \d+ {2}Eve\?user 99 {2}Mallory.*\n$/m);
});

test('exports a user as JSON lines, counts it, and erases it', async () => {
  const { putRows } = await import('../../../lib/store/new-tasks.ts');
  const { createV2Tasks } = await import('../../../lib/crawl/create.ts');
  const { GoogleCrawlRequest } = await import('../../../lib/model/crawl-request.ts');
  const { parse } = await import('valibot');
  const { readAccount } = await import('../../../lib/store/users.ts');
  const { readRow } = await import('../../../lib/store/tasks.ts');
  const { layouts } = await import('../../../lib/store/layouts.ts');
  const created = await run('create', '--name', 'Zoë', '--email', 'zoe@example.com');
  const id = Number(/^user +(\d+)$/m.exec(created)?.[1]);
  const account = await readAccount(id);
  if (!account) throw new Error('There is no account');
  const request = parse(GoogleCrawlRequest, { keyword: 'tea', location_name: '', iso_code: 'CA' });
  const [task] = await createV2Tasks(account, [request], 'https://here.example');
  const row = await readRow(id, task?.id ?? 0);
  if (!row) throw new Error('The task is gone');
  await putRows(Array.from({ length: 300 }, (_, n) => ({ ...row, id: row.id + n })));
  const folder = await mkdtemp(join(tmpdir(), 'export-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'user.jsonl');

  const shown = await run('export', String(id));
  expect(await run('export', String(id), '--to', file)).toBe(`user ${id}  301 lines in ${file}\n`);

  expect(await readFile(file, 'utf8')).toBe(shown);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const lines = shown
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines[0]).toMatchObject({ kind: 'account', data: { id, email: 'zoe@example.com' } });
  expect(lines.slice(1).every(({ kind, data }) => kind === 'search' && data.user_id === id)).toBe(true);

  // A row of a later release is named, and the export is not complete.
  await putRows([{ ...row, version: layouts.task.readableVersion + 1 }]);
  await expect(runAsProcess('export', String(id))).rejects.toMatchObject({
    code: 1,
    stdout: expect.stringContaining(`{"kind":"left out","data":{"item":"task ${row.id}"}}\n`),
    stderr: expect.stringContaining('The export is not complete: only a later release can read 1 things'),
  });
  expect(await run('erase', String(id))).toMatch(/^tasks +300$/m);
  expect(await readAccount(id)).toMatchObject({ enabled: true });
  await run('disable', String(id));
  expect(await run('erase', String(id), '--yes')).toBe(
    `deleting tasks 300\nuser ${id}  erased  deleted: tasks 300\n`,
  );
  expect(await readAccount(id)).toBeUndefined();
  await expect(run('export', String(id))).rejects.toMatchObject({
    stderr: expect.stringContaining(`There is no user ${id}`),
  });
  expect(await run('erase', String(id), '--yes')).toBe(`user ${id}  had no account  deleted: nothing\n`);
  expect(await run('list')).not.toContain('zoe@example.com');
});

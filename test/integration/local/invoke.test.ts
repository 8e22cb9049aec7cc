/** `npm run invoke` calls one operation or state with its event. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { bareEnvironment } from '../../bare-environment.ts';

const folder = mkdtempSync(join(tmpdir(), 'invoke-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const invoke = (name: string, environment: Record<string, string> = {}) =>
  promisify(execFile)(process.execPath, ['infra/commands/invoke.ts', name], {
    env: { ...bareEnvironment, DATA_DIR: folder, ...environment },
  });

const firstUser = () => JSON.parse(readFileSync(join(folder, 'first-user.json'), 'utf8'));

/** A well-formed key, made for this test. */
const apiKey = 'serp_0000000000000000000000000000000000000000';

test('calls an operation with its event and the key of the first user', async () => {
  const { stdout } = await invoke('serp/create-google-task');

  const answer = JSON.parse(stdout);
  expect(answer.statusCode).toBe(200);
  expect(JSON.parse(answer.body)).toMatchObject({ user_id: 1, status: 'awaiting' });
  expect(statSync(join(folder, 'first-user.json')).mode & 0o777).toBe(0o600);
});

test('calls a state with its event', async () => {
  const { stdout } = await invoke('crawl/parse-task');

  expect(JSON.parse(stdout)).toMatchObject({ user_id: 1, outcome: 'stale' });
});

test('names the missing event files', async () => {
  await expect(invoke('crawl/nothing')).rejects.toThrow(
    'There is no event for crawl/nothing: found neither events/api/crawl/nothing.json nor events/crawl/nothing.json',
  );
});

test('refuses a malformed key and does not change the user', async () => {
  const before = firstUser();

  await expect(invoke('site/read-root', { API_KEY: apiKey })).rejects.toThrow('API_KEY must be a key');
  expect(firstUser()).toEqual(before);
});

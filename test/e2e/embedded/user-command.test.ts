/** `npm run user`, on the embedded stack that runs in DATA_DIR. */
import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clientOf } from '../client.ts';
import { startService } from '../service.ts';

let service: Awaited<ReturnType<typeof startService>>;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const run = (args: string[], dataDir = service.dataDir) =>
  promisify(execFile)(process.execPath, ['infra/commands/user.ts', ...args], {
    env: { ...process.env, DATA_DIR: dataDir },
  });

test('makes a user whose key opens the interface, and to whom the tasks of others are unknown', async () => {
  const theirs = await clientOf(service).search();

  const { stdout } = await run(['create', '--admin', '--name', 'Ada']);

  const [, apiKey = ''] = /API key\s+(serp_\S+)/.exec(stdout) ?? [];
  const client = clientOf({ url: service.url, apiKey });
  expect(await client.searched({ keyword: 'a search of her own' })).toMatchObject({
    user_id: 2,
    status: 'success',
  });
  expect((await client.call(`/api/v2/serp/crawl/${theirs.id}`)).status).toBe(404);
  expect(stdout).toMatch(/webhook secret\s+whsec_/);
});

test.each([
  [['make'], /Usage/],
  [['create', '--nope'], /--nope/],
])('%j ends with a clear message', async (args, message) => {
  await expect(run(args)).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(message) });
});

test('says so where no stack runs', async () => {
  await expect(run(['create'], tmpdir())).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/No stack runs/),
  });
});

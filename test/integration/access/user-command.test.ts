import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTables } from '../../tables.ts';

let tables: Awaited<ReturnType<typeof startTables>>;
beforeAll(async () => {
  tables = await startTables();
});
afterAll(() => tables.stop());

const run = (args: string[], env: NodeJS.ProcessEnv = process.env) =>
  promisify(execFile)(process.execPath, ['infra/commands/user.ts', ...args], { env });

test('makes an admin whose key opens the interface', async () => {
  const { stdout } = await run(['create', '--admin', '--name', 'Ada']);

  const { authenticate } = await import('../../../lib/access/authenticate.ts');
  const [, key] = /API key\s+(serp_\S+)/.exec(stdout) ?? [];
  expect(await authenticate(`Bearer ${key}`, '127.0.0.1')).toMatchObject({
    name: 'Ada',
    permissions: ['admin', 'engines'],
    enabled: true,
  });
  expect(stdout).toMatch(/webhook secret\s+whsec_/);
});

test.each([
  [['create'], { USERS_TABLE: '' }, /USERS_TABLE is not set/],
  [['make'], {}, /Usage/],
  [['create', '--nope'], {}, /--nope/],
])('%j with %j ends with a clear message', async (args, env, message) => {
  await expect(run(args, { ...process.env, ...env })).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(message),
  });
});

/** `npm run doctor` against the embedded stack: a line for each thing, what to do about each fault, exit code 1, and no secret. */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterEach, expect, test } from 'vitest';
import { readRunning } from '../../../infra/local/running.ts';
import { engineNames } from '../../../lib/model/engine.ts';
import { startService } from '../service.ts';

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

const given = async (env: Record<string, string> = {}): Promise<string> => {
  const service = await startService(env);
  ends.push(service.stop);
  return service.dataDir;
};

const doctor = (
  dataDir: string,
  ...args: string[]
): Promise<{ code: number; stdout: string; stderr: string }> =>
  new Promise((resolve) => {
    const command = ['infra/commands/doctor.ts', ...args];
    const env = { ...process.env, DATA_DIR: dataDir };
    const child = execFile(process.execPath, command, { env }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    );
  });

test('finds nothing broken in a new stack on the sandbox', async () => {
  const { code, stdout } = await doctor(await given());

  expect(stdout).toContain('Nothing is broken.');
  expect(stdout).not.toMatch(/^(warn|FAIL)/m);
  for (const name of [
    'gateway',
    'table Users',
    'table Tasks',
    'table Pace',
    'bucket',
    'queue CrawlQueue',
    'queue CrawlDeadLetters',
    'secret PROXY_URL',
    ...engineNames.flatMap((engine) => [`fetchers ${engine}`, `suggestions ${engine}`]),
    'trends',
    'first user',
  ]) {
    expect(stdout).toMatch(new RegExp(`^ok +${name}`, 'm'));
  }
  expect(code).toBe(0);
});

test('says what to do about a proxy, dead letters, sources and a key, and prints no secret', async () => {
  const password = 'hunter2-of-the-proxy';
  const dataDir = await given({
    SEARCH_SOURCE: 'live',
    PROXY_URL: `http://customer:${password}@127.0.0.1:9`,
    GOOGLE_ORIGIN: 'http://127.0.0.1:9',
    SUGGEST_ORIGIN: 'http://127.0.0.1:9',
    TRENDS_ORIGIN: 'http://127.0.0.1:9',
  });
  const running = readRunning(dataDir);
  const queues = new SQSClient({ endpoint: running?.endpoints.sqs ?? '', region: 'us-east-1' });
  const QueueUrl = running?.environment.PARKED_QUEUE_URL;
  await queues.send(new SendMessageCommand({ QueueUrl, MessageBody: '{}' }));
  const wrongKey = `serp_${'A'.repeat(46)}`;
  await writeFile(
    join(dataDir, 'first-user.json'),
    JSON.stringify({ api_key: wrongKey, webhook_secret: 'whsec_x' }),
  );

  const { code, stdout, stderr } = await doctor(dataDir);

  expect(stdout).toMatch(
    /^FAIL +proxy default: unreachable: .*check the address and the account of the proxy/m,
  );
  expect(stdout).toMatch(/^FAIL +queue ParkedDeliveries\w*: 1 messages failed .*npm run deliveries -- list/m);
  expect(stdout).toMatch(/^FAIL +suggestions \w+: unreachable: .*PROXY_URL/m);
  expect(stdout).toMatch(/^FAIL +trends: unreachable: /m);
  expect(stdout).toMatch(/^FAIL +first user: .*npm start/m);
  expect(stdout).toMatch(/^ok +secret PROXY_URL: it has a value of the right form/m);
  expect(`${stdout}${stderr}`).not.toContain(password);
  expect(`${stdout}${stderr}`).not.toContain(wrongKey);
  expect(code).toBe(1);
});

test.each([
  ['no stack runs', [], 'No stack runs in'],
  ['an argument is unknown', ['more'], 'npm run doctor'],
])('exits with 1 if %s', async (_, args, sentence) => {
  const { code, stderr } = await doctor(join(tmpdir(), 'no-stack-here'), ...args);

  expect(stderr).toContain(sentence);
  expect(code).toBe(1);
});

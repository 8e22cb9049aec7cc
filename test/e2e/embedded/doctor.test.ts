/**
 * `npm run doctor` against the embedded stack: a line for each thing, what to do about each fault, exit code
 * 1, and no secret.
 */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { readRunning } from '../../../infra/local/running.ts';
import { engineNames } from '../../../lib/model/engine.ts';
import { commandHere, type Printed } from '../../command-here.ts';
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

/** The command in a separate process. */
const doctorAsProcess = (dataDir: string): Promise<Printed> =>
  new Promise((resolve) => {
    const command = ['infra/commands/doctor.ts'];
    const env = { ...process.env, DATA_DIR: dataDir };
    const child = execFile(process.execPath, command, { env }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    );
  });

const doctor = (dataDir: string, ...args: string[]): Promise<Printed> =>
  commandHere('doctor', args, { DATA_DIR: dataDir });

test('finds nothing broken in a new stack on the sandbox', async () => {
  const { code, stdout } = await doctorAsProcess(await given());

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
    'keyword data',
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

  const { code, stdout, stderr } = await doctorAsProcess(dataDir);

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

describe('keyword data', () => {
  const credentials = {
    client_id: 'client',
    client_secret: 'client-secret-1',
    refresh_token: 'refresh-token-1',
    customer_id: '1234567890',
  };
  const figures = { results: [{ text: 'weather', keywordMetrics: { avgMonthlySearches: '10' } }] };
  const refused = (status: string, reason: string) => ({
    error: {
      code: 403,
      status,
      message: 'The caller may not',
      details: [
        {
          '@type': 'type.googleapis.com/google.ads.googleads.v26.errors.GoogleAdsFailure',
          errors: [{ errorCode: { authorizationError: reason }, message: 'The caller may not' }],
        },
      ],
    },
  });

  type Answers = { token?: [number, object]; answer?: [number, object] };

  let answers: Answers = {};
  const paths: string[] = [];
  const ads = createServer((request, response) => {
    const path = request.url ?? '';
    paths.push(path);
    const given = path === '/token' ? answers.token : answers.answer;
    const [status, body] = given ?? [
      200,
      path === '/token' ? { access_token: 'access-token-1', expires_in: 3599 } : figures,
    ];
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  let service: Awaited<ReturnType<typeof startService>>;
  beforeAll(async () => {
    await new Promise<void>((resolve) => ads.listen(0, '127.0.0.1', resolve));
    service = await startService({
      ADS_ORIGIN: `http://127.0.0.1:${(ads.address() as AddressInfo).port}`,
      GOOGLE_ADS_CREDENTIALS: JSON.stringify(credentials),
    });
  });
  afterAll(async () => {
    await service.stop();
    ads.closeAllConnections();
    ads.close();
  });

  test.each<[string, Answers, RegExp]>([
    ['gives figures', {}, /^ok +keyword data: Google Ads gives figures$/m],
    [
      'refuses the token',
      { token: [400, { error: 'invalid_grant', error_description: 'Token has been revoked' }] },
      /^FAIL +keyword data: .*npm run secret -- set GOOGLE_ADS_CREDENTIALS/m,
    ],
    [
      'refuses the customer',
      { answer: [403, refused('PERMISSION_DENIED', 'USER_PERMISSION_DENIED')] },
      /^FAIL +keyword data: .*check customer_id and login_customer_id/m,
    ],
    ['has changed', { answer: [200, []] }, /^FAIL +keyword data: .*report it with this line/m],
  ])('Google Ads %s', async (_, given, line) => {
    answers = given;
    paths.length = 0;

    const { stdout, stderr } = await doctor(service.dataDir);

    expect(stdout).toMatch(line);
    expect(paths).toContain('/token');
    if (!given.token) expect(paths).toContain('/v26/customers/1234567890:generateKeywordHistoricalMetrics');
    for (const secret of ['client-secret-1', 'refresh-token-1', 'access-token-1']) {
      expect(`${stdout}${stderr}`).not.toContain(secret);
    }
  });
});

test.each([
  ['no stack runs', [], 'No stack runs in'],
  ['an argument is unknown', ['more'], 'npm run doctor'],
])('exits with 1 if %s', async (_, args, sentence) => {
  const { code, stderr } = await doctor(join(tmpdir(), 'no-stack-here'), ...args);

  expect(stderr).toContain(sentence);
  expect(code).toBe(1);
});

/** The health of the service, the state of its engines and queues, and HEAD. */

import { HeadBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type AreaHandler, callArea } from '../api-call.ts';
import { startTables } from '../tables.ts';

const bucket = mockClient(S3Client);
let tables: Awaited<ReturnType<typeof startTables>>;
let apiKey: string;

/** A function that starts anew: it keeps no answer. */
const start = async (): Promise<AreaHandler> => {
  vi.resetModules();
  return (await import('../../functions/api/status.ts')).handler;
};

const counts = {
  ApproximateNumberOfMessages: '3',
  ApproximateNumberOfMessagesDelayed: '2',
  ApproximateNumberOfMessagesNotVisible: '1',
};

beforeAll(async () => {
  tables = await startTables();
  const { createAccount } = await import('../../lib/access/create-account.ts');
  ({ apiKey } = await createAccount({ rate_limit: 0 }));
});
afterAll(() => tables.stop());
beforeEach(() => {
  bucket.reset();
  bucket.on(HeadBucketCommand).resolves({});
  tables.secrets.reset();
  tables.secrets.on(GetSecretValueCommand).resolves({ SecretString: 'a key' });
  tables.queue.on(GetQueueAttributesCommand).resolves({ Attributes: counts });
});

const health = async (handler?: AreaHandler, method = 'GET') =>
  callArea(handler ?? (await start()), { method, path: '/health' });

describe('GET /health', () => {
  test('answers 200 without a key if all parts answer', async () => {
    const answer = await health();

    expect([answer.status, JSON.parse(answer.body)]).toEqual([
      200,
      { status: 'ok', parts: { table: 'ok', queue: 'ok', bucket: 'ok', secrets: 'ok' } },
    ]);
  });

  test.each<[string, () => void]>([
    ['bucket', () => bucket.on(HeadBucketCommand).rejects(new Error('secret inner workings'))],
    ['queue', () => tables.queue.on(GetQueueAttributesCommand).rejects(new Error('secret inner workings'))],
    ['secrets', () => tables.secrets.on(GetSecretValueCommand).rejects(new Error('secret inner workings'))],
    ['secrets', () => tables.secrets.on(GetSecretValueCommand).resolves({ SecretString: '' })],
    [
      'queue, bucket',
      () => {
        tables.queue.on(GetQueueAttributesCommand).rejects(new Error('down'));
        bucket.on(HeadBucketCommand).rejects(new Error('down'));
      },
    ],
  ])('answers 503 and names what fails: %s', async (part, fail) => {
    fail();
    const answer = await health();

    expect([answer.status, JSON.parse(answer.body)]).toEqual([503, { detail: `Not available: ${part}` }]);
    expect(answer.headers['retry-after']).toBe('5');
  });

  test('names a table that does not answer', async () => {
    const { dynamo } = await import('../../lib/runtime/aws.ts');
    const handler = await start();
    const { dynamo: fresh } = await import('../../lib/runtime/aws.ts');
    expect(fresh).not.toBe(dynamo);
    const send = vi.spyOn(fresh, 'send').mockRejectedValue(new Error('down') as never);
    const answer = await health(handler);
    send.mockRestore();

    expect([answer.status, JSON.parse(answer.body)]).toEqual([503, { detail: 'Not available: table' }]);
  });

  test('a hundred requests at once check the parts once', async () => {
    const handler = await start();
    tables.queue.resetHistory();

    const answers = await Promise.all(Array.from({ length: 100 }, () => health(handler)));

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(tables.queue.commandCalls(GetQueueAttributesCommand)).toHaveLength(1);
    expect(bucket.commandCalls(HeadBucketCommand)).toHaveLength(1);
  });
});

test('an answer is kept for five seconds, a failure too', async () => {
  vi.resetModules();
  const { checkHealth } = await import('../../lib/status/health.ts');
  bucket.on(HeadBucketCommand).rejectsOnce(new Error('down')).resolves({});

  await expect(checkHealth(1000)).rejects.toMatchObject({ statusCode: 503 });
  await expect(checkHealth(1004)).rejects.toMatchObject({ statusCode: 503 });
  expect(await checkHealth(1005)).toMatchObject({ status: 'ok' });
});

describe('GET /api/v1/status', () => {
  const read = async () =>
    JSON.parse(
      (
        await callArea(await start(), {
          method: 'GET',
          path: '/api/v1/status',
          headers: { Authorization: `Bearer ${apiKey}` },
        })
      ).body,
    );

  test('needs a key', async () => {
    expect((await callArea(await start(), { method: 'GET', path: '/api/v1/status' })).status).toBe(401);
  });

  test('shows every engine with its fetchers, and the counts of every queue', async () => {
    const status = await read();

    expect(status.engines.map(({ name }: { name: string }) => name)).toEqual([
      'google',
      'bing',
      'yahoo',
      'youtube',
    ]);
    expect(status.engines[0]).toEqual({
      name: 'google',
      source: 'sandbox',
      pages_per_second: 0,
      state: 'in_use',
      failures: 0,
      rested_until: 0,
      fetchers: [
        { name: 'sandbox', state: 'in_use', failures: 0, rested_until: 0 },
        { name: 'browser', state: 'in_use', failures: 0, rested_until: 0 },
      ],
    });
    expect(status.queues).toEqual(
      ['crawl', 'keyword', 'postback', 'patient', 'parked'].map((name) => ({
        name,
        waiting: 3,
        delayed: 2,
        in_progress: 1,
      })),
    );
    expect([status.oldest_task_seconds, status.oldest_webhook_seconds]).toEqual([0, 0]);
  });

  test('shows the rests of an engine and of a fetcher, and the age of unfinished work', async () => {
    vi.stubEnv('GOOGLE_RATE', '300');
    vi.resetModules();
    const { restLine, countWall } = await import('../../lib/store/pace.ts');
    const later = Math.floor(Date.now() / 1000) + 900;
    await restLine('google/http', 20, 0).catch(() => {});
    await countWall('google/1', 100);
    await restLine('google/1', 20, later);
    await countWall('google/http', 100);
    await restLine('google/http', 21, 17);
    const began = Date.now();
    const { callArea: call } = await import('../api-call.ts');
    const { handler: serp } = await import('../../functions/api/serp.ts');
    await call(serp, {
      method: 'POST',
      path: '/api/v2/serp/crawl',
      headers: { Authorization: `Bearer ${apiKey}` },
      body: JSON.stringify({ keyword: 'tea', location_name: 'Canada', iso_code: 'CA' }),
    });

    const askedAt = Date.now() + 60_000;
    vi.useFakeTimers({ now: askedAt, toFake: ['Date'] });
    const status = await read();
    vi.useRealTimers();
    vi.unstubAllEnvs();

    expect(status.engines[0]).toMatchObject({
      pages_per_second: 300,
      state: 'resting',
      failures: 20,
      rested_until: later,
      fetchers: [
        { name: 'sandbox', state: 'probe', failures: 21, rested_until: 17 },
        { name: 'browser', state: 'in_use', failures: 0, rested_until: 0 },
      ],
    });
    expect(status.oldest_task_seconds).toBeGreaterThanOrEqual(60);
    expect(status.oldest_task_seconds).toBeLessThanOrEqual(Math.ceil((askedAt - began) / 1000));
  });
});

describe('HEAD', () => {
  test('has the status and the headers of GET, and no body', async () => {
    const handler = await start();
    const [get, head] = [await health(handler), await health(handler, 'HEAD')];

    expect(head).toEqual({ ...get, body: '' });
  });

  test('has those of a failure too', async () => {
    bucket.on(HeadBucketCommand).rejects(new Error('down'));
    const handler = await start();
    const [get, head] = [await health(handler), await health(handler, 'HEAD')];

    expect(head).toEqual({ ...get, body: '' });
    expect([head.status, head.headers['retry-after']]).toEqual([503, '5']);
  });

  test('of a path without a GET is 405', async () => {
    const { handler } = await import('../../functions/api/account.ts');
    const answer = await callArea(handler, { method: 'HEAD', path: '/token' });

    expect([answer.status, answer.headers.allow, answer.body]).toEqual([405, 'POST', '']);
  });

  test.each(['/', '/docs', '/docs/favicon-32x32.png', '/openapi.json', '/nothing'])(
    'works on %s',
    async (path) => {
      const { handler } = await import('../../functions/api/site.ts');
      const [get, head] = [
        await callArea(handler, { method: 'GET', path }),
        await callArea(handler, { method: 'HEAD', path }),
      ];

      expect(get.body.length).toBeGreaterThan(0);
      expect(head).toEqual({ ...get, body: '' });
    },
  );
});

/**
 * Each store refuses calls for two minutes, and until several tasks were refused twice. Nothing is lost,
 * nothing ends in a dead-letter queue, and nothing happens twice. SQS refuses a part of the receives, each
 * other store every call.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { localTemplate } from '../../infra/local/cached-template.ts';
import { makeFirstUser } from '../../infra/local/first-user.ts';
import { runTemplate } from '../../infra/local/run-template.ts';
import { readSettings } from '../../infra/local/settings.ts';
import { credentials, startEmulators } from '../../infra/local/stores/emulators.ts';
import { readTemplate } from '../../infra/local/template.ts';
import type { V2Task } from '../../lib/model/v2-task.ts';
import { type Client, clientOf } from '../e2e/client.ts';
import { type Refusal, serviceOf, startProxy } from '../e2e/embedded/refusing-proxy.ts';
import { queueLengths } from '../e2e/embedded/run-datapoints.ts';
import { startReceiver } from '../e2e/receiver.ts';
import { patienceMs, until } from '../e2e/until.ts';

type Store = ReturnType<typeof serviceOf>;

/** Which store is tested, if not all of them are. */
const { REFUSE_STORE } = process.env;
const isTested = (store: Store) => !REFUSE_STORE || store === REFUSE_STORE;

/** How long a store refuses calls at least, in seconds. */
const refuseSeconds = Number(process.env.REFUSE_SECONDS ?? 0);

const refusals: Record<Store, Refusal[]> = {
  DynamoDB: [
    [400, 'ProvisionedThroughputExceededException'],
    [400, 'ThrottlingException'],
    [500, 'InternalServerError'],
  ],
  S3: [
    [503, 'SlowDown'],
    [503, 'ServiceUnavailable'],
    [500, 'InternalError'],
  ],
  SQS: [
    [400, 'ThrottlingException'],
    [503, 'ServiceUnavailable'],
    [500, 'InternalError'],
  ],
  'Step Functions': [[400, 'ThrottlingException']],
};

/** The store that refuses calls now, since when (`performance.now()`), and the number of its refusals. */
let refusing: Store | null = null;
let since = 0;
let refused = 0;

const startRefusing = (store: Store): void => {
  refusing = store;
  since = performance.now();
};
const isLongEnough = () => performance.now() - since >= refuseSeconds * 1000;

const refuse = (headers: IncomingHttpHeaders): Refusal | undefined => {
  if (!refusing || serviceOf(headers) !== refusing) return undefined;
  refused += 1;
  // Messages must still arrive, otherwise only the calls of the few runs that have started are refused.
  if (headers['x-amz-target'] === 'AmazonSQS.ReceiveMessage' && refused % 2 === 0) return undefined;
  return refusals[refusing][refused % refusals[refusing].length];
};

const written: Record<string, unknown>[] = [];
const logged = (message: string) => written.filter((line) => line.message === message);

let client: Client;
let sqsEndpoint = '';
let queues: string[] = [];
let receiver: Awaited<ReturnType<typeof startReceiver>>;
const stops: (() => unknown)[] = [];

beforeAll(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'back-pressure-'));
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    for (const line of String(chunk).split('\n')) if (line.startsWith('{')) written.push(JSON.parse(line));
    return true;
  });
  const emulators = await startEmulators(dataDir, () => undefined);
  sqsEndpoint = emulators.endpoints.sqs;
  let machines = '';
  const [tables, objectsAndQueues, starts] = await Promise.all([
    startProxy(() => emulators.endpoints.dynamodb, refuse),
    startProxy(() => emulators.endpoints.sqs, refuse),
    startProxy(() => machines, refuse),
  ]);
  const settings = readSettings({ PORT: '0', DATA_DIR: dataDir, RATE_LIMIT: '0', CLOCK_RATE: '60' });
  const source = await localTemplate();
  queues = readTemplate(source, sqsEndpoint)
    .all('AWS::SQS::Queue')
    .map(({ name }) => name);
  const user = Promise.withResolvers<{ apiKey: string }>();
  const running = await runTemplate(
    { ...emulators, endpoints: { dynamodb: tables.url, sqs: objectsAndQueues.url } },
    source,
    {
      ...settings,
      continues: false,
      service: { AWS_ENDPOINT_URL_SFN: starts.url },
      prepare: async () => user.resolve(await makeFirstUser(settings)),
    },
  );
  machines = running.awsEndpoint;
  client = clientOf({ url: running.url, ...(await user.promise) });
  stops.push(
    running.stop,
    tables.stop,
    objectsAndQueues.stop,
    starts.stop,
    () => rm(dataDir, { recursive: true, force: true }),
    () => spy.mockRestore(),
  );
});
afterAll(async () => {
  for (const stop of stops) await stop();
});

beforeEach(async () => {
  written.length = 0;
  refused = 0;
  receiver = await startReceiver();
});
afterEach(async () => {
  refusing = null;
  await receiver.stop();
});

/** Waits for what the service logs while a store refuses calls, or afterwards. */
const untilLogged = (isThere: () => boolean) => {
  const counts = () => Object.entries(Object.groupBy(written, ({ message }) => String(message)));
  return until(
    isThere,
    () => `the log has only ${counts().map(([message, lines]) => `${lines?.length} × ${message}`)}`,
    refuseSeconds * 1000 + patienceMs,
  );
};

const idsIn = (lines: Record<string, unknown>[]) => [...new Set(lines.map(({ task_id }) => task_id))];

/**
 * Accepts searches with webhooks, and makes the store refuse its calls as soon as the first webhook has
 * arrived. Step Functions refuse from the beginning, because all runs are started at once.
 */
const acceptThenRefuse = async (store: Store): Promise<number[]> => {
  if (store === 'Step Functions') startRefusing(store);
  const tasks = await client.json<V2Task[]>('/api/v2/serp/crawl/google/batch', {
    method: 'POST',
    body: JSON.stringify(
      Array.from({ length: 16 }, (_, n) => ({
        keyword: `${n % 4 === 0 ? '' : 'slow: '}${store} ${n}`,
        location_name: 'United States',
        iso_code: 'US',
        depth: n % 2 === 0 ? 10 : 20,
        postback_url: receiver.url,
      })),
    ),
  });
  if (!refusing) {
    await receiver.until(1);
    startRefusing(store);
  }
  return tasks.map(({ id }) => id);
};

/**
 * Waits until all tasks are final and all webhooks have arrived, and checks that each happened once, without
 * a dead letter.
 */
const expectEachOnce = async (ids: number[]): Promise<void> => {
  const ended = await client.allFinished(ids);
  expect(ended.map(({ status }) => status)).toEqual(ids.map(() => 'success'));
  await receiver.until(ids.length);
  await untilLogged(() => logged('delivery attempt').length >= ids.length);
  // Time for one too many.
  await new Promise((resolve) => setTimeout(resolve, 2000));
  // Each ended task has one log line, which follows the write of its final state.
  expect(
    logged('task ended')
      .map(({ task_id }) => task_id)
      .toSorted(),
  ).toEqual(ids.toSorted());
  expect(receiver.received.map(({ body }) => JSON.parse(body).id).toSorted()).toEqual(ids.toSorted());
  const deadLetters = queues.filter((queue) => /DeadLetters|ParkedDeliveries/.test(queue));
  const lengths = await queueLengths(sqsEndpoint, deadLetters);
  expect(lengths.map(({ value }) => value)).toEqual(deadLetters.map(() => 0));
};

test.each((['Step Functions', 'S3', 'DynamoDB'] as const).filter(isTested))(
  'while %s refuses calls, tasks and webhooks are postponed without a receive',
  async (store) => {
    const ids = await acceptThenRefuse(store);
    await untilLogged(
      () => isLongEnough() && idsIn(logged('task put off').filter((line) => line.refused === 2)).length >= 4,
    );
    refusing = null;

    await expectEachOnce(ids);

    expect(logged('AWS refused').length).toBeGreaterThan(0);
    expect(logged('A message failed')).toEqual([]);
    expect(logged('A scheduled run failed')).toEqual([]);
  },
);

test.each((['SQS'] as const).filter(isTested))(
  'while %s refuses calls, messages use up receives at worst',
  async (store) => {
    const sqs = new SQSClient({ endpoint: sqsEndpoint, region: 'us-east-1', credentials });
    // A failed message is received again after these seconds instead of minutes, twice at most while SQS
    // refuses calls.
    const VisibilityTimeout = String(Math.max(15, refuseSeconds / 2));
    for (const name of queues.filter((queue) => /^(Crawl|Postback)Queue/.test(queue))) {
      const QueueUrl = `${sqsEndpoint}/000000000000/${name}`;
      await sqs.send(new SetQueueAttributesCommand({ QueueUrl, Attributes: { VisibilityTimeout } }));
    }
    sqs.destroy();
    const ids = await acceptThenRefuse(store);
    await untilLogged(() => isLongEnough() && logged('A message failed').length >= 4 && refused >= 60);
    refusing = null;

    await expectEachOnce(ids);
  },
);

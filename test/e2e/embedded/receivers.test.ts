/** Receivers that misbehave: each costs an attempt, and nothing else. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GetQueueAttributesCommand, SetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { batchSize } from '../../../infra/function-limits.ts';
import { credentials } from '../../../infra/local/stores/emulators.ts';
import { slotsPerUser, slotWindowSeconds } from '../../../lib/postback/policy.ts';
import { bareEnvironment } from '../../bare-environment.ts';
import { commandHere, type Printed } from '../../command-here.ts';
import { clientOf } from '../client.ts';
import { failing, startMisbehaving, taking } from '../misbehaving-receiver.ts';
import { startReceiver } from '../receiver.ts';
import { startService } from '../service.ts';
import { until } from '../until.ts';

let service: Awaited<ReturnType<typeof startService>>;
let client: ReturnType<typeof clientOf>;
beforeAll(async () => {
  // The second attempt follows after 0.1 s, the fifth after 1.5 s in all.
  service = await startService({ CLOCK_RATE: '600' });
  client = clientOf(service);
});
afterAll(() => service.stop());

const stops: (() => unknown)[] = [];
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()));
});

const given = {
  misbehaving: async (misbehaviour: Parameters<typeof startMisbehaving>[0]) => {
    const receiver = await startMisbehaving(misbehaviour);
    stops.push(receiver.stop);
    return receiver;
  },
  receiver: async (answer?: (count: number) => number) => {
    const receiver = await startReceiver(answer);
    stops.push(receiver.stop);
    return receiver;
  },
};

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** `npm run deliveries` in a separate process. */
const deliveriesAsProcess = (...args: string[]) =>
  new Promise<Printed>((resolve) => {
    const command = ['infra/commands/deliveries.ts', ...args];
    const env = { ...bareEnvironment, DATA_DIR: service.dataDir };
    const child = execFile(process.execPath, command, { env }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode ?? 1, stdout, stderr }),
    );
  });

const deliveries = (...args: string[]) => commandHere('deliveries', args, { DATA_DIR: service.dataDir });

const runningStack = async () =>
  JSON.parse(await readFile(join(service.dataDir, 'running.json'), 'utf8')) as {
    endpoints: { dynamodb: string; sqs: string };
    environment: Record<string, string>;
  };

/** Creates another user of the same service. */
const otherClient = async () => {
  const { stdout } = await commandHere('user', ['create'], { DATA_DIR: service.dataDir });
  return clientOf({ url: service.url, apiKey: /API key +(\S+)/.exec(stdout)?.[1] ?? '' });
};

/** 64 KB are read. The buffers of both ends hold more, which was sent too. */
const mostBytes = 64 * 1024 + 8 * 1024 * 1024;

describe('a misbehaving receiver costs one attempt', () => {
  const kinds = [
    ...Object.entries(failing).map(([name, misbehaviour]) => ({ name, misbehaviour, failures: 1 })),
    ...Object.entries(taking).map(([name, misbehaviour]) => ({ name, misbehaviour, failures: 0 })),
  ];

  test.concurrent.each(kinds)('$name', async ({ misbehaviour, failures }) => {
    const receiver = await startMisbehaving(misbehaviour);
    try {
      const task = await client.searched({ keyword: 'lake cabins', postback_url: receiver.url });
      // The receivers that hang keep their connection open, so the service ended it.
      await until(
        () => receiver.connections.length > 0 && receiver.connections[0]?.closedAt !== 0,
        () => `the first of ${receiver.connections.length} connections has not ended`,
      );
      // Over TLS, the later attempts fail too, so check only the first.
      if (!misbehaviour.scheme) {
        await until(
          () => receiver.connections.length > failures,
          () => `${receiver.connections.length} attempts were made`,
        );
        await wait(1500);
        expect(receiver.connections).toHaveLength(failures + 1);
        expect((await client.read(task.id)).postback_retries_count).toBe(failures);
      }
      expect(receiver.connections[0]?.bytesSent).toBeLessThan(mostBytes);
      expect(await client.read(task.id)).toMatchObject({ status: 'success' });
    } finally {
      receiver.stop();
    }
  });

  test('a receiver that refuses connections costs five attempts', async () => {
    const task = await client.searched({ keyword: 'lake cabins', postback_url: 'http://127.0.0.1:1/' });

    await until(
      async () => (await client.read(task.id)).postback_retries_count === 4,
      'the fifth attempt was not made',
    );
    expect(await client.read(task.id)).toMatchObject({ status: 'success' });
  });
});

describe('parked deliveries', () => {
  test('are listed, and can be sent again under the same id until the receiver accepts them', async () => {
    let status = 500;
    const receiver = await given.receiver(() => status);
    const task = await client.searched({
      keyword: 'lake cabins',
      postback_url: `${receiver.url.replace('//', '//me:secret@')}?token=secret`,
    });
    await receiver.until(5);
    const delivery = receiver.received[0]?.headers['webhook-id'] ?? '';
    let listed = await deliveries('list');
    await until(async () => {
      listed = await deliveries('list');
      return listed.stdout.includes(delivery);
    }, 'the delivery is not parked');

    expect(listed.code).toBe(0);
    expect(listed.stdout).toContain(`${delivery}  user 1  task ${task.id}  `);
    expect(listed.stdout).toContain(receiver.url);
    expect(listed.stdout).not.toContain('secret');

    const refused = await deliveries('resend', delivery);
    expect(refused).toMatchObject({ code: 1, stdout: expect.stringContaining('the receiver answered 500') });
    expect(receiver.received).toHaveLength(6);

    status = 200;
    const sent = await deliveriesAsProcess('resend', String(task.id));
    expect(sent).toMatchObject({ code: 0, stdout: expect.stringContaining('delivered (200)') });
    const again = await deliveriesAsProcess('resend', delivery);
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining(`Not parked: ${delivery}. `) });
    expect(receiver.received).toHaveLength(7);

    const { headers, body } = receiver.received[6]!;
    expect(headers['webhook-id']).toBe(delivery);
    const payload = new Webhook(service.webhookSecret).verify(body, headers) as { html_url: string };
    expect({ ...payload, html_url: '' }).toEqual({ ...JSON.parse(receiver.received[4]!.body), html_url: '' });
    expect((await fetch(payload.html_url)).status).toBe(200);
    expect((await deliveries('list')).stdout).not.toContain(delivery);
  });

  test('an unknown action shows the usage, and a command without a running stack says so', async () => {
    expect(await deliveries('send')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Usage'),
    });
    expect(await commandHere('deliveries', ['list'], { DATA_DIR: '/nowhere' })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('No stack runs in /nowhere'),
    });
  });
});

const hangingCount = 100;

/** The number of deliveries in the patient queue, none of which is received while the test runs. */
const holdPatientQueue = async (): Promise<() => Promise<number>> => {
  const { endpoints, environment } = await runningStack();
  const sqs = new SQSClient({ endpoint: endpoints.sqs, region: 'us-east-1', credentials });
  const QueueUrl = environment.PATIENT_QUEUE_URL;
  await sqs.send(new SetQueueAttributesCommand({ QueueUrl, Attributes: { DelaySeconds: '900' } }));
  stops.push(() => sqs.destroy());
  return async () => {
    const AttributeNames = ['ApproximateNumberOfMessagesDelayed' as const];
    const { Attributes } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames }));
    return Number(Attributes?.ApproximateNumberOfMessagesDelayed);
  };
};

const windowOf = (at: number) => Math.floor(at / 1000 / slotWindowSeconds);

test("hanging deliveries of one user do not hold up another's", async () => {
  // The first user has no free slot: the tests before this one have left hanging deliveries in them.
  const [hanging, other] = [await otherClient(), await otherClient()];
  const keyword = 'lake cabins';
  // All later searches reuse this result, so their deliveries do not wait for a crawl.
  await other.searched({ keyword });
  const moved = await holdPatientQueue();
  const receivers = await Promise.all(
    Array.from({ length: hangingCount }, () => given.misbehaving({ talk: () => {} })),
  );
  const begun = () => receivers.filter(({ connections }) => connections.length > 0).length;
  const others = await given.receiver();
  const bodies = receivers.map(({ url }) => ({
    keyword,
    location_name: 'United States',
    iso_code: 'US',
    postback_url: url,
  }));
  const began = Date.now();
  for (const from of [0, 50]) {
    const body = JSON.stringify(bodies.slice(from, from + 50));
    await hanging.json('/api/v2/serp/crawl/google/batch', { method: 'POST', body });
  }
  await until(() => begun() > 0, 'no hanging delivery has begun');
  await other.search({ keyword, postback_url: others.url });

  await others.until(1);
  // Compared by their numbers, because on a slow machine the hanging deliveries end before the other begins.
  await until(
    async () => begun() + (await moved()) >= hangingCount,
    async () => `${begun()} deliveries have begun, and ${await moved()} are in the patient queue`,
  );
  const windows = windowOf(Date.now()) - windowOf(began) + 1;
  expect(begun()).toBeLessThanOrEqual(windows * slotsPerUser * batchSize);
});

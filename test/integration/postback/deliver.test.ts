/** Webhook attempts against real stores and receivers: made once each, recorded, repeated, and parked after the fifth. */
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { DeliveryKey } from '../../../lib/model/step.ts';
import type { TaskRow } from '../../../lib/store/tasks.ts';
import { startReceiver } from './receiver.ts';
import { startStores } from './stores.ts';

// The stores take their names from the environment as they are imported.
const stores = await startStores();
const { dynamo } = await import('../../../lib/runtime/aws.ts');
const { clock } = await import('../../../lib/runtime/clock.ts');
const { beginAttempt } = await import('../../../lib/store/deliveries.ts');
const { putHtml } = await import('../../../lib/store/html.ts');
const { putResult } = await import('../../../lib/store/put-result.ts');
const { readRow } = await import('../../../lib/store/tasks.ts');
const { deliver: consume } = await import('../../../lib/postback/deliver.ts');
const { deliverAgain } = await import('../../../lib/postback/deliver-again.ts');
const { parkDelivery } = await import('../../../lib/postback/park-delivery.ts');
const { openPage } = await import('../../../lib/task/open-page.ts');

const secrets = [2, 1].map((byte) => `whsec_${Buffer.alloc(24, byte).toString('base64')}`);
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let lastId = 1000;

const given = {
  /** A finished task whose webhook waits for its first attempt. */
  delivery: async (fields: Partial<TaskRow> = {}): Promise<DeliveryKey> => {
    const id = ++lastId;
    const delivery = `msg_1_${id}_1`;
    const now = clock();
    const row: TaskRow = {
      kind: 'google',
      snapshot_hash: '',
      html_folder: 'a',
      user_id: 1,
      id,
      sharding: 0,
      status: 'success',
      keyword: 'coffee',
      location_name: 'Germany',
      iso_code: 'DE',
      language_code: 'de',
      domain: null,
      business_name: null,
      competitors: null,
      engine_domain: 'google.com',
      device: 'desktop',
      postback_url: receiver.url,
      post_id: null,
      keyword_id: null,
      priority: 1,
      frequency: 24,
      se_id: 0,
      depth: 10,
      pages: [],
      top_10: ['a.example'],
      postback_retries_count: 0,
      retries_count: 0,
      created_on: '2026-01-01',
      created_at: now,
      succeed_at: now,
      ttl: now + 86_400,
      error_message: null,
      crawled_at: now,
      reused: false,
      complete: true,
      attempt: 1,
      lease_until: 0,
      base_url: 'https://here.example',
      stored: await putResult(1, id, 1, {
        result: { left: [], right: [] },
        tracking: null,
        pages: {},
        total_results: 'About 3 results',
        search_time: 0.2,
      }),
      delivery,
      delivery_state: 'pending',
      delivery_attempt: 0,
      unfinished: '0',
      due_at: now + 60,
      ...fields,
    };
    await dynamo.send(new PutCommand({ TableName: process.env.TASKS_TABLE, Item: row }));
    return { user_id: 1, id, delivery, attempt: 1 };
  },
};

/** A message that comes in a batch of its own. */
const deliver = (key: DeliveryKey) => consume({ ...key, patient: false }, {});

const rowOf = (key: DeliveryKey) => readRow(key.user_id, key.id, 0);

beforeAll(async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const account = {
    id: 1,
    enabled: true,
    ttl: 0,
    webhook_secrets: secrets,
    signing_key: Buffer.alloc(32, 7).toString('base64'),
  };
  await dynamo.send(new PutCommand({ TableName: process.env.USERS_TABLE, Item: account }));
});
afterAll(() => stores.stop());

beforeEach(async () => {
  receiver = await startReceiver();
  stores.started.length = 0;
});
afterEach(() => receiver.stop());

test('delivers the signed payload once, and the task needs nothing more', async () => {
  const key = await given.delivery();

  await deliver(key);

  expect(receiver.received).toHaveLength(1);
  const [{ headers, body } = { headers: {}, body: '' }] = receiver.received;
  for (const secret of secrets) {
    const payload = new Webhook(secret).verify(body, headers as Record<string, string>);
    expect(payload).toMatchObject({
      id: key.id,
      status: 'success',
      result: { organic: [], total_results: 'About 3 results', search_time: 0.2 },
      top_domains: ['a.example'],
      html_url: '',
    });
  }
  expect(headers).toMatchObject({ 'webhook-id': key.delivery, 'content-type': 'application/json' });
  expect(await rowOf(key)).toMatchObject({ delivery_state: 'delivered', postback_retries_count: 0 });
  expect(await rowOf(key)).not.toHaveProperty('unfinished');
  expect(await rowOf(key)).not.toHaveProperty('due_at');
  expect(stores.started).toEqual([]);
});

test.each([500, 404, 301, 304])('an answer of %i hands the second attempt to the machine', async (status) => {
  const key = await given.delivery();
  receiver.answers.push(status);

  await deliver(key);

  expect(stores.started).toEqual([{ name: `${key.delivery}-2`, input: { ...key, attempt: 2 } }]);
  const row = await rowOf(key);
  expect(row).toMatchObject({ delivery_state: 'pending', delivery_attempt: 1, unfinished: '0' });
  // The sweeper keeps off while the machine waits its minute.
  expect(row?.due_at).toBeGreaterThan(clock() + 60);
});

test('beside two batches with deliveries that hang, the others of the user wait in the patient queue', async () => {
  const { promise: hangUp, resolve } = Promise.withResolvers<number>();
  receiver.answers.push(...Array.from({ length: 12 }, () => () => hangUp));
  const hanging = await Promise.all(Array.from({ length: 12 }, () => given.delivery()));
  const [one, two] = [{}, {}];
  const stuck = hanging.map((key, n) => consume({ ...key, patient: false }, n < 10 ? one : two));
  await vi.waitFor(() => expect(receiver.received).toHaveLength(12), 20_000);

  const late = await given.delivery();
  await deliver(late);
  expect(await stores.readPatient()).toEqual([{ ...late, patient: true }]);
  await consume({ ...late, patient: true }, {});

  expect(JSON.parse(receiver.received[12]?.body ?? '')).toMatchObject({ id: late.id });
  resolve(200);
  await Promise.all(stuck);
  expect(await rowOf(late)).toMatchObject({ delivery_state: 'delivered' });
});

test('a receiver that is not there is a failed attempt', async () => {
  const key = await given.delivery();
  await receiver.stop();

  await deliver(key);

  expect(stores.started).toHaveLength(1);
  receiver = await startReceiver();
});

test.each([2, 3, 4, 5])('is taken at attempt %i', async (last) => {
  const key = await given.delivery();
  receiver.answers.push(...Array.from({ length: last - 1 }, () => 503));

  await deliver(key);
  let state: DeliveryKey & { outcome?: string } = { ...key, attempt: 2 };
  for (let n = 2; n <= last; n++) state = await deliverAgain(state);

  expect(state).toEqual({ ...key, attempt: last, outcome: 'delivered' });
  expect(receiver.received).toHaveLength(last);
  expect(await rowOf(key)).toMatchObject({ delivery_state: 'delivered', postback_retries_count: last - 1 });
});

test('after five failures it is parked, once, and can be sent again', async () => {
  const key = await given.delivery();
  receiver.answers.push(500, 500, 500, 500, 500);

  await deliver(key);
  let state: DeliveryKey = { ...key, attempt: 2 };
  for (let n = 2; n <= 5; n++) state = await deliverAgain(state);
  expect(state).toEqual({ ...key, attempt: 6, outcome: 'failed' });
  expect(await parkDelivery(state)).toMatchObject({ outcome: 'parked' });
  expect(await parkDelivery(state)).toMatchObject({ outcome: 'stale' });

  expect(receiver.received).toHaveLength(5);
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id']))).toEqual(
    new Set([key.delivery]),
  );
  const object = `deliveries/1/${key.id}/${key.delivery}.json`;
  expect(await stores.readParked()).toEqual([
    { user_id: 1, id: key.id, delivery: key.delivery, key: object },
  ]);
  expect(await stores.readObject(object)).toMatchObject({
    url: receiver.url,
    delivery: key.delivery,
    payload: JSON.parse(receiver.received[4]?.body ?? ''),
  });
  const row = await rowOf(key);
  expect(row).toMatchObject({ status: 'success', delivery_state: 'parked', postback_retries_count: 4 });
  expect(row).not.toHaveProperty('unfinished');
});

describe('a message that comes again', () => {
  test.each([
    [
      'one after the other',
      async (key: DeliveryKey) => {
        for (let n = 0; n < 5; n++) await deliver(key);
      },
    ],
    ['side by side', (key: DeliveryKey) => Promise.all([1, 2, 3, 4, 5].map(() => deliver(key)))],
  ])('%s, makes one delivery', async (_, repeat) => {
    const key = await given.delivery();

    await repeat(key);

    expect(receiver.received).toHaveLength(1);
    expect(await rowOf(key)).toMatchObject({ delivery_state: 'delivered' });
  });

  test('after a failure makes no second attempt and no second run', async () => {
    const key = await given.delivery();
    receiver.answers.push(500);

    await deliver(key);
    await deliver(key);

    expect(receiver.received).toHaveLength(1);
    expect(stores.started).toHaveLength(1);
  });

  test('is not in the way of the machine: what it finds made by another, it counts as spent', async () => {
    const key = await given.delivery();
    receiver.answers.push(500, 500);
    await deliver(key);
    await deliver({ ...key, attempt: 2 });

    expect(await deliverAgain({ ...key, attempt: 2 })).toMatchObject({ attempt: 3, outcome: 'failed' });
    expect(await deliverAgain({ ...key, attempt: 3 })).toMatchObject({ outcome: 'delivered' });
    expect(await deliverAgain({ ...key, attempt: 3 })).toMatchObject({ outcome: 'stale' });
    expect(receiver.received).toHaveLength(3);
  });
});

describe('a function that dies', () => {
  test('after the record leaves the attempt spent, and the next one to the sweeper', async () => {
    const key = await given.delivery();
    await beginAttempt(key, clock() + 25);

    // Whoever has the message cannot tell a death from an attempt that is under way.
    await deliver(key);
    expect(await deliverAgain(key)).toMatchObject({ outcome: 'stale' });
    expect(receiver.received).toHaveLength(0);
    expect(stores.started).toEqual([]);

    await deliver({ ...key, attempt: 2 });
    expect(receiver.received).toHaveLength(1);
    expect(await rowOf(key)).toMatchObject({ delivery_state: 'delivered', postback_retries_count: 1 });
  });

  test('in the middle of the fifth is followed by parking, however often the sweeper asks', async () => {
    const key = await given.delivery({
      delivery_state: 'sending',
      delivery_attempt: 5,
      postback_retries_count: 4,
    });

    await deliver({ ...key, attempt: 6 });
    await deliver({ ...key, attempt: 6 });

    expect(receiver.received).toHaveLength(0);
    expect(stores.started.map(({ input }) => input)).toEqual([
      { ...key, attempt: 6 },
      { ...key, attempt: 6 },
    ]);
  });
});

test.each<[string, Partial<TaskRow>, number]>([
  ['was delivered', { delivery_state: 'delivered', delivery_attempt: 1 }, 2],
  ['was parked', { delivery_state: 'parked', delivery_attempt: 5 }, 5],
  ['belongs to an earlier end of the task', { delivery: 'msg_1_1_2' }, 1],
  ['has no address', { postback_url: null }, 1],
  ['outlived its task', { ttl: 1 }, 1],
])('a delivery that %s is stale', async (_, fields, attempt) => {
  const key = { ...(await given.delivery(fields)), attempt };

  expect(await deliverAgain(key)).toEqual({ ...key, outcome: 'stale' });
  expect(await parkDelivery(key)).toEqual({ ...key, outcome: 'stale' });
  expect(receiver.received).toHaveLength(0);
});

test('an attempt that others have overtaken is stale', async () => {
  const key = await given.delivery({ delivery_attempt: 3 });

  expect(await deliverAgain({ ...key, attempt: 2 })).toMatchObject({ outcome: 'stale' });
  expect(receiver.received).toHaveLength(0);
});

test('a late answer does not touch the delivery that has taken its place', async () => {
  const key = await given.delivery();
  receiver.answers.push(async () => {
    const row = await rowOf(key);
    const redriven = { ...row, delivery: 'msg_again', delivery_state: 'pending', delivery_attempt: 0 };
    await dynamo.send(new PutCommand({ TableName: process.env.TASKS_TABLE, Item: redriven }));
    return 200;
  });

  await deliver(key);

  expect(await rowOf(key)).toMatchObject({
    delivery: 'msg_again',
    delivery_state: 'pending',
    unfinished: '0',
  });
});

test('a failed task is told as error', async () => {
  const key = await given.delivery({
    status: 'dead_letter',
    error_message: 'machinery: broken',
    succeed_at: 0,
    stored: undefined,
    top_10: null,
  });

  await deliver(key);

  expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({
    status: 'error',
    error_message: 'machinery: broken',
    result: null,
    top_domains: [],
  });
});

test('html_url leads to the first stored page, as a download', async () => {
  const page = { html_folder: 'a', attempt: 1, page: 1 };
  const html = await putHtml(page, '<p>stored</p>');
  const key = await given.delivery({
    pages: [{ page: 1, url: 'https://engine.example/', status: 'parsed', retry_count: 0, html }],
  });

  await deliver(key);
  const { html_url } = JSON.parse(receiver.received[0]?.body ?? '');
  const [base, token = ''] = html_url.split('/pages/');
  const address = await openPage(token);

  expect(base).toBe('https://here.example');
  expect(await (await fetch(address)).text()).toBe('<p>stored</p>');
  expect(new URL(address).searchParams.get('response-content-disposition')).toMatch(/^attachment/);
  expect(Number(new URL(address).searchParams.get('X-Amz-Expires'))).toBe(60);
  await expect(openPage(`${token}x`)).rejects.toMatchObject({ name: 'HttpError', statusCode: 404 });
});

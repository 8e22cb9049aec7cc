/** The attempts at a webhook as its owner sees them, and webhooks that are sent again. */
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import type { DeliveryKey } from '../../../lib/model/workflow.ts';
import { rowKey } from '../../../lib/store/partitions.ts';
import { accountOf } from '../account.ts';
import { deliver, given, receiver, rowOf, stores } from './given.ts';

// The stores read their names from the environment when they are imported: import them after `given.ts`.
const { dynamo } = await import('../../../lib/runtime/aws.ts');
const { clock } = await import('../../../lib/runtime/clock.ts');
const { deliverAgain } = await import('../../../lib/postback/deliver-again.ts');
const { parkDelivery } = await import('../../../lib/postback/park-delivery.ts');
const { readDeliveries, sendAgain } = await import('../../../lib/task/deliveries.ts');
const { sweepTasks } = await import('../../../lib/task/sweep.ts');

const user = accountOf(1);
const wanted = ({ id }: DeliveryKey) => ({ id, api: 'v2' as const });
const readOf = (key: DeliveryKey) => readDeliveries(user, wanted(key));

const set = (key: DeliveryKey, name: string, value: unknown) =>
  dynamo.send(
    new UpdateCommand({
      TableName: process.env.TASKS_TABLE,
      Key: rowKey(key),
      UpdateExpression: 'SET #name = :value',
      ExpressionAttributeNames: { '#name': name },
      ExpressionAttributeValues: { ':value': value },
    }),
  );

/** Makes all five attempts, and parks the delivery. */
const failCompletely = async (key: DeliveryKey) => {
  await deliver(key);
  for (const attempt of [2, 3, 4, 5]) await deliverAgain({ ...key, attempt });
  await parkDelivery({ ...key, attempt: 6 });
};

test('shows each attempt with its time, status, duration and error', async () => {
  const key = await given.delivery();
  const now = clock();
  receiver.answers.push(503, 204);
  await deliver(key);
  await deliverAgain({ ...key, attempt: 2 });

  const { attempts, ...delivery } = await readOf(key);

  expect(delivery).toEqual({
    task_id: key.id,
    postback_url: receiver.url,
    delivery_id: key.delivery,
    state: 'delivered',
  });
  expect(attempts).toMatchObject([
    { status: 503, error: 'the receiver answered 503' },
    { status: 204, error: null },
  ]);
  for (const { time, duration_ms } of attempts) {
    expect(time).toBeGreaterThanOrEqual(now);
    expect(duration_ms).toBeGreaterThanOrEqual(0);
  }
});

test('shows no status for a receiver that cannot be reached, and no outcome of an attempt that died', async () => {
  const key = await given.delivery({ postback_url: 'http://127.0.0.1:1/hook' });
  await deliver(key);
  await set(key, 'attempt_log', [...((await rowOf(key))?.attempt_log ?? []), [clock()]]);

  expect((await readOf(key)).attempts).toMatchObject([
    { status: null, error: expect.stringMatching(/^unreachable: /) },
    { status: null, duration_ms: null, error: expect.stringMatching(/^unknown: /) },
  ]);
});

test('a delivered webhook is sent again with the same id, and its attempts follow the former ones', async () => {
  const key = await given.delivery();
  await deliver(key);

  await sendAgain(user, wanted(key));

  const [message] = await stores.readPostback();
  expect(message).toEqual({ ...key, attempt: 1, round: 1 });
  expect(await rowOf(key)).toMatchObject({ delivery_state: 'pending', delivery_attempt: 0 });
  await deliver(message as DeliveryKey);
  expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([key.delivery, key.delivery]);
  expect(await readOf(key)).toMatchObject({
    state: 'delivered',
    attempts: [{ status: 200 }, { status: 200 }],
  });
});

test('a webhook that is sent again is retried: the name of its run is not that of the first time', async () => {
  const key = await given.delivery();
  receiver.answers.push(500, 500, 500, 500, 500, 500);
  await deliver(key);
  for (const attempt of [2, 3, 4, 5]) await deliverAgain({ ...key, attempt });
  await parkDelivery({ ...key, attempt: 6 });
  await stores.readParked();

  await sendAgain(user, wanted(key));
  await deliver({ ...key, round: 1 });

  expect(stores.started.map(({ name }) => name)).toEqual([`${key.delivery}-2`, `${key.delivery}-2-1`]);
  expect(stores.started.at(-1)?.input).toMatchObject({ attempt: 2, round: 1 });
});

test('a parked webhook is no longer parked once it is delivered', async () => {
  const key = await given.delivery();
  receiver.answers.push(500, 500, 500, 500, 500);
  await failCompletely(key);
  await stores.readParked();
  const copy = `deliveries/1/${key.id}/${key.delivery}.json`;
  expect(await stores.readObject(copy)).toMatchObject({ delivery: key.delivery });

  await sendAgain(user, wanted(key));
  await deliver({ ...key, round: 1 });

  await expect(stores.readObject(copy)).rejects.toMatchObject({ name: 'NoSuchKey' });
  expect(await readOf(key)).toMatchObject({ state: 'delivered' });
});

test('a webhook whose message was lost is queued by the sweeper, in its round', async () => {
  const key = await given.delivery();
  await deliver(key);
  await sendAgain(user, wanted(key));
  await stores.readPostback();

  await sweepTasks(clock() + 25);

  expect(await stores.readPostback()).toMatchObject([{ id: key.id, attempt: 1, round: 1 }]);
});

test.each([
  ['has no webhook', { postback_url: null, delivery: null }, 'The task has no postback_url'],
  ['is not final', { status: 'crawling', delivery: null } as const, 'The task is not final'],
  ['has a pending delivery', {}, 'A delivery of this task is under way'],
  [
    'has an attempt under way',
    { delivery_state: 'sending' } as const,
    'A delivery of this task is under way',
  ],
  [
    'was sent again twenty times',
    { delivery_state: 'delivered', resends: 20 } as const,
    'The delivery was sent again 20 times',
  ],
])('a task that %s gives 409', async (_, fields, detail) => {
  const key = await given.delivery(fields);

  await expect(sendAgain(user, wanted(key))).rejects.toMatchObject({ statusCode: 409, detail });
});

test('a task of another user, of the other version, and an unknown one give 404', async () => {
  const key = await given.delivery();
  const notFound = { statusCode: 404, detail: 'Task not found' };

  for (const call of [readDeliveries, sendAgain]) {
    await expect(call(accountOf(2), wanted(key))).rejects.toMatchObject(notFound);
    await expect(call(user, { id: key.id, api: 'v1' })).rejects.toMatchObject(notFound);
    await expect(call(user, { id: key.id + 1, api: 'v2' })).rejects.toMatchObject(notFound);
  }
});

test('of two requests at once, one sends the webhook again', async () => {
  const key = await given.delivery();
  await deliver(key);

  const settled = await Promise.allSettled([1, 2, 3].map(() => sendAgain(user, wanted(key))));

  expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await stores.readPostback()).toHaveLength(1);
});

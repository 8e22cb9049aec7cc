/**
 * An attempt is made at most once, even with concurrent callers, repeated messages, and functions that die.
 */
import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test, vi } from 'vitest';
import type { DeliveryKey } from '../../../lib/model/workflow.ts';
import { rowKey } from '../../../lib/store/partitions.ts';
import type { SerpRow } from '../../../lib/store/task-row.ts';
import { deliver, given, receiver, rowOf, stores } from './given.ts';

const { dynamo } = await import('../../../lib/runtime/aws.ts');
const { afterRead } = await import('../after-read.ts');
const { clock } = await import('../../../lib/runtime/clock.ts');
const { beginAttempt } = await import('../../../lib/store/deliveries.ts');
const { deliverAgain } = await import('../../../lib/postback/deliver-again.ts');
const { parkDelivery } = await import('../../../lib/postback/park-delivery.ts');

describe('a repeated message', () => {
  test.each([
    [
      'one after another',
      async (key: DeliveryKey) => {
        for (let n = 0; n < 5; n++) await deliver(key);
      },
    ],
    ['concurrently', (key: DeliveryKey) => Promise.all([1, 2, 3, 4, 5].map(() => deliver(key)))],
  ])('that is received %s makes one delivery', async (_, repeat) => {
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

  test('does not block the machine, which does not repeat an attempt that a message made', async () => {
    const key = await given.delivery();
    receiver.answers.push(500, 500);
    await deliver(key);
    await deliver({ ...key, attempt: 2 });

    // The message has begun a run at attempt 3, so the run that began at attempt 2 ends.
    expect(await deliverAgain({ ...key, attempt: 2 })).toMatchObject({ outcome: 'stale' });
    expect(await deliverAgain({ ...key, attempt: 3 })).toMatchObject({ outcome: 'delivered' });
    expect(await deliverAgain({ ...key, attempt: 3 })).toMatchObject({ outcome: 'stale' });
    expect(receiver.received).toHaveLength(3);
  });
});

test.each([1, 2])('attempt %i is made once, also if the SDK has sent its record twice', async (attempt) => {
  const key = { ...(await given.delivery({ delivery_attempt: attempt - 1 })), attempt };
  const send = dynamo.send.bind(dynamo);
  // As after a write whose answer is lost.
  const twice = vi.spyOn(dynamo, 'send').mockImplementation(async (command) => {
    const isRecord =
      command instanceof UpdateCommand && command.input.UpdateExpression?.includes('list_append');
    if (isRecord) await send(command);
    return send(command);
  });

  await deliver(key).finally(() => twice.mockRestore());

  expect(receiver.received).toHaveLength(1);
  expect(await rowOf(key)).toMatchObject({
    delivery_state: 'delivered',
    attempt_log: [[expect.any(Number), 200, expect.any(Number)]],
  });
});

describe('a function that dies', () => {
  test('after it recorded the attempt does not repeat it, and the sweeper starts the next one', async () => {
    const key = await given.delivery();
    await beginAttempt(key, clock() + 25, clock());

    // A handler of the message cannot tell a crash from an attempt in progress.
    await deliver(key);
    expect(await deliverAgain(key)).toMatchObject({ outcome: 'stale' });
    expect(receiver.received).toHaveLength(0);
    expect(stores.started).toEqual([]);

    await deliver({ ...key, attempt: 2 });
    expect(receiver.received).toHaveLength(1);
    expect(await rowOf(key)).toMatchObject({ delivery_state: 'delivered', postback_retries_count: 1 });
  });

  test('during the fifth attempt is followed by parking, for each message of the sweeper', async () => {
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

test.each<[string, Partial<SerpRow>, number]>([
  ['was delivered', { delivery_state: 'delivered', delivery_attempt: 1 }, 2],
  ['was parked', { delivery_state: 'parked', delivery_attempt: 5 }, 5],
  ['belongs to an earlier end of the task', { delivery: 'msg_1_1_2' }, 1],
  ['has no address', { postback_url: null }, 1],
  ['belongs to an expired task', { ttl: 1 }, 1],
])('a delivery that %s is stale', async (_, fields, attempt) => {
  const key = { ...(await given.delivery(fields)), attempt };

  expect(await deliverAgain(key)).toEqual({ ...key, outcome: 'stale' });
  expect(await parkDelivery(key)).toEqual({ ...key, outcome: 'stale' });
  expect(receiver.received).toHaveLength(0);
});

describe('a run whose state is called again with the same key', () => {
  test('makes the attempts one after another, and none after the fifth', async () => {
    const key = { ...(await given.delivery({ delivery_attempt: 1 })), attempt: 2 };
    receiver.answers.push(500, 500, 500, 500);

    for (const attempt of [2, 3, 4, 5]) {
      expect(await deliverAgain(key)).toEqual({ ...key, attempt, outcome: 'failed' });
      expect(await rowOf(key)).toMatchObject({ delivery_run: 2, postback_retries_count: attempt - 1 });
    }
    expect(await deliverAgain(key)).toEqual({ ...key, outcome: 'stale' });
    expect(receiver.received).toHaveLength(4);
  });

  test.each([2, 3, 4, 5])(
    'goes on after a call that died in attempt %i, once its time is over',
    async (dead) => {
      const key = { ...(await given.delivery({ delivery_attempt: 1 })), attempt: 2 };
      receiver.answers.push(...Array.from({ length: dead - 2 }, () => 500));
      for (let attempt = 2; attempt < dead; attempt++) await deliverAgain(key);
      await beginAttempt({ ...key, attempt: dead }, clock() + 25, clock(), 2);

      expect(await deliverAgain(key)).toMatchObject({ outcome: 'stale' });
      expect(await deliverAgain(key, clock() + 26)).toMatchObject(
        dead === 5 ? { outcome: 'stale' } : { attempt: dead + 1, outcome: 'delivered' },
      );
    },
  );

  test('ends after a consumer has made an attempt, whichever it was', async () => {
    const key = { ...(await given.delivery({ delivery_attempt: 1 })), attempt: 2 };
    receiver.answers.push(500, 500, 500);
    await deliverAgain(key);
    await deliver({ ...key, attempt: 3 });

    expect(await deliverAgain(key)).toMatchObject({ outcome: 'stale' });
    expect(await deliverAgain({ ...key, attempt: 4 })).toMatchObject({ attempt: 4, outcome: 'failed' });
    expect(await rowOf(key)).toMatchObject({ delivery_run: 4 });
    expect(receiver.received).toHaveLength(3);
  });

  test('ends after the delivery was sent again', async () => {
    const key = { ...(await given.delivery({ delivery_attempt: 1, resends: 1 })), attempt: 2 };

    expect(await deliverAgain(key)).toMatchObject({ outcome: 'stale' });
    expect(await deliverAgain({ ...key, round: 1 })).toMatchObject({ outcome: 'delivered' });
  });

  test('ends if the delivery has fewer attempts than the run, which is of an earlier end', async () => {
    const key = { ...(await given.delivery({ delivery_attempt: 1 })), attempt: 4 };

    expect(await deliverAgain(key)).toMatchObject({ outcome: 'stale' });
    expect(receiver.received).toHaveLength(0);
  });
});

test('a delivery with attempts left is not parked', async () => {
  const key = { ...(await given.delivery({ delivery_attempt: 4 })), attempt: 2 };

  await expect(parkDelivery(key)).rejects.toThrow('Only 4 of 5 attempts were made');
  expect(await rowOf(key)).toMatchObject({ delivery_state: 'pending' });
});

test('an attempt before the last one that began is stale', async () => {
  const key = await given.delivery({ delivery_attempt: 3 });

  expect(await deliverAgain({ ...key, attempt: 2 })).toMatchObject({ outcome: 'stale' });
  expect(receiver.received).toHaveLength(0);
});

test('an attempt that another caller begins first is stale', async () => {
  const key = await given.delivery();
  afterRead('row', () => beginAttempt(key, clock() + 25, clock()));

  expect(await deliverAgain(key)).toEqual({ ...key, outcome: 'stale' });
  expect(receiver.received).toHaveLength(0);
});

describe('a delivery of a deleted user', () => {
  const givenWithoutUser = async (fields: Partial<SerpRow> = {}) => ({
    ...(await given.delivery({ user_id: 77, ...fields })),
    user_id: 77,
  });

  test('fails before the attempt is recorded', async () => {
    const key = await givenWithoutUser();

    await expect(deliver(key)).rejects.toThrow('The user of this delivery no longer exists');
    expect(await rowOf(key)).toMatchObject({ delivery_state: 'pending', delivery_attempt: 0 });
  });

  test.each<[string, Partial<SerpRow>]>([
    ['that was delivered', { delivery_state: 'delivered', delivery_attempt: 1 }],
    ['that already began a later attempt', { delivery_attempt: 3 }],
  ])('%s is stale', async (_, fields) => {
    const key = { ...(await givenWithoutUser(fields)), attempt: 2 };

    expect(await deliverAgain(key)).toEqual({ ...key, outcome: 'stale' });
  });
});

test('a late answer does not change the delivery of a redriven task', async () => {
  const key = await given.delivery();
  receiver.answers.push(async () => {
    const row = await rowOf(key);
    const redriven = { ...row, delivery: 'msg_again', delivery_state: 'pending', delivery_attempt: 0 };
    await dynamo.send(
      new PutCommand({ TableName: process.env.TASKS_TABLE, Item: { ...rowKey(key), ...redriven } }),
    );
    return 200;
  });

  await deliver(key);

  expect(await rowOf(key)).toMatchObject({
    delivery: 'msg_again',
    delivery_state: 'pending',
    unfinished: '0',
  });
});

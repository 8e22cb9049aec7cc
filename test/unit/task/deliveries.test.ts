/**
 * The webhook of a task as its owner sees it, and as its owner has it sent again. The table and the queue are
 * replaced.
 */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Account } from '../../../lib/model/user.ts';
import { restartDelivery } from '../../../lib/store/deliveries.ts';
import type { Reported } from '../../../lib/store/reported.ts';
import { readRow } from '../../../lib/store/tasks.ts';
import { deliveryOf, readDeliveries, restart, sendAgain } from '../../../lib/task/deliveries.ts';
import { queueDelivery } from '../../../lib/task/queue.ts';

vi.mock(import('../../../lib/store/deliveries.ts'), () => ({
  restartDelivery: vi.fn(),
}));
vi.mock(import('../../../lib/store/tasks.ts'), () => ({
  readRow: vi.fn(),
}));
vi.mock(import('../../../lib/task/queue.ts'), () => ({
  queueDelivery: vi.fn(),
}));

const user = { id: 1 } as Account;
const row = {
  kind: 'serp',
  user_id: 1,
  id: 2,
  status: 'success',
  postback_url: 'https://receiver.example/',
  delivery: 'msg_2',
  delivery_state: 'delivered',
  attempt_log: [[100, 200, 30]],
};

beforeEach(() => {
  vi.resetAllMocks();
  vi.mocked(readRow).mockResolvedValue(row as never);
  vi.mocked(restartDelivery).mockResolvedValue(true);
});

const attemptsOf = (fields: object) => deliveryOf({ ...row, ...fields } as unknown as Reported).attempts;

describe('an attempt', () => {
  test.each<[string, unknown[], object]>([
    ['with an answer', [100, 200, 30], { time: 100, status: 200, duration_ms: 30, error: null }],
    [
      'with a refusal',
      [100, 500, 30, 'HTTP 500'],
      { time: 100, status: 500, duration_ms: 30, error: 'HTTP 500' },
    ],
    [
      'without an answer',
      [100, 0, 30, 'no route'],
      { time: 100, status: null, duration_ms: 30, error: 'no route' },
    ],
    ['without a duration', [100, 200], { time: 100, status: 200, duration_ms: null, error: null }],
    [
      'without an outcome',
      [100],
      {
        time: 100,
        status: null,
        duration_ms: null,
        error: 'unknown: the outcome of the attempt was not recorded',
      },
    ],
  ])('%s', (_, logged, attempt) => {
    expect(attemptsOf({ attempt_log: [logged] })).toEqual([attempt]);
  });

  test('that is under way is the last one while the delivery is sent', () => {
    const errors = (state: string) =>
      attemptsOf({ attempt_log: [[100], [200]], delivery_state: state }).map(({ error }) => error);
    const unknown = 'unknown: the outcome of the attempt was not recorded';

    expect(errors('sending')).toEqual([unknown, null]);
    expect(errors('pending')).toEqual([unknown, unknown]);
  });
});

test('a task without a webhook has no attempts', async () => {
  vi.mocked(readRow).mockResolvedValue({ user_id: 1, id: 2, postback_url: null, delivery: null } as never);

  expect(await readDeliveries(user, { id: 2, api: 'v2' }, 1000)).toEqual({
    task_id: 2,
    postback_url: null,
    delivery_id: null,
    state: null,
    attempts: [],
  });
  expect(readRow).toHaveBeenCalledExactlyOnceWith(1, 2, 1000);
});

test.each<[string, object | undefined, 'v1' | 'v2', boolean]>([
  ['an unknown task', undefined, 'v2', false],
  ['a task of version 2', row, 'v2', true],
  ['a task of version 2, asked for as one of version 1', row, 'v1', false],
  ['a task of version 1', { ...row, api: 'v1' }, 'v1', true],
  ['a task of version 1, asked for as one of version 2', { ...row, api: 'v1' }, 'v2', false],
])('%s is found or not', async (_, found, api, isFound) => {
  vi.mocked(readRow).mockResolvedValue(found as never);

  const read = readDeliveries(user, { id: 2, api }, 1000);
  await (isFound
    ? expect(read).resolves.toMatchObject({ task_id: 2, state: 'delivered' })
    : expect(read).rejects.toThrow(expect.objectContaining({ statusCode: 404, detail: 'Task not found' })));
});

describe('a webhook that is sent again', () => {
  test('begins with its first attempt in a new round', async () => {
    vi.mocked(readRow).mockResolvedValue({ ...row, resends: 1 } as never);

    expect(await sendAgain(user, { id: 2, api: 'v2' }, 1000)).toMatchObject({ task_id: 2, state: 'pending' });
    const key = { user_id: 1, id: 2, delivery: 'msg_2' };
    expect(restartDelivery).toHaveBeenCalledExactlyOnceWith(key, 1, 1000, 1025);
    expect(queueDelivery).toHaveBeenCalledExactlyOnceWith({ ...key, attempt: 1, round: 2 });
  });

  test.each<[string, object, string]>([
    ['a task without an address', { postback_url: null }, 'The task has no postback_url'],
    ['a task that is not final', { status: 'parsing' }, 'The task is not final'],
    ['a delivery that was sent again too often', { resends: 1000 }, 'The delivery was sent again '],
  ])('is not that of %s', async (_, fields, detail) => {
    vi.mocked(readRow).mockResolvedValue({ ...row, ...fields } as never);

    await expect(sendAgain(user, { id: 2, api: 'v2' }, 1000)).rejects.toThrow(
      expect.objectContaining({ statusCode: 409, detail: expect.stringContaining(detail) }),
    );
    expect(queueDelivery).not.toHaveBeenCalled();
  });

  test('is not that of a task whose delivery is under way', async () => {
    vi.mocked(restartDelivery).mockResolvedValue(false);

    await expect(sendAgain(user, { id: 2, api: 'v2' }, 1000)).rejects.toThrow(
      expect.objectContaining({ statusCode: 409, detail: 'A delivery of this task is under way' }),
    );
  });

  test.each(['task', 'alert'] as const)('is not that of a %s that is under way', async (noun) => {
    vi.mocked(restartDelivery).mockResolvedValue(false);

    await expect(restart({ ...row, delivery: null } as unknown as Reported, noun, 1000)).rejects.toThrow(
      expect.objectContaining({ statusCode: 409, detail: `A delivery of this ${noun} is under way` }),
    );
    expect(restartDelivery).toHaveBeenCalledExactlyOnceWith(
      { user_id: 1, id: 2, delivery: '' },
      0,
      1000,
      1025,
    );
    expect(queueDelivery).not.toHaveBeenCalled();
  });
});

test('is sent again up to the limit', async () => {
  const { maxResends } = await import('../../../lib/model/request-limits.ts');
  await restart({ ...row, resends: maxResends - 1 } as unknown as Reported, 'task', 1000);
  expect(queueDelivery).toHaveBeenCalledTimes(1);

  await expect(restart({ ...row, resends: maxResends } as unknown as Reported, 'task', 1000)).rejects.toThrow(
    expect.objectContaining({ detail: `The delivery was sent again ${maxResends} times` }),
  );
});

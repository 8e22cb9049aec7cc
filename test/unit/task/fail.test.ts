/** Tasks that end without a result: the conditions of the write, and the webhooks that follow. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { moveRow, readTaskRow } from '../../../lib/store/tasks.ts';
import { checkBatch } from '../../../lib/task/end-batch.ts';
import { endFailed, failTask, failures, queueBatchDelivery } from '../../../lib/task/fail.ts';
import { queueDelivery } from '../../../lib/task/queue.ts';
import { keywordRow, now, readLog, searchRow } from './rows.ts';

vi.mock(import('../../../lib/store/tasks.ts'), () => ({
  moveRow: vi.fn(),
  readTaskRow: vi.fn(),
}));
vi.mock(import('../../../lib/task/end-batch.ts'), () => ({ checkBatch: vi.fn() }));
vi.mock(import('../../../lib/task/queue.ts'), () => ({
  queueDelivery: vi.fn(),
}));

const key = { user_id: 1, id: 42 };
const ofTask = { ...key, delivery: 'msg_1_42_3', attempt: 1 };

beforeEach(() => {
  vi.resetAllMocks();
  vi.mocked(moveRow).mockResolvedValue(true);
  vi.mocked(checkBatch).mockResolvedValue(null);
});

// Clients compare the word before the colon; the sentence is for people.
test.each(
  Object.entries({
    late: ['error', 'timeout: the task was not finished by its deadline'],
    throttled: ['error', 'throttled: the engine took no more searches before the deadline of the task'],
    noMoreCalls: ['error', 'throttled: the source took no more calls before the deadline of the task'],
    overdue: ['error', 'upstream: the provider has not delivered the pages in time'],
    broken: ['dead_letter', 'machinery: the task could not be processed'],
  }),
)('the failure %s has its status and its word', (name, [status, error_message]) => {
  expect(failures[name as keyof typeof failures]).toEqual({ status, error_message });
});

describe('endFailed', () => {
  test('ends the run that was read, with failed pages, and returns the delivery', async () => {
    const logged = readLog();
    const row = searchRow({ attempt: 3, status: 'crawling' });

    expect(await endFailed(row, failures.late, now + 5)).toEqual(ofTask);
    expect(moveRow).toHaveBeenCalledExactlyOnceWith(
      row,
      { from: ['awaiting', 'crawling', 'awaiting_webhook', 'parsing'], attempt: 3 },
      expect.objectContaining({
        ...failures.late,
        delivery: 'msg_1_42_3',
        pages: [
          { page: 1, status: 'failed' },
          { page: 2, status: 'failed' },
        ],
      }),
    );
    expect(logged('task ended')).toMatchObject([{ status: 'error', reason: 'timeout', TaskSeconds: 5 }]);
  });

  test('moves a task of keyword data from its own states', async () => {
    readLog();

    expect(await endFailed(keywordRow(), failures.broken, now)).toBeNull();
    const [, condition, changes] = vi.mocked(moveRow).mock.calls[0] ?? [];
    expect(condition).toEqual({ from: ['awaiting', 'parsing'], attempt: 0 });
    expect(changes).not.toHaveProperty('pages');
  });

  test('gives no delivery, and logs no end, if the task was moved since', async () => {
    const logged = readLog();
    vi.mocked(moveRow).mockResolvedValue(false);

    expect(await endFailed(searchRow(), failures.late, now)).toBeNull();
    expect(logged('task ended')).toEqual([]);
  });
});

describe('failTask', () => {
  beforeEach(() => {
    readLog();
  });

  test('queues the webhook of the task', async () => {
    vi.mocked(readTaskRow).mockResolvedValue(searchRow({ attempt: 3 }));

    await failTask(key, failures.late, now);

    expect(readTaskRow).toHaveBeenCalledExactlyOnceWith(1, 42, now);
    expect(queueDelivery).toHaveBeenCalledExactlyOnceWith(ofTask);
    expect(checkBatch).not.toHaveBeenCalled();
  });

  test.each<[string, object | undefined]>([
    ['has expired', undefined],
    ['has no webhook', searchRow({ postback_url: null })],
  ])('queues nothing for a task that %s', async (_, row) => {
    vi.mocked(readTaskRow).mockResolvedValue(row as never);

    await failTask(key, failures.late, now);

    expect(queueDelivery).not.toHaveBeenCalled();
    expect(checkBatch).not.toHaveBeenCalled();
  });

  test('checks the batch of the task, also if the task was final before', async () => {
    vi.mocked(readTaskRow).mockResolvedValue(searchRow({ batch_id: 0 }));
    vi.mocked(moveRow).mockResolvedValue(false);

    await failTask(key, failures.late, now);

    expect(checkBatch).toHaveBeenCalledExactlyOnceWith({ user_id: 1, id: 0 }, 42, now);
    expect(queueDelivery).not.toHaveBeenCalled();
  });
});

test('the webhook of a batch is queued after its last task', async () => {
  const ofBatch = { user_id: 1, id: 7, delivery: 'msg_1_7_0', attempt: 1 };
  vi.mocked(checkBatch).mockResolvedValue(ofBatch);

  await queueBatchDelivery({ user_id: 1, id: 7 }, 42, now);

  expect(checkBatch).toHaveBeenCalledExactlyOnceWith({ user_id: 1, id: 7 }, 42, now);
  expect(queueDelivery).toHaveBeenCalledExactlyOnceWith(ofBatch);
});

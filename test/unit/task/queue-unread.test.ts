/** Messages that only a later release can read: how long they wait, and until when. The queue is replaced. */
import { beforeEach, expect, test, vi } from 'vitest';
import { pauseAfter } from '../../../lib/runtime/back-pressure.ts';
import { taskId } from '../../../lib/task/id.ts';
import { queueLater } from '../../../lib/task/queue.ts';
import { queueUnread } from '../../../lib/task/queue-unread.ts';
import { now, readLog } from './rows.ts';

vi.mock(import('../../../lib/runtime/back-pressure.ts'), () => ({ pauseAfter: vi.fn() }));
vi.mock(import('../../../lib/task/queue.ts'), () => ({ queueLater: vi.fn() }));

const message = { user_id: 1, id: taskId(now, 5), engine: 'later', trace: 'Root=1' };

beforeEach(() => {
  vi.resetAllMocks();
  vi.mocked(pauseAfter).mockReturnValue(6.2);
});

test.each([
  ['the first time', {}, 1],
  ['again', { refused: 3 }, 4],
  ['with another word for the count', { refused: 'often' }, 1],
])('a message is queued with all of its fields and the count of its pauses: %s', async (_, more, refused) => {
  const lines = readLog();
  await queueUnread('serp', { ...message, ...more }, now);

  expect(pauseAfter).toHaveBeenCalledExactlyOnceWith(refused);
  expect(queueLater).toHaveBeenCalledExactlyOnceWith('serp', { ...message, refused }, 7);
  expect(lines('A later release must continue this')).toMatchObject([
    { level: 'WARN', reason: 'The message has a word that is not known' },
  ]);
});

test.each([
  [86_399, 1],
  [86_400, 0],
])('a message of a task that was created %i seconds ago is queued %i times', async (age, times) => {
  readLog();
  await queueUnread('keyword', message, now + age);

  expect(queueLater).toHaveBeenCalledTimes(times);
});

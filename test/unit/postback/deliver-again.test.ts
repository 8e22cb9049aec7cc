/**
 * Which attempt a call of a run makes, and what becomes of it. The row, the attempt and the queue are
 * replaced.
 */
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { deliverAgain, orRetry, retryLater } from '../../../lib/postback/deliver-again.ts';
import { makeAttempt, readWaiting } from '../../../lib/postback/deliver-once.ts';
import { RefusedError } from '../../../lib/runtime/back-pressure.ts';
import { log } from '../../../lib/runtime/log.ts';

vi.mock(import('../../../lib/postback/deliver-once.ts'), () => ({
  makeAttempt: vi.fn(),
  readWaiting: vi.fn(),
}));

const sqs = mockClient(SQSClient);
const key = { user_id: 1, id: 2, delivery: 'msg_1', attempt: 3 };
const pending = { delivery_attempt: 2, delivery_state: 'pending' };

beforeEach(() => {
  vi.resetAllMocks();
  sqs.reset();
  sqs.on(SendMessageCommand).resolves({});
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  vi.mocked(readWaiting).mockResolvedValue(pending as never);
  vi.mocked(makeAttempt).mockResolvedValue('delivered');
});

/** The messages to the consumer of the queue. */
const messages = () =>
  sqs.commandCalls(SendMessageCommand).map(({ args: [{ input }] }) => JSON.parse(String(input.MessageBody)));

describe('a run from the third attempt on', () => {
  test.each<[string, object, number]>([
    ['makes the third one', {}, 3],
    ['makes the third one although it comes a little early', { due_at: 1001 }, 3],
    ['makes the fourth one after its own third one', { delivery_attempt: 3, delivery_run: 3 }, 4],
    ['makes the fifth one after its own fourth one', { delivery_attempt: 4, delivery_run: 3 }, 5],
    [
      'makes the fourth one when the time of the third one ends',
      { delivery_attempt: 3, delivery_run: 3, delivery_state: 'sending', due_at: 1000 },
      4,
    ],
  ])('%s', async (_, fields, attempt) => {
    const row = { ...pending, ...fields };
    vi.mocked(readWaiting).mockResolvedValue(row as never);

    expect(await deliverAgain(key, 1000)).toEqual({ ...key, attempt, outcome: 'delivered' });
    expect(makeAttempt).toHaveBeenCalledExactlyOnceWith(row, { ...key, attempt }, 1000, 3);
    expect(messages()).toEqual([]);
  });

  test('of a delivery that was sent again belongs to that round', async () => {
    vi.mocked(readWaiting).mockResolvedValue({ ...pending, resends: 1 } as never);

    expect((await deliverAgain({ ...key, round: 1 }, 1000)).outcome).toBe('delivered');
  });

  test.each<[string, object | undefined]>([
    ['the delivery waits no more', undefined],
    ['the delivery was sent again', { resends: 1 }],
    ['the second attempt is not made yet', { delivery_attempt: 1 }],
    ['another run has made the third one', { delivery_attempt: 3, delivery_run: 2 }],
    ['the third one is not in its time yet', { delivery_state: 'sending', due_at: 1001 }],
    ['no attempt is left', { delivery_attempt: 5, delivery_run: 3 }],
  ])('makes none if %s', async (_, fields) => {
    vi.mocked(readWaiting).mockResolvedValue((fields && { ...pending, ...fields }) as never);

    expect(await deliverAgain(key, 1000)).toEqual({ ...key, outcome: 'stale' });
    expect(makeAttempt).not.toHaveBeenCalled();
  });
});

describe('the consumer of the queue', () => {
  test('gets an attempt that a service refused', async () => {
    const warn = vi.spyOn(log, 'warn');
    vi.mocked(makeAttempt).mockRejectedValue(new RefusedError('slow down'));

    expect(await deliverAgain(key, 1000)).toEqual({ ...key, outcome: 'moved' });
    expect(warn).toHaveBeenCalledExactlyOnceWith('AWS refused', expect.anything(), { AwsRefusals: 1 });
    warn.mockRestore();
    expect(messages()).toEqual([{ ...key, patient: false, refused: 1 }]);
  });

  test('gets the record of an attempt that was sent', async () => {
    vi.mocked(makeAttempt).mockResolvedValue('unrecorded');

    expect(await deliverAgain(key, 1000)).toEqual({ ...key, sent: true, outcome: 'moved' });
    expect(messages()).toEqual([{ ...key, patient: false, sent: true, refused: 1 }]);
  });

  test('gets no attempt that the code fails', async () => {
    vi.mocked(makeAttempt).mockRejectedValue(new Error('broken'));

    await expect(deliverAgain(key, 1000)).rejects.toThrow('broken');
    expect(messages()).toEqual([]);
  });
});

describe('the state comes back', () => {
  test('after an attempt that failed, and after no other one', () => {
    expect(() => orRetry({ ...key, outcome: 'failed' })).toThrow(
      expect.objectContaining({ name: 'RetriedError', message: 'Attempt 3 has failed' }),
    );
    expect(orRetry({ ...key, outcome: 'stale' })).toEqual({ ...key, outcome: 'stale' });
  });

  test('if the row could not be read', () => {
    expect(retryLater).toThrow(
      expect.objectContaining({ name: 'RetriedError', message: 'A service refused a call' }),
    );
  });
});

/** What an attempt and a parking read, send and record. The stores and the network are replaced. */
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { postJson } from '../../../lib/net/post.ts';
import { composePayload, signedPost } from '../../../lib/postback/compose.ts';
import { deliverOnce } from '../../../lib/postback/deliver-once.ts';
import { parkDelivery, parkLater } from '../../../lib/postback/park-delivery.ts';
import { RefusedError } from '../../../lib/runtime/back-pressure.ts';
import { log } from '../../../lib/runtime/log.ts';
import { beginAttempt, recordDelivered, recordFailure, recordParked } from '../../../lib/store/deliveries.ts';
import { dropParked } from '../../../lib/store/drop-parked.ts';
import { putParked } from '../../../lib/store/parked-deliveries.ts';
import { readReported } from '../../../lib/store/tasks.ts';

vi.mock(import('../../../lib/net/post.ts'), () => ({ postJson: vi.fn() }));
vi.mock(import('../../../lib/store/tasks.ts'), async (original) => ({
  ...(await original()),
  readReported: vi.fn(),
}));
vi.mock(import('../../../lib/store/drop-parked.ts'), () => ({ dropParked: vi.fn() }));
vi.mock(import('../../../lib/store/parked-deliveries.ts'), () => ({ putParked: vi.fn() }));
vi.mock(import('../../../lib/store/deliveries.ts'), async (original) => ({
  ...(await original()),
  beginAttempt: vi.fn(),
  recordDelivered: vi.fn(),
  recordFailure: vi.fn(),
  recordParked: vi.fn(),
}));
vi.mock(import('../../../lib/postback/compose.ts'), async (original) => ({
  ...(await original()),
  composePayload: vi.fn(),
  signedPost: vi.fn(),
}));

const key = { user_id: 1, id: 2, delivery: 'msg_1', attempt: 3 };
const row = {
  ...key,
  kind: 'serp',
  pages: [{ html: 'page' }],
  base_url: 'https://here.example',
  postback_url: 'https://receiver.example/',
  delivery_state: 'pending',
  delivery_attempt: 2,
};

beforeEach(() => {
  vi.resetAllMocks();
  vi.mocked(readReported).mockResolvedValue(row as never);
  vi.mocked(composePayload).mockResolvedValue({ payload: { id: 2 }, account: { id: 1 } } as never);
  vi.mocked(signedPost).mockReturnValue({ headers: {}, body: '{}' });
  vi.mocked(beginAttempt).mockResolvedValue(0);
  vi.mocked(postJson).mockResolvedValue({ ok: true, status: 200 } as never);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

describe('an attempt', () => {
  test('has the number of the attempts before it in its payload', async () => {
    expect(await deliverOnce(key, 1000)).toBe('delivered');

    expect(composePayload).toHaveBeenCalledExactlyOnceWith({ ...row, postback_retries_count: 2 }, 1000);
    expect(beginAttempt).toHaveBeenCalledExactlyOnceWith(key, 1025, 1000, undefined);
  });

  test('is recorded and logged with its duration', async () => {
    const now = vi.spyOn(performance, 'now').mockReturnValueOnce(5000).mockReturnValueOnce(5040.4);
    const info = vi.spyOn(log, 'info');

    await deliverOnce(key, 1000);
    now.mockRestore();

    expect(recordDelivered).toHaveBeenCalledExactlyOnceWith(key, {
      place: 0,
      attempt: [1000, 200, 40, undefined],
    });
    expect(info).toHaveBeenCalledExactlyOnceWith(
      'delivery attempt',
      { delivery: 'msg_1', attempt: 3, outcome: 'delivered', reason: null },
      { DeliverySucceeded: 1, DeliveryMilliseconds: 40 },
    );
    info.mockRestore();
  });

  test('that fails is recorded with its reason, and the next one is due ten seconds after its delay', async () => {
    vi.useFakeTimers({ now: 1_000_000, toFake: ['Date'] });
    vi.mocked(postJson).mockResolvedValue({ ok: false, reason: 'HTTP 500', status: 500 } as never);

    expect(await deliverOnce(key, 1000)).toBe('failed');
    vi.useRealTimers();

    expect(recordFailure).toHaveBeenCalledExactlyOnceWith(
      key,
      1000 + 240 + 10,
      expect.objectContaining({ attempt: [1000, 500, expect.any(Number), 'HTTP 500'] }),
    );
    expect(recordDelivered).not.toHaveBeenCalled();
  });

  test.each([
    [undefined, 0],
    [0, 1],
    [2, 1],
  ])('of a delivery with %j resends deletes %i parked copies', async (resends, copies) => {
    vi.mocked(readReported).mockResolvedValue({ ...row, resends } as never);

    await deliverOnce(key, 1000);

    expect(dropParked).toHaveBeenCalledTimes(copies);
  });

  test.each<[string, object, string]>([
    ['of another delivery', { delivery: 'msg_2' }, 'stale'],
    ['of a finished delivery', { delivery_state: 'delivered' }, 'stale'],
    ['of a parked delivery', { delivery_state: 'parked' }, 'stale'],
    ['without an address', { postback_url: null }, 'stale'],
    ['after a later one', { delivery_attempt: 4 }, 'stale'],
    ['that another process makes', { delivery_attempt: 3, delivery_state: 'sending' }, 'stale'],
    ['whose failure is recorded', { delivery_attempt: 3 }, 'failed'],
  ])('%s is not made', async (_, fields, outcome) => {
    vi.mocked(readReported).mockResolvedValue({ ...row, ...fields } as never);

    expect(await deliverOnce(key, 1000)).toBe(outcome);
    expect(postJson).not.toHaveBeenCalled();
  });

  test('is signed for its own time', async () => {
    vi.stubEnv('SEARCH_SOURCE', 'live');
    await deliverOnce(key, 1000);

    expect(signedPost).toHaveBeenCalledExactlyOnceWith(
      { id: 2 },
      { id: 1 },
      {
        kind: 'serp',
        delivery: 'msg_1',
        timestamp: 1000,
        sandbox: false,
        form_webhook: undefined,
      },
    );
  });

  test.each([
    ['after one whose outcome is not known', { delivery_state: 'sending' }, key],
    ['that is the last one', { delivery_attempt: 4 }, { ...key, attempt: 5 }],
  ])('%s is made', async (_, fields, last) => {
    vi.mocked(readReported).mockResolvedValue({ ...row, ...fields } as never);

    expect(await deliverOnce(last, 1000)).toBe('delivered');
  });

  test('of a task that has expired is not made', async () => {
    vi.mocked(readReported).mockResolvedValue(undefined);

    expect(await deliverOnce(key, 1000)).toBe('stale');
  });

  test('that is the first one is counted as such', async () => {
    const info = vi.spyOn(log, 'info');
    vi.mocked(readReported).mockResolvedValue({ ...row, delivery_attempt: 0 } as never);
    vi.mocked(postJson).mockResolvedValueOnce({ ok: false, reason: 'HTTP 500' });

    await deliverOnce({ ...key, attempt: 1 }, 1000);
    await deliverOnce({ ...key, attempt: 1 }, 1000);

    expect(info.mock.calls[0]?.[1]).toMatchObject({ outcome: 'failed', reason: 'HTTP 500' });
    expect(info.mock.calls.map(([, , metrics]) => metrics)).toMatchObject([
      { DeliverySucceeded: 0, FirstAttemptSucceeded: 0 },
      { DeliverySucceeded: 1, FirstAttemptSucceeded: 1 },
    ]);
    info.mockRestore();
  });

  test('that another process has begun is not made', async () => {
    vi.mocked(beginAttempt).mockResolvedValue(undefined);

    expect(await deliverOnce(key, 1000)).toBe('stale');
    expect(postJson).not.toHaveBeenCalled();
  });

  test('whose record is refused is recorded later, and not sent again', async () => {
    vi.mocked(recordDelivered).mockRejectedValueOnce(new RefusedError('slow down'));
    expect(await deliverOnce(key, 1000)).toBe('unrecorded');
    expect(await deliverOnce({ ...key, sent: true }, 1000)).toBe('delivered');

    expect(postJson).toHaveBeenCalledOnce();
    expect(recordDelivered).toHaveBeenLastCalledWith({ ...key, sent: true });
  });

  test('after the last one is not made', async () => {
    expect(await deliverOnce({ ...key, attempt: 6 }, 1000)).toBe('failed');
    expect(postJson).not.toHaveBeenCalled();
  });
});

describe('a delivery', () => {
  test.each([
    ['of another number', { delivery: 'msg_2' }],
    ['that is finished', { delivery_state: 'delivered' }],
    ['without an address', { postback_url: '' }],
  ])('%s is not parked', async (_, fields) => {
    vi.mocked(readReported).mockResolvedValue({ ...row, delivery_attempt: 5, ...fields } as never);

    expect(await parkDelivery(key, 1000)).toEqual({ ...key, outcome: 'stale' });
    expect(putParked).not.toHaveBeenCalled();
  });

  test('with attempts that are left is not parked: their calls have failed', async () => {
    vi.mocked(readReported).mockResolvedValue({ ...row, delivery_attempt: 4 } as never);

    await expect(parkDelivery(key, 1000)).rejects.toThrow('Only 4 of 5 attempts were made');
    expect(putParked).not.toHaveBeenCalled();
  });

  test('in the form of another service is parked with it, and its task is in the list of ready ones', async () => {
    const form = { form: 'dataforseo', form_webhook: 'advanced', status: 'success' };
    vi.mocked(readReported).mockResolvedValue({ ...row, ...form, delivery_attempt: 5 } as never);
    await parkDelivery(key, 1000);

    expect(vi.mocked(putParked).mock.calls[0]?.[0]).toMatchObject({ form_webhook: 'advanced' });
    expect(recordParked).toHaveBeenCalledExactlyOnceWith(key, expect.any(String));
  });

  test('of a task that has expired is not parked', async () => {
    vi.mocked(readReported).mockResolvedValue(undefined);

    expect(await parkDelivery(key, 1000)).toEqual({ ...key, outcome: 'stale' });
  });

  test('that cannot be parked now is parked by a run that the consumer of the queue begins', async () => {
    const sqs = mockClient(SQSClient);
    sqs.on(SendMessageCommand).resolves({});

    expect(await parkLater(key)).toEqual({ ...key, attempt: 6, outcome: 'moved' });
    const [{ args } = { args: [] }] = sqs.commandCalls(SendMessageCommand);
    expect(JSON.parse(String(args[0]?.input.MessageBody))).toMatchObject({ ...key, attempt: 6 });
    sqs.restore();
  });
});

test.each([
  ['sandbox', { sandbox: true }],
  ['live', {}],
])('a delivery that is parked with the source %s has the marks %j', async (source, marks) => {
  vi.stubEnv('SEARCH_SOURCE', source);
  vi.mocked(readReported).mockResolvedValue({ ...row, delivery_attempt: 5 } as never);
  const warn = vi.spyOn(log, 'warn');

  expect(await parkDelivery(key, 1000)).toEqual({ ...key, outcome: 'parked' });

  // An alarm reads the metric.
  expect(warn).toHaveBeenCalledExactlyOnceWith(
    'delivery parked',
    { delivery: 'msg_1' },
    { DeliveriesParked: 1 },
  );
  warn.mockRestore();

  expect(vi.mocked(putParked).mock.calls).toStrictEqual([
    [
      {
        kind: 'serp',
        user_id: 1,
        id: 2,
        delivery: 'msg_1',
        url: 'https://receiver.example/',
        parked_at: 1000,
        base_url: 'https://here.example',
        html: 'page',
        ...marks,
        payload: { id: 2 },
      },
    ],
  ]);
  expect(recordParked).toHaveBeenCalledExactlyOnceWith(key, undefined);
});

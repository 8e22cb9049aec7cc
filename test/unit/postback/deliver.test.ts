/**
 * What the consumer of the queues does with a message. The attempt, the slots, the queues and the machine are
 * replaced.
 */
import { ExecutionAlreadyExists, SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { PostbackMessage } from '../../../lib/model/workflow.ts';
import { deliver } from '../../../lib/postback/deliver.ts';
import { deliverOnce } from '../../../lib/postback/deliver-once.ts';
import { acquireSlot } from '../../../lib/postback/fair-share.ts';
import { RefusedError } from '../../../lib/runtime/back-pressure.ts';
import { log } from '../../../lib/runtime/log.ts';

vi.mock(import('../../../lib/postback/deliver-once.ts'), () => ({ deliverOnce: vi.fn() }));
vi.mock(import('../../../lib/postback/fair-share.ts'), () => ({ acquireSlot: vi.fn() }));

const sqs = mockClient(SQSClient);
const sfn = mockClient(SFNClient);
const release = vi.fn<() => Promise<void>>();
const batch = {};
const message: PostbackMessage = { user_id: 1, id: 2, delivery: 'msg_1', attempt: 1, patient: false };

beforeEach(() => {
  vi.resetAllMocks();
  sqs.reset();
  sfn.reset();
  sqs.on(SendMessageCommand).resolves({});
  sfn.on(StartExecutionCommand).resolves({});
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  vi.mocked(acquireSlot).mockResolvedValue(release);
  release.mockResolvedValue();
  vi.mocked(deliverOnce).mockResolvedValue('delivered');
});

/** The messages that were queued, each with its queue. */
const queued = () =>
  sqs
    .commandCalls(SendMessageCommand)
    .map(({ args: [{ input }] }) => [input.QueueUrl, JSON.parse(String(input.MessageBody))]);

const executions = () => sfn.commandCalls(StartExecutionCommand).map(({ args: [{ input }] }) => input);

describe('a first attempt', () => {
  test.each(['delivered', 'stale'] as const)('that is %s is the end', async (outcome) => {
    vi.mocked(deliverOnce).mockResolvedValue(outcome);
    await deliver(message, batch);

    expect(acquireSlot).toHaveBeenCalledExactlyOnceWith(batch, 1);
    expect(deliverOnce).toHaveBeenCalledExactlyOnceWith(message);
    expect(release).toHaveBeenCalledOnce();
    expect([...queued(), ...executions()]).toEqual([]);
  });

  test('without a free slot waits among the patient', async () => {
    vi.mocked(acquireSlot).mockResolvedValue(null);
    await deliver(message, batch);

    expect(deliverOnce).not.toHaveBeenCalled();
    expect(queued()).toEqual([[process.env.PATIENT_QUEUE_URL, { ...message, patient: true }]]);
  });

  test('is delivered although its slot cannot be released', async () => {
    const warn = vi.spyOn(log, 'warn');
    release.mockRejectedValue(new RefusedError('slow down'));
    await deliver(message, batch);

    expect(queued()).toEqual([]);
    expect(warn).toHaveBeenCalledExactlyOnceWith('AWS refused', expect.anything(), { AwsRefusals: 1 });
    warn.mockRestore();
  });
});

test.each([{ patient: true }, { sent: true }])('a message with %j needs no slot', async (fields) => {
  await deliver({ ...message, ...fields }, batch);

  expect(acquireSlot).not.toHaveBeenCalled();
  expect(deliverOnce).toHaveBeenCalledOnce();
});

describe('an attempt that failed', () => {
  const { patient, ...key } = message;

  test.each([
    ['the second one', {}, 'msg_1-2', { attempt: 2 }],
    ['the second one of a further round', { round: 1 }, 'msg_1-2-1', { attempt: 2, round: 1 }],
    ['the fifth one', { attempt: 4 }, 'msg_1-5', { attempt: 5 }],
    ['the parking, which may be repeated', { attempt: 5 }, undefined, { attempt: 6 }],
  ])('is followed by %s', async (_, fields, name, next) => {
    vi.mocked(deliverOnce).mockResolvedValue('failed');
    await deliver({ ...message, ...fields }, batch);

    expect(executions()).toEqual([
      { stateMachineArn: process.env.POSTBACK_MACHINE_ARN, name, input: expect.any(String) },
    ]);
    expect(JSON.parse(String(executions()[0]?.input))).toEqual({ ...key, ...next });
    expect(queued()).toEqual([]);
  });

  test('is not followed twice', async () => {
    vi.mocked(deliverOnce).mockResolvedValue('failed');
    sfn
      .on(StartExecutionCommand)
      .rejects(new ExecutionAlreadyExists({ message: 'It exists', $metadata: {} }));

    await deliver(message, batch);

    expect(queued()).toEqual([]);
  });

  test('is delivered again if the machine does not start', async () => {
    vi.mocked(deliverOnce).mockResolvedValue('failed');
    sfn.on(StartExecutionCommand).rejects(new Error('no such machine'));

    await expect(deliver(message, batch)).rejects.toThrow('no such machine');
  });
});

describe('a copy of the message comes later', () => {
  const queueOf = (patient: boolean) =>
    process.env[patient ? 'PATIENT_QUEUE_URL' : 'POSTBACK_QUEUE_URL'] as string;

  test.each([false, true])('if a service refuses a call: patient %s', async (patient) => {
    const warn = vi.spyOn(log, 'warn');
    vi.mocked(deliverOnce).mockRejectedValue(new RefusedError('slow down'));
    await deliver({ ...message, patient }, batch);
    expect(warn).toHaveBeenCalledOnce();
    warn.mockRestore();

    expect(queued()).toEqual([[queueOf(patient), { ...message, patient, refused: 1 }]]);
    expect(release).toHaveBeenCalledTimes(patient ? 0 : 1);
  });

  test('if its delivery is not recorded', async () => {
    vi.mocked(deliverOnce).mockResolvedValue('unrecorded');
    await deliver(message, batch);

    expect(queued()).toEqual([[queueOf(false), { ...message, sent: true, refused: 1 }]]);
  });

  test('not if the code fails', async () => {
    vi.mocked(deliverOnce).mockRejectedValue(new Error('broken'));

    await expect(deliver(message, batch)).rejects.toThrow('broken');
    expect(queued()).toEqual([]);
    expect(release).toHaveBeenCalledOnce();
  });
});

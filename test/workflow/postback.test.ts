/** The synthesised postback machine: its waits, its attempts and its ends. */
import { expect, test } from 'vitest';
import { transitionsOfFailure } from '../../infra/cost/searches.ts';
import type { DeliveryKey } from '../../lib/model/workflow.ts';
import { failedAttempt, lastAttemptFailed, recordMissing } from '../../lib/postback/policy.ts';
import { refuse, StateRetry } from '../../lib/runtime/state-retry.ts';
import { definitionOf, templateOf } from '../infra/template.ts';
import { runMachine } from './run-machine.ts';

const key = { user_id: 1, id: 7, delivery: 'msg_1_7_2' };

/** A receiver that accepts the delivery at this attempt; with 6, never. */
const takenAt = (attempt: number) => ({
  DeliverAgain: (made: DeliveryKey, call: number) => {
    const present = made.attempt + call - 1;
    if (present === attempt) return { outcome: 'delivered' };
    throw present < 5
      ? new StateRetry(failedAttempt(present), 'HTTP 500')
      : new StateRetry(lastAttemptFailed, 'HTTP 500');
  },
  ParkDelivery: () => ({ outcome: 'parked' }),
});

test.each<
  [scenario: string, entered: number, taken: number, calls: number, path: string[], transitions: number]
>([
  ['accepted at the second attempt', 2, 2, 1, ['Wait60', 'DeliverAgain'], 3],
  ['accepted at the third', 2, 3, 2, ['Wait60', 'DeliverAgain'], 4],
  ['accepted at the last', 2, 5, 4, ['Wait60', 'DeliverAgain'], 6],
  ['parked after the fifth', 2, 6, 4, ['Wait60', 'DeliverAgain', 'ParkDelivery'], transitionsOfFailure],
  ['entered at the fourth and accepted there', 4, 4, 1, ['Wait240', 'DeliverAgain'], 3],
  ['entered at the fourth and parked', 4, 6, 2, ['Wait240', 'DeliverAgain', 'ParkDelivery'], 5],
  ['entered after the last and parked', 6, 6, 0, ['ParkDelivery'], 2],
])('a delivery is %s', async (_scenario, entered, taken, made, path, transitions) => {
  const run = await runMachine('PostbackMachine', { ...key, attempt: entered }, takenAt(taken));

  expect(run.error).toBeUndefined();
  expect(run.calls.DeliverAgain).toHaveLength(made);
  expect(run.path).toEqual(['WhichAttempt?', ...path]);
  // Step Functions bills each state that is entered, and each retry.
  expect(run.path.length + Math.max(0, made - 1)).toBe(transitions);
});

test('a stale delivery ends the machine', async () => {
  const { path } = await runMachine(
    'PostbackMachine',
    { ...key, attempt: 3 },
    { DeliverAgain: () => ({ outcome: 'stale' }) },
  );

  expect(path).toEqual(['WhichAttempt?', 'Wait120', 'DeliverAgain']);
});

test.each(['DeliverAgain', 'ParkDelivery'] as const)(
  '%s is retried when it fails, and fails the run when it fails every time',
  async (name) => {
    const breaking = (times: number) => ({
      ...takenAt(6),
      [name]: (made: DeliveryKey, call: number) => {
        if (call <= times) throw new Error('DynamoDB is away');
        return takenAt(6)[name](made, call - times);
      },
    });
    const repeated = await runMachine('PostbackMachine', { ...key, attempt: 5 }, breaking(3));
    const broken = await runMachine('PostbackMachine', { ...key, attempt: 5 }, breaking(99));

    expect(repeated.error).toBeUndefined();
    expect(repeated.calls[name]).toHaveLength(4);
    expect(broken.error?.message).toContain('DynamoDB is away');
    expect(broken.path.at(-1)).toBe('Broken');
  },
);

test.each(['DeliverAgain', 'ParkDelivery'] as const)(
  'if %s meets back-pressure, it runs again, as often as necessary',
  async (name) => {
    const { calls, error, path } = await runMachine(
      'PostbackMachine',
      { ...key, attempt: 5 },
      {
        ...takenAt(6),
        [name]: (made: DeliveryKey, call: number) =>
          call <= 15 ? refuse() : takenAt(6)[name](made, call - 15),
      },
    );

    expect(error).toBeUndefined();
    expect(calls[name]).toHaveLength(16);
    expect(path).toEqual(['WhichAttempt?', 'Wait480', 'DeliverAgain', 'ParkDelivery']);
  },
);

test('an accepted attempt whose record is missing is recorded later, and not made again', async () => {
  const { calls, path } = await runMachine(
    'PostbackMachine',
    { ...key, attempt: 2 },
    {
      DeliverAgain: (made: DeliveryKey) => {
        if (made.sent) return { outcome: 'delivered' };
        throw new StateRetry(recordMissing, 'accepted');
      },
    },
  );

  expect(calls.DeliverAgain).toMatchObject([{ attempt: 2 }, { attempt: 2, sent: true }]);
  expect(path).toEqual(['WhichAttempt?', 'Wait60', 'DeliverAgain', 'Sent', 'WaitToRecord', 'DeliverAgain']);
});

test('the waits are the schedule of the specification', () => {
  const { States } = definitionOf(templateOf('prod'), 'PostbackMachine');
  const waits = Object.entries<{ Type: string; Seconds?: number }>(States).filter(
    ([name, { Type }]) => Type === 'Wait' && name !== 'WaitToRecord',
  );

  expect(waits.map(([name, { Seconds }]) => [name, Seconds])).toEqual([
    ['Wait60', 60],
    ['Wait120', 120],
    ['Wait240', 240],
    ['Wait480', 480],
  ]);
  expect(States.DeliverAgain.Retry.slice(0, 4)).toEqual(
    [60, 120, 240, 480].map((IntervalSeconds, n) => ({
      ErrorEquals: [`Attempt${n + 1}Failed`],
      IntervalSeconds,
      BackoffRate: 1,
      MaxAttempts: 20,
    })),
  );
});

/** The synthesised postback machine: its waits, its attempts and its ends. */
import { expect, test } from 'vitest';
import type { DeliveryKey } from '../../lib/model/workflow.ts';
import { nextDelivery } from '../../lib/postback/policy.ts';
import { runAgain } from '../../lib/runtime/back-pressure.ts';
import { definitionOf, templateOf } from '../infra/template.ts';
import { runMachine } from './run-machine.ts';

const key = { user_id: 1, id: 7, delivery: 'msg_1_7_2' };

/** A receiver that accepts the delivery at this attempt; with 6, never. */
const takenAt = (attempt: number) => ({
  DeliverAgain: (made: DeliveryKey) =>
    made.attempt === attempt
      ? { ...made, outcome: 'delivered' }
      : { ...nextDelivery(made), outcome: 'failed' },
  ParkDelivery: () => ({ outcome: 'parked' }),
});

const attemptsOf = (calls: unknown[] = []) => calls.map((call) => (call as DeliveryKey).attempt);

test.each<
  [scenario: string, entered: number, taken: number, attempts: number[], waits: string[], parked: number]
>([
  ['accepted at the second attempt', 2, 2, [2], ['Wait60'], 0],
  ['accepted at the third', 2, 3, [2, 3], ['Wait60', 'Wait120'], 0],
  ['accepted at the last', 2, 5, [2, 3, 4, 5], ['Wait60', 'Wait120', 'Wait240', 'Wait480'], 0],
  ['parked after the fifth', 2, 6, [2, 3, 4, 5], ['Wait60', 'Wait120', 'Wait240', 'Wait480'], 1],
  ['entered at the fourth and accepted there', 4, 4, [4], ['Wait240'], 0],
  ['entered at the fourth and parked', 4, 6, [4, 5], ['Wait240', 'Wait480'], 1],
  ['entered after the last and parked', 6, 6, [], [], 1],
])('a delivery is %s', async (_scenario, entered, taken, attempts, waits, parked) => {
  const { calls, path, error } = await runMachine(
    'PostbackMachine',
    { ...key, attempt: entered },
    takenAt(taken),
  );

  expect(error).toBeUndefined();
  expect(attemptsOf(calls.DeliverAgain)).toEqual(attempts);
  expect(path.filter((state) => state.startsWith('Wait'))).toEqual(waits);
  expect(attemptsOf(calls.ParkDelivery)).toEqual(parked ? [6] : []);
  expect(path.at(-1)).toBe('Done');
});

test('a stale delivery ends the machine', async () => {
  const { path } = await runMachine(
    'PostbackMachine',
    { ...key, attempt: 3 },
    { DeliverAgain: (made: DeliveryKey) => ({ ...made, outcome: 'stale' }) },
  );

  expect(path).toEqual(['WhichAttempt?', 'Wait120', 'DeliverAgain', 'Failed?', 'Done']);
});

test.each(['DeliverAgain', 'ParkDelivery'])(
  '%s is retried when it fails, and fails the run when it fails every time',
  async (name) => {
    const breaking = (times: number) => ({
      ...takenAt(6),
      [name]: (made: never, call: number) => {
        if (call <= times) throw new Error('DynamoDB is away');
        return name === 'ParkDelivery' ? takenAt(6).ParkDelivery() : takenAt(5).DeliverAgain(made);
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

test.each(['DeliverAgain', 'ParkDelivery'])(
  'if %s meets back-pressure, it runs again with its own output, as often as necessary',
  async (name) => {
    const { calls, error, path } = await runMachine(
      'PostbackMachine',
      { ...key, attempt: 5 },
      {
        ...takenAt(6),
        [name]: (made: DeliveryKey, call: number) =>
          call <= 5 ? runAgain(made) : takenAt(6)[name as 'DeliverAgain'](made),
      },
    );

    expect(error).toBeUndefined();
    expect(calls[name]?.map((made) => (made as DeliveryKey).refused)).toEqual([undefined, 1, 2, 3, 4, 5]);
    expect(path.filter((state) => state.startsWith('WaitTo'))).toHaveLength(5);
    expect(path.at(-1)).toBe('Done');
  },
);

test('the waits are the schedule of the specification', () => {
  const { States } = definitionOf(templateOf('prod'), 'PostbackMachine');
  const waits = Object.entries<{ Type: string; Seconds?: number }>(States).filter(
    ([, { Type, Seconds }]) => Type === 'Wait' && Seconds !== undefined,
  );

  expect(waits.map(([name, { Seconds }]) => [name, Seconds])).toEqual([
    ['Wait60', 60],
    ['Wait120', 120],
    ['Wait240', 240],
    ['Wait480', 480],
  ]);
});

/** The synthesised postback machine: its waits, its attempts, its transitions and its ends. */
import { expect, test } from 'vitest';
import { transitionsOfFailure } from '../../infra/cost/searches.ts';
import { delaysSeconds } from '../../lib/postback/policy.ts';
import { RetriedError } from '../../lib/runtime/retried-error.ts';
import { definitionOf, templateOf } from '../infra/template.ts';
import { runMachine, type StandIns } from './run-machine.ts';

const key = { user_id: 1, id: 7, delivery: 'msg_1_7_2' };

/**
 * A receiver that accepts the delivery at this attempt; with 6, never. Each state that makes attempts is
 * called with the key of the run, and its calls are the attempts from its number on.
 */
const takenAt = (attempt: number): StandIns => ({
  ...Object.fromEntries(
    Object.keys(delaysSeconds).map((first) => [
      `DeliverAgain${first}`,
      (_: never, call: number) => {
        if (Number(first) + call - 1 === attempt) return { outcome: 'delivered' };
        throw new RetriedError('HTTP 500');
      },
    ]),
  ),
  ParkDelivery: () => ({ outcome: 'parked' }),
});

test.each<
  [scenario: string, entered: number, taken: number, calls: number, path: string[], transitions: number]
>([
  ['accepted at the second attempt', 2, 2, 1, ['Wait60', 'DeliverAgain2'], 3],
  ['accepted at the third', 2, 3, 2, ['Wait60', 'DeliverAgain2'], 4],
  ['accepted at the last', 2, 5, 4, ['Wait60', 'DeliverAgain2'], 6],
  ['parked after the fifth', 2, 6, 4, ['Wait60', 'DeliverAgain2', 'ParkDelivery'], transitionsOfFailure],
  ['entered at the third and parked', 3, 6, 3, ['Wait120', 'DeliverAgain3', 'ParkDelivery'], 6],
  ['entered at the fourth and accepted there', 4, 4, 1, ['Wait240', 'DeliverAgain4'], 3],
  ['entered at the fourth and parked', 4, 6, 2, ['Wait240', 'DeliverAgain4', 'ParkDelivery'], 5],
  ['entered at the fifth and parked', 5, 6, 1, ['Wait480', 'DeliverAgain5', 'ParkDelivery'], 4],
  ['entered after the last and parked', 6, 6, 0, ['ParkDelivery'], 2],
])('a delivery is %s', async (_scenario, entered, taken, made, path, transitions) => {
  const run = await runMachine('PostbackMachine', { ...key, attempt: entered }, takenAt(taken));
  const { ParkDelivery: parked = [], ...attempts } = run.calls;

  expect(run.error).toBeUndefined();
  expect(Object.values(attempts).flat()).toEqual(Array(made).fill({ ...key, attempt: entered }));
  expect(run.path).toEqual(['WhichAttempt?', ...path]);
  expect(parked).toMatchObject(path.includes('ParkDelivery') ? [{ ...key, attempt: entered }] : []);
  // Step Functions bills each state that is entered, and each retry.
  expect(run.path.length + Math.max(0, made - 1)).toBe(transitions);
});

test.each(['stale', 'moved'])('an attempt that is %s ends the machine', async (outcome) => {
  const { path } = await runMachine(
    'PostbackMachine',
    { ...key, attempt: 3 },
    { DeliverAgain3: () => ({ outcome }) },
  );

  expect(path).toEqual(['WhichAttempt?', 'Wait120', 'DeliverAgain3']);
});

test('parking is retried when it fails, and fails the run when it fails every time', async () => {
  const breaking = (times: number) => ({
    ...takenAt(6),
    ParkDelivery: (_: never, call: number) => {
      if (call <= times) throw new Error('DynamoDB is away');
      return { outcome: 'parked' };
    },
  });
  const repeated = await runMachine('PostbackMachine', { ...key, attempt: 5 }, breaking(3));
  const broken = await runMachine('PostbackMachine', { ...key, attempt: 5 }, breaking(99));

  expect(repeated.error).toBeUndefined();
  expect(repeated.calls.ParkDelivery).toHaveLength(4);
  expect(broken.error?.message).toContain('DynamoDB is away');
  expect(broken.path.at(-1)).toBe('Broken');
});

test.each(['Runtime.HandlerError', 'States.Timeout', 'Lambda.Unknown'])(
  'the waits do not depend on the name of the error: %s',
  async (name) => {
    const fail = () => {
      throw Object.assign(new Error('refused'), { name });
    };
    const run = await runMachine(
      'PostbackMachine',
      { ...key, attempt: 2 },
      { ...takenAt(6), DeliverAgain2: fail },
    );

    expect(run.calls.DeliverAgain2).toHaveLength(4);
    expect(run.path.at(-1)).toBe('ParkDelivery');
  },
);

test('a busy account uses up no attempt', async () => {
  const busy = (times: number) => (_: never, call: number) => {
    if (call > times) return { outcome: 'delivered' };
    throw Object.assign(new Error('Rate exceeded'), { name: 'Lambda.TooManyRequestsException' });
  };
  const run = await runMachine(
    'PostbackMachine',
    { ...key, attempt: 5 },
    { ...takenAt(6), DeliverAgain5: busy(8) },
  );

  expect(run.calls.DeliverAgain5).toHaveLength(9);
  expect(run.path.at(-1)).toBe('DeliverAgain5');
});

test('the waits of a run are the schedule of the specification from its attempt on', () => {
  const { States } = definitionOf(templateOf('prod'), 'PostbackMachine');
  const waitsOf = (first: number): number[] => {
    const { Next } = States['WhichAttempt?'].Choices.find(
      ({ NumericEquals }: { NumericEquals: number }) => NumericEquals === first,
    );
    const { Seconds, Next: state } = States[Next];
    const [, retry] = States[state].Retry;
    const { IntervalSeconds = 0, BackoffRate = 0, MaxAttempts = 0, ...others } = retry ?? {};
    // Jitter or a longest delay would change the schedule.
    expect(others).toEqual(retry ? { ErrorEquals: ['States.ALL'] } : {});
    return [Seconds, ...Array.from({ length: MaxAttempts }, (_, n) => IntervalSeconds * BackoffRate ** n)];
  };

  expect([2, 3, 4, 5].map(waitsOf)).toEqual([[60, 120, 240, 480], [120, 240, 480], [240, 480], [480]]);
});

/** The preparation of state machine definitions for the interpreter. */
import { expect, test } from 'vitest';
import { prepareDefinition } from '../../../infra/local/lambda/step-functions.ts';

const step = (more = {}) => ({ Type: 'Task', Resource: 'arn:aws:lambda:us-east-1:0:function:Step', ...more });

const prepared = (states: Record<string, unknown>, clockRate = 60) =>
  prepareDefinition({ StartAt: 'A', States: states }, clockRate);

test.each([
  ['a wait', { Type: 'Wait', Seconds: 60, Next: 'B' }, { Seconds: 1 }],
  [
    'a retry',
    step({ Retry: [{ ErrorEquals: ['States.ALL'], IntervalSeconds: 6, BackoffRate: 2 }] }),
    { Retry: [{ IntervalSeconds: 0.1, BackoffRate: 2 }] },
  ],
  [
    'the maximum delay of a retry',
    step({ Retry: [{ ErrorEquals: ['E'], IntervalSeconds: 6, MaxDelaySeconds: 60 }] }),
    { Retry: [{ MaxDelaySeconds: 1 }] },
  ],
  [
    'the default interval of a retry',
    step({ Retry: [{ ErrorEquals: ['E'] }] }),
    { Retry: [{ IntervalSeconds: 1 / 60 }] },
  ],
])('divides the seconds of %s by the clock rate', (_, state, expected) => {
  const { definition } = prepared({ A: state });

  expect(definition).toMatchObject({ StartAt: 'A', States: { A: expected } });
});

test('keeps the timeout of a task', () => {
  const { definition } = prepared({ A: step({ TimeoutSeconds: 35 }) });

  expect(definition).toMatchObject({ States: { A: { TimeoutSeconds: 35 } } });
});

test('divides the seconds of states in maps and parallels', () => {
  const wait = { StartAt: 'W', States: { W: { Type: 'Wait', Seconds: 120, End: true } } };

  const { definition } = prepared({
    A: { Type: 'Map', ItemProcessor: wait, Next: 'B' },
    B: { Type: 'Parallel', Branches: [wait, wait], End: true },
  });

  const accelerated = { StartAt: 'W', States: { W: { Type: 'Wait', Seconds: 2, End: true } } };
  expect(definition).toMatchObject({
    States: { A: { ItemProcessor: accelerated }, B: { Branches: [accelerated, accelerated] } },
  });
});

test('returns the function of each task, and gives a task without a timeout a long one', () => {
  const { definition, resources } = prepared({ A: step() }, 1);

  expect(resources).toEqual(new Map([['A', 'arn:aws:lambda:us-east-1:0:function:Step']]));
  expect(definition).toMatchObject({ States: { A: { TimeoutSeconds: 86_400 } } });
});

test('refuses a task that does not call a function', () => {
  expect(() => prepared({ A: step({ Resource: 'arn:aws:states:::sqs:sendMessage' }) })).toThrow(
    'the state A calls arn:aws:states:::sqs:sendMessage',
  );
});

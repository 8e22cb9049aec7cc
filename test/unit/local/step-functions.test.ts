/** Definitions of machines, made ready for the interpreter. */
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
    'a retry’s longest pause',
    step({ Retry: [{ ErrorEquals: ['E'], IntervalSeconds: 6, MaxDelaySeconds: 60 }] }),
    { Retry: [{ MaxDelaySeconds: 1 }] },
  ],
  [
    'the language’s own second',
    step({ Retry: [{ ErrorEquals: ['E'] }] }),
    { Retry: [{ IntervalSeconds: 1 / 60 }] },
  ],
  ['no timeout', step({ TimeoutSeconds: 35 }), { TimeoutSeconds: 35 }],
])('quickens %s', (_, state, expected) => {
  const { definition } = prepared({ A: state });

  expect(definition).toMatchObject({ StartAt: 'A', States: { A: expected } });
});

test('reaches into maps and parallels', () => {
  const wait = { StartAt: 'W', States: { W: { Type: 'Wait', Seconds: 120, End: true } } };

  const { definition } = prepared({
    A: { Type: 'Map', ItemProcessor: wait, Next: 'B' },
    B: { Type: 'Parallel', Branches: [wait, wait], End: true },
  });

  const quick = { StartAt: 'W', States: { W: { Type: 'Wait', Seconds: 2, End: true } } };
  expect(definition).toMatchObject({
    States: { A: { ItemProcessor: quick }, B: { Branches: [quick, quick] } },
  });
});

test('names the function behind each task, and gives one without a timeout time enough', () => {
  const { definition, resources } = prepared({ A: step() }, 1);

  expect(resources).toEqual(new Map([['A', 'arn:aws:lambda:us-east-1:0:function:Step']]));
  expect(definition).toMatchObject({ States: { A: { TimeoutSeconds: 86_400 } } });
});

test('refuses a task that calls something else than a function', () => {
  expect(() => prepared({ A: step({ Resource: 'arn:aws:states:::sqs:sendMessage' }) })).toThrow(
    'the state A calls arn:aws:states:::sqs:sendMessage',
  );
});

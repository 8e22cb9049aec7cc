/** Which errors of AWS services postpone the work, and for how long. */
import { expect, test } from 'vitest';
import {
  isBackPressure,
  isRefusal,
  pauseAfter,
  RefusedError,
  runAgain,
} from '../../../lib/runtime/back-pressure.ts';

const errorOf = (name: string, httpStatusCode?: number) =>
  Object.assign(new Error('refused'), { name, $metadata: { httpStatusCode } });

test.each([
  ['DynamoDB', 'ProvisionedThroughputExceededException', 400],
  ['DynamoDB', 'ThrottlingException', 400],
  ['DynamoDB', 'RequestLimitExceeded', 400],
  ['S3', 'SlowDown', 503],
  ['S3', 'ServiceUnavailable', 503],
  ['S3, to a HEAD request', 'Unknown', 503],
  ['SQS', 'RequestThrottled', 403],
  ['SQS', 'KmsThrottled', 400],
  ['Step Functions', 'ExecutionLimitExceeded', 400],
  ['Lambda', 'TooManyRequestsException', 429],
  ['the embedded stack without room on its disk', 'UnknownError', 503],
])('a refusal of %s: %s with the status %i', (_, name, status) => {
  expect(isRefusal(errorOf(name, status))).toBe(true);
  expect(isBackPressure(errorOf(name, status))).toBe(true);
});

test.each([
  ['InternalServerError', 500],
  ['InternalError', 500],
  ['BadGateway', 502],
  ['GatewayTimeout', 504],
])(
  'a fault of a service: %s with the status %i. It is back-pressure, but the call may have been carried out',
  (name, status) => {
    expect(isRefusal(errorOf(name, status))).toBe(false);
    expect(isBackPressure(errorOf(name, status))).toBe(true);
  },
);

test('rows or messages that a successful answer names as not taken are refused', () => {
  expect(isRefusal(new RefusedError('not all'))).toBe(true);
});

test.each([
  errorOf('ValidationException', 400),
  errorOf('ConditionalCheckFailedException', 400),
  errorOf('ResourceNotFoundException', 400),
  errorOf('AccessDeniedException', 403),
  errorOf('TimeoutError'),
  new Error('a defect'),
  'text',
  null,
])('%s is no back-pressure', (error) => {
  expect(isBackPressure(error)).toBe(false);
});

test.each([
  [1, 2.5, 5],
  [2, 5, 10],
  [4, 20, 40],
  [5, 30, 60],
  [1000, 30, 60],
])(
  'after the refusal number %i in a row the pause is between %d and %d seconds',
  (refused, shortest, longest) => {
    expect(pauseAfter(refused, () => 1)).toBe(shortest);
    expect(pauseAfter(refused, () => 0)).toBe(longest);
  },
);

test('a state runs again after growing pauses, but only short ones if nothing but a record is missing', () => {
  const pauses = (input: { sent?: boolean }) => {
    let state: ReturnType<typeof runAgain<{ refused?: number; sent?: boolean }>> | undefined;
    return Array.from({ length: 6 }, () => {
      state = runAgain(state ?? input);
      return state.pause;
    });
  };

  expect(Math.max(...pauses({}))).toBeGreaterThanOrEqual(30);
  expect(Math.max(...pauses({ sent: true }))).toBeLessThanOrEqual(5);
  expect(runAgain({ id: 7, refused: 0 })).toMatchObject({
    id: 7,
    outcome: 'refused',
    refused: 1,
    pause: expect.any(Number),
  });
});

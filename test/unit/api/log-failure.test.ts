/** The lines of the log about failures. */
import { expect, test, vi } from 'vitest';
import { logFailure } from '../../../lib/api/log-failure.ts';
import { log } from '../../../lib/runtime/log.ts';

const loggedFor = (error: unknown): object | undefined => {
  const line = vi.spyOn(log, 'error').mockImplementation(() => undefined);
  logFailure('A request failed', error, { operation: 'GET /a' });
  const [, fields] = line.mock.lastCall ?? [];
  line.mockRestore();
  return fields;
};

test('a defect is logged with its stack', () => {
  expect(loggedFor(new TypeError('x is undefined'))).toEqual({
    operation: 'GET /a',
    error: 'TypeError',
    reason: 'x is undefined',
    stack: expect.stringContaining('log-failure.test.ts'),
  });
});

test('a call that a store refused is logged without the stack of the SDK', () => {
  const refusal = Object.assign(new Error('no room'), {
    name: 'ServiceUnavailable',
    $metadata: { httpStatusCode: 503 },
  });

  expect(loggedFor(refusal)).toEqual({ operation: 'GET /a', error: 'ServiceUnavailable', reason: 'no room' });
});

test('what is thrown without being an error is logged as text', () => {
  expect(loggedFor('text')).toMatchObject({ error: 'Error', reason: 'text' });
});

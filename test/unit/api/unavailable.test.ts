/** Which errors of AWS services become 503 with Retry-After. */
import { expect, test } from 'vitest';
import { asUnavailable } from '../../../lib/api/unavailable.ts';
import { HttpError } from '../../../lib/model/http-error.ts';

const errorOf = (name: string, httpStatusCode: number) =>
  Object.assign(new Error('refused'), { name, $metadata: { httpStatusCode } });

test.each([
  ['ThrottlingException', 400],
  ['ProvisionedThroughputExceededException', 400],
  ['TooManyRequestsException', 429],
  ['ServiceUnavailable', 503],
  ['SlowDown', 503],
  ['Unknown', 503],
])('%s with the status %i becomes 503 with Retry-After', (name, status) => {
  expect(asUnavailable(errorOf(name, status))).toMatchObject({
    statusCode: 503,
    headers: { 'Retry-After': '10' },
  });
});

test.each([
  errorOf('ValidationException', 400),
  errorOf('InternalServerError', 500),
  new HttpError(404, 'Not Found'),
  new Error('a defect'),
  'text',
])('%s stays as it is', (error) => {
  expect(asUnavailable(error)).toBe(error);
});

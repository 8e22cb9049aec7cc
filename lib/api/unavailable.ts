/** Recognises the errors of AWS services that are over when the client sends its request again later. */
import { HttpError } from '../model/http-error.ts';

/** Refusals for lack of capacity that AWS sends with another status than 503. */
const refusals = [
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'RequestThrottled',
  'ServiceUnavailable',
  'SlowDown',
  'ThrottlingException',
  'TooManyRequestsException',
];

const retryAfterSeconds = 10;

const statusOf = (error: Error): unknown =>
  '$metadata' in error && typeof error.$metadata === 'object' && error.$metadata !== null
    ? (error.$metadata as { httpStatusCode?: unknown }).httpStatusCode
    : undefined;

/** An HttpError 503 with `Retry-After` if a service refused a call for lack of capacity, else the error itself. */
export const asUnavailable = (error: unknown): unknown =>
  error instanceof Error && (refusals.includes(error.name) || statusOf(error) === 503)
    ? new HttpError(503, 'The service cannot store the request now: send it again later', {
        'Retry-After': String(retryAfterSeconds),
      })
    : error;

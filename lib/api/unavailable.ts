/** Answers the errors of AWS services that are over when the client sends its request again later. */
import { HttpError } from '../model/http-error.ts';
import { isRefusal } from '../runtime/back-pressure.ts';

const retryAfterSeconds = 10;

/**
 * An HttpError 503 with `Retry-After` if a service refused a call for lack of capacity, else the error
 * itself.
 */
export const asUnavailable = (error: unknown): unknown =>
  isRefusal(error)
    ? new HttpError(503, 'The service cannot store the request now: send it again later', {
        'Retry-After': String(retryAfterSeconds),
      })
    : error;

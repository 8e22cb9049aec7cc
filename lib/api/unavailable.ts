/** Answers the errors that are over when the client sends its request again later. */
import { HttpError } from '../model/http-error.ts';
import { isRefusal } from '../runtime/back-pressure.ts';
import { LaterReleaseError } from '../runtime/later-release.ts';

const retryAfterSeconds = 10;

/** An operator has to deploy the later release again, or the deployment that runs has to end. */
const laterReleaseSeconds = 60;

/**
 * An HttpError 503 with `Retry-After` if a service refused a call for lack of capacity, or if only a later
 * release can read what the request needs; else the error itself.
 */
export const asUnavailable = (error: unknown): unknown => {
  if (error instanceof LaterReleaseError) {
    return new HttpError(
      503,
      'A later release of the service wrote this, and the present one cannot read it: send the request again later',
      { 'Retry-After': String(laterReleaseSeconds) },
    );
  }
  return isRefusal(error)
    ? new HttpError(503, 'The service cannot store the request now: send it again later', {
        'Retry-After': String(retryAfterSeconds),
      })
    : error;
};

/**
 * Back-pressure: errors of AWS services that are over when the same call is made again later, and items that
 * only a later release can read. The work is then postponed. It costs no receive of its message, and never
 * ends a task.
 */
import { LaterReleaseError } from './later-release.ts';
import { log } from './log.ts';

/** Refusals for lack of capacity that AWS sends with another status than 503. */
const refusals = [
  'EC2ThrottledException',
  'ExecutionLimitExceeded',
  'KmsThrottled',
  'LimitExceededException',
  'ProvisionedThroughputExceeded',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'RequestThrottled',
  'RequestThrottledException',
  'ServiceUnavailable',
  'ServiceUnavailableException',
  'SlowDown',
  'ThrottledException',
  'Throttling',
  'ThrottlingException',
  'TooManyRequests',
  'TooManyRequestsException',
];

/** A refusal that arrived as data in a successful answer. */
export class RefusedError extends Error {
  override name = 'ServiceUnavailable';
}

/**
 * The HTTP status of the answer to an SDK call; 0 if the error is none of the SDK's, or if no answer arrived.
 */
const statusOf = (error: Error): number =>
  '$metadata' in error && typeof error.$metadata === 'object' && error.$metadata !== null
    ? Number((error.$metadata as { httpStatusCode?: unknown }).httpStatusCode ?? 0)
    : 0;

/** Whether a service refused a call for lack of capacity. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof Error && (refusals.includes(error.name) || [429, 503].includes(statusOf(error)));

/**
 * Whether a service refused a call, or failed it with any other 5xx, or whether a later release wrote what
 * was read. After such a 5xx, the call may have been carried out all the same.
 */
export const isBackPressure = (error: unknown): error is Error =>
  error instanceof LaterReleaseError ||
  (error instanceof Error && (isRefusal(error) || statusOf(error) >= 500));

/**
 * Counts an error for which `isBackPressure` is true. Call it once for each error, where the work is
 * postponed or goes on without the call.
 */
export const logRefusal = (error: Error & { call?: string }): void => {
  const { name, message, call } = error;
  if (error instanceof LaterReleaseError) log.warn('A later release must continue this', { reason: message });
  else log.warn('AWS refused', { call, error: name, reason: message }, { AwsRefusals: 1 });
};

/**
 * Waits for a call that the work can do without. Returns false, and counts the refusal, if it met
 * back-pressure.
 */
export const isAccepted = async (call: Promise<unknown>): Promise<boolean> => {
  try {
    await call;
    return true;
  } catch (error) {
    if (!isBackPressure(error)) throw error;
    logRefusal(error);
    return false;
  }
};

const firstPauseSeconds = 5;
const longestPauseSeconds = 60;

/**
 * Seconds to wait after the n-th refusal in a row: 5, doubled each time, at most 60, less a random part of up
 * to a half. Without that part, all work that was refused together would come back together.
 */
export const pauseAfter = (refused: number, random = Math.random): number =>
  Math.min(firstPauseSeconds * 2 ** (refused - 1), longestPauseSeconds) * (1 - random() / 2);

type Delayable = { refused?: number | undefined; sent?: boolean | undefined };

/**
 * The output of a state that met back-pressure, in a machine that waits and runs the state again: the input,
 * and the seconds to wait. If only a record is missing (`sent`), the pauses do not grow, because the sweeper
 * waits only so long for the record.
 */
export const runAgain = <Input extends Delayable>(input: Input) => {
  const refused = input.sent ? 1 : (input.refused ?? 0) + 1;
  return { ...input, refused, pause: Math.ceil(pauseAfter(refused)), outcome: 'refused' as const };
};

/**
 * Logs failures, in the same form in every wrapper: enough to find the cause, and never what the client sent.
 */
import { isRefusal } from '../runtime/back-pressure.ts';
import { type Fields, log } from '../runtime/log.ts';

/**
 * Logs an error with its stack. A call that an AWS service refused for lack of capacity has none: its stack
 * is that of the SDK, and one refused store would fill the log with it at each poll.
 */
export const logFailure = (message: string, error: unknown, fields: Fields = {}): void => {
  const { name, message: reason, stack } = error instanceof Error ? error : new Error(String(error));
  log.error(message, { ...fields, error: name, reason, ...(!isRefusal(error) && { stack }) });
};

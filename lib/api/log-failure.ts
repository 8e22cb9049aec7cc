/**
 * Logs failures, in the same form in every wrapper: enough to find the cause, and never what the client sent.
 */
import { type Fields, log } from '../runtime/log.ts';

/** Logs an error with its stack. */
export const logFailure = (message: string, error: unknown, fields: Fields = {}): void => {
  const { name, message: reason, stack } = error instanceof Error ? error : new Error(String(error));
  log.error(message, { ...fields, error: name, reason, stack });
};

/** The one conditional write: it happens if its condition holds, and a failed condition is an outcome, not an error. */
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DurableWork, durably } from '../runtime/crash.ts';

/** Sends a conditional write. Returns its output, or undefined if the condition failed and nothing was written. */
export const durablyIf = async <Output>(
  work: DurableWork,
  send: () => Promise<Output>,
): Promise<Output | undefined> => {
  try {
    return await durably(work, send);
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw error;
  }
};

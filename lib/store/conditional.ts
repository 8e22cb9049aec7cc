/**
 * The one conditional write: it happens if its condition holds, and a failed condition is an outcome, not an
 * error.
 */
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DurableWork, durably } from '../runtime/crash.ts';

/**
 * The condition of a write of an item that was read at this revision: no process has written it since. A new
 * item has revision 0. Only for tables whose key is `pk`.
 */
export const unchangedSince = (revision: number) =>
  revision === 0
    ? { ConditionExpression: 'attribute_not_exists(pk)' }
    : { ConditionExpression: 'revision = :seen', ExpressionAttributeValues: { ':seen': revision } };

/**
 * Sends a conditional write. Returns its output, or undefined if the condition failed and nothing was
 * written.
 *
 * The SDK repeats a write whose answer is lost, and the first write can make the condition of the repetition
 * fail. Where the work would then be left to the sweeper, or the client would get an error, the condition
 * also accepts an item with the random name of this write, or the caller reads the item again.
 */
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

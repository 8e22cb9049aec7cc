/** The limits table: counters of fixed windows. Key `key`, one a counter and window; expiry attribute `ttl`. */
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { dynamo } from '../runtime/aws.ts';
import { resource } from '../runtime/env.ts';

const table = resource('LIMITS_TABLE');

/** Counts one more of `what` in the window that ends at `end` (Unix time), by one atomic ADD; answers the count so far. */
export const countInWindow = async (what: string, end: number): Promise<number> => {
  const { Attributes } = await dynamo.send(
    new UpdateCommand({
      TableName: table,
      Key: { key: `${what}#${end}` },
      UpdateExpression: 'ADD hits :one SET #ttl = :ttl',
      ExpressionAttributeNames: { '#ttl': 'ttl' },
      // An hour past its window nobody asks for it any more.
      ExpressionAttributeValues: { ':one': 1, ':ttl': end + 3600 },
      ReturnValues: 'UPDATED_NEW',
    }),
  );
  return Attributes?.hits;
};

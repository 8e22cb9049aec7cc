/** Reads items of a table by their keys. */
import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import { dynamo } from '../runtime/aws.ts';
import { untilAccepted } from './until-accepted.ts';

type Attributes = Record<string, unknown>;

const mostRequests = 5;

/**
 * Reads the items of at most 100 different keys with one request, the maximum of DynamoDB. The answer has no
 * order, and no item for a key that the table does not have.
 * @throws RefusedError if the table has not answered for all keys after five requests.
 */
export const readItems = async (table: string, keys: readonly Attributes[]): Promise<Attributes[]> => {
  const items: Attributes[] = [];
  await untilAccepted(
    `The table ${table} has not returned all items`,
    mostRequests,
    keys,
    async (unread): Promise<Attributes[]> => {
      const get = new BatchGetCommand({
        RequestItems: { [table]: { Keys: [...unread], ConsistentRead: true } },
      });
      const { Responses, UnprocessedKeys } = await dynamo.send(get);
      items.push(...(Responses?.[table] ?? []));
      return UnprocessedKeys?.[table]?.Keys ?? [];
    },
  );
  return items;
};

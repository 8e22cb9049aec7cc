/** What DynamoDB refuses for lack of capacity is sent again, each time after a longer pause. */
import { RefusedError } from '../runtime/back-pressure.ts';

const firstPauseMs = 50;

/**
 * Calls `send` with the items, then with those that it returns, because the table has refused them, until
 * none is left. `what`: the table and the work, for the sentence of the error.
 * @throws RefusedError if items are left after so many requests.
 */
export const untilAccepted = async <Item>(
  what: string,
  requests: number,
  items: readonly Item[],
  send: (items: readonly Item[]) => Promise<readonly Item[]>,
): Promise<void> => {
  let refused = items;
  for (let sent = 0; refused.length > 0; sent++) {
    if (sent === requests) throw new RefusedError(`${what} after ${requests} requests`);
    if (sent > 0) await new Promise((resolve) => setTimeout(resolve, firstPauseMs * 2 ** (sent - 1)));
    refused = await send(refused);
  }
};

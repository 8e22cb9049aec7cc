/** The call of an upstream provider that a search is ready. It starts the second half of the task's run. */
import { verifyPingbackToken } from '../access/pingback-token.ts';
import { HttpError } from '../model/http-error.ts';
import { clock } from '../runtime/clock.ts';
import { readRow } from '../store/tasks.ts';
import { readAccount } from '../store/users.ts';
import { searchMessage } from '../task/kinds.ts';
import { queueLater, queueTasks } from '../task/queue.ts';

/** How long the step that ordered the pages takes to record the order. */
const recordSeconds = 3;

/**
 * Queues a run that collects the pages, and returns when its message is durable. A repeated call costs a
 * request to the provider at worst. A call for a task that does not wait any more changes nothing.
 * @throws HttpError 404 if the token is forged or malformed.
 */
export const receivePingback = async (token: string, now = clock()): Promise<void> => {
  const run = await verifyPingbackToken(token, readAccount);
  if (run === null) throw new HttpError(404, 'Search not found');
  const row = await readRow(run.user_id, run.id, now);
  if (!row || row.attempt !== run.attempt) return;
  if (row.status === 'awaiting_webhook') return queueTasks([row]);
  // The provider was faster than the step that ordered the pages, which is about to record the order.
  if (row.status === 'crawling') {
    const message = { ...searchMessage(row), not_before: now + recordSeconds };
    await queueLater('serp', message, recordSeconds);
  }
};

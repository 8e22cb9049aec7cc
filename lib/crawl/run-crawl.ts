/** Runs the crawl machine for one message of the crawl queue, and sees its task to a final state. */
import { StartSyncExecutionCommand } from '@aws-sdk/client-sfn';
import type { TaskKey } from '../model/step.ts';
import { sfn } from '../runtime/aws.ts';
import { clock } from '../runtime/clock.ts';
import { resource } from '../runtime/env.ts';
import { moveRow, readRow } from '../store/tasks.ts';
import { finalChanges } from '../task/finish.ts';
import { crawlReceives } from '../task/policy.ts';
import { queueDelivery } from '../task/queue.ts';
import { statesBefore } from '../task/status.ts';

const runMachine = async (key: TaskKey): Promise<{ delivery: string | null }> => {
  const { status, output, error, cause } = await sfn.send(
    new StartSyncExecutionCommand({
      stateMachineArn: resource('CRAWL_MACHINE_ARN'),
      input: JSON.stringify(key),
    }),
  );
  if (status !== 'SUCCEEDED' || !output)
    throw new Error(`The crawl machine ended ${status}: ${error} ${cause}`);
  return JSON.parse(output);
};

/** Ends a task whose machinery has failed for the last time; answers the delivery that tells so, if one is wanted. */
const buryTask = async (key: TaskKey, now = clock()): Promise<string | null> => {
  const row = await readRow(key.user_id, key.id, now);
  if (!row) return null;
  const end = finalChanges(
    row,
    { status: 'dead_letter', error_message: 'machinery: the task could not be processed' },
    now,
  );
  return (await moveRow(row, { from: statesBefore('dead_letter'), attempt: row.attempt }, end))
    ? end.delivery
    : null;
};

/**
 * Crawls a task and queues its webhook; the message is acknowledged only after both.
 * @throws on broken machinery: the message comes again, and after the last receive lies in the dead-letter queue, its task
 * in `dead_letter`.
 */
export const runCrawl = async (key: TaskKey, receives: number): Promise<void> => {
  const { user_id, id } = key;
  try {
    const { delivery } = await runMachine(key);
    if (delivery) await queueDelivery({ user_id, id, delivery, attempt: 1 });
  } catch (error) {
    const delivery = receives >= crawlReceives ? await buryTask(key) : null;
    if (delivery) await queueDelivery({ user_id, id, delivery, attempt: 1 });
    throw error;
  }
};

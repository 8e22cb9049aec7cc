/** Runs the crawl machine for one message of the crawl queue, and sees its task to a final state. */
import { setTimeout as sleep } from 'node:timers/promises';
import { StartSyncExecutionCommand } from '@aws-sdk/client-sfn';
import type { CrawlMessage, TaskKey } from '../model/workflow.ts';
import { sfn } from '../runtime/aws.ts';
import { resource } from '../runtime/env.ts';
import { failTask, failures } from '../task/fail.ts';
import { queueDelivery } from '../task/queue.ts';
import { crawlReceives } from '../task/timing.ts';
import type { BlockSignal } from './block-signal.ts';
import { postpone } from './retry-later.ts';
import { pauseSeconds, recordSignal, requestTurn } from './throttle.ts';

/** What the machine ends with: the answer of ParseTask, or of PlanPages where there was nothing to do, and nothing met. */
type RunEnd = { outcome: string; delivery: string | null; met?: BlockSignal };

const runMachine = async (key: TaskKey): Promise<RunEnd> => {
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

/**
 * Crawls a task, when its turn at the engine has come, and queues its webhook; the message is acknowledged only after both, or
 * after a fresh copy of it is queued.
 * @throws on broken machinery: the message comes again, and after the last receive lies in the dead-letter queue, its task
 * in `dead_letter`.
 */
export const runCrawl = async (message: CrawlMessage, receives: number): Promise<void> => {
  const { user_id, id, throttled } = message;
  try {
    const turn = await requestTurn(message);
    if (turn.outcome === 'wait') return await postpone(message, turn.at);
    await sleep(Math.max(0, turn.at * 1000 - Date.now()));
    const { outcome, delivery, met: signal = null } = await runMachine({ user_id, id });
    await recordSignal(message.engine, turn, signal);
    if (outcome === 'throttled') {
      const pause = pauseSeconds(throttled + 1);
      return await postpone({ ...message, throttled: throttled + 1 }, Date.now() / 1000 + pause);
    }
    if (delivery) await queueDelivery({ user_id, id, delivery, attempt: 1 });
  } catch (error) {
    if (receives >= crawlReceives) await failTask({ user_id, id }, failures.broken);
    throw error;
  }
};

/** Runs the crawl state machine for one message of the crawl queue. Postpones or ends the task if it cannot run. */
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
import { patienceSeconds, pauseSeconds, recordSignal, requestTurn } from './throttle.ts';

/** The output of the machine: that of ParseTask, or that of PlanPages if there was nothing to do. PlanPages gives no `met`. */
type RunEnd = { outcome: string; delivery: string | null; met?: BlockSignal };

const runMachine = async (key: TaskKey): Promise<RunEnd> => {
  const { status, output, error, cause } = await sfn.send(
    new StartSyncExecutionCommand({
      stateMachineArn: resource('CRAWL_MACHINE_ARN'),
      input: JSON.stringify(key),
    }),
  );
  if (status !== 'SUCCEEDED' || !output)
    throw new Error(`The crawl state machine ended with ${status}: ${error} ${cause}`);
  return JSON.parse(output);
};

/**
 * Crawls a task when the rate of its engine allows it, and queues its webhook. Returns, so that the message may be acknowledged, only after
 * both, or after a copy of the message is queued for later.
 * @throws on broken machinery. SQS then redelivers the message. After the last receive, the task is in `dead_letter` and the message in the
 * dead-letter queue.
 */
export const runCrawl = async (message: CrawlMessage, receives: number): Promise<void> => {
  const { user_id, id, throttled } = message;
  try {
    const secondsLeft = (message.not_before ?? 0) - Date.now() / 1000;
    if (secondsLeft <= patienceSeconds) await sleep(Math.max(0, secondsLeft * 1000));
    const turn = await requestTurn(message);
    if (turn.outcome === 'wait') return await postpone({ ...message, turn: turn.turn }, turn.at);
    await sleep(Math.max(0, turn.at * 1000 - Date.now()));
    const { outcome, delivery, met: signal = null } = await runMachine({ user_id, id });
    await recordSignal(message.engine, turn, signal);
    if (outcome === 'throttled') {
      const pause = pauseSeconds(throttled + 1);
      return await postpone(
        { ...message, turn: undefined, throttled: throttled + 1 },
        Date.now() / 1000 + pause,
      );
    }
    if (delivery) await queueDelivery({ user_id, id, delivery, attempt: 1 });
  } catch (error) {
    if (receives >= crawlReceives) await failTask({ user_id, id }, failures.broken);
    throw error;
  }
};

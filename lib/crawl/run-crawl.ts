/** Claims the task of one message of the crawl queue and runs the crawl state machine for it. Postpones or ends the task if it cannot run. */
import { setTimeout as sleep } from 'node:timers/promises';
import { StartSyncExecutionCommand } from '@aws-sdk/client-sfn';
import { type CrawlMessage, lambdaRefusals, type TaskKey } from '../model/workflow.ts';
import { sfn } from '../runtime/aws.ts';
import { isBackPressure, isRefusal, logRefusal, RefusedError } from '../runtime/back-pressure.ts';
import { resource } from '../runtime/env.ts';
import { failTask, failures } from '../task/fail.ts';
import { queueDelivery } from '../task/queue.ts';
import { crawlReceives, runSeconds } from '../task/timing.ts';
import type { ParsedTask } from './parse-task.ts';
import { type Plan, planPages } from './plan-pages.ts';
import { pauseSeconds } from './rest.ts';
import { endLease, postpone, postponeRefused } from './retry-later.ts';
import { patienceSeconds, recordSignal, requestTurn } from './throttle.ts';

/** Back-pressure after which the machine or one of its functions may still work on the task. */
class MayRunError extends RefusedError {}

const startMachine = async (plan: Plan) => {
  try {
    return await sfn.send(
      new StartSyncExecutionCommand({
        stateMachineArn: resource('CRAWL_MACHINE_ARN'),
        input: JSON.stringify(plan),
      }),
    );
  } catch (error) {
    // A refused start was not begun. After any other 5xx, the machine may be running.
    if (isBackPressure(error) && !isRefusal(error)) throw new MayRunError(error.message);
    throw error;
  }
};

/** Runs the machine. Returns the output of its last step. */
const runMachine = async (plan: Plan): Promise<ParsedTask> => {
  const { status, output, error, cause } = await startMachine(plan);
  if (status === 'SUCCEEDED' && output) return JSON.parse(output);
  const reason = `The crawl state machine ended with ${status}: ${error} ${cause}`;
  // The name of the error in a state is that of the run, or a part of its cause.
  const isRefusedByLambda = status === 'FAILED' && lambdaRefusals.some((name) => reason.includes(name));
  throw isRefusedByLambda ? new MayRunError(reason) : new Error(reason);
};

const queueWebhook = async ({ user_id, id }: TaskKey, delivery: string | null): Promise<void> => {
  if (delivery) await queueDelivery({ user_id, id, delivery, attempt: 1 });
};

/**
 * Crawls a task when the rate of its engine allows it, and queues its webhook. Returns, so that the message may be acknowledged, only after
 * both, or after a copy of the message is queued for later: for its engine, or because an AWS service refused a call.
 * @throws on broken machinery. SQS then redelivers the message. After the last receive, the task is in `dead_letter` and the message in the
 * dead-letter queue. Throws also if the queue refuses the copy. This costs a receive, but never ends the task.
 */
export const runCrawl = async (message: CrawlMessage, receives: number): Promise<void> => {
  const { user_id, id, throttled, unstarted = 0 } = message;
  /** The message to queue if a service refuses a call. */
  let copy = message;
  try {
    const secondsLeft = (message.not_before ?? 0) - Date.now() / 1000;
    if (secondsLeft <= patienceSeconds) await sleep(Math.max(0, secondsLeft * 1000));
    await endLease(message);
    const turn = await requestTurn(message);
    if (turn.outcome === 'wait') return await postpone({ ...message, turn: turn.turn }, turn.at);
    await sleep(Math.max(0, turn.at * 1000 - Date.now()));
    const plan = await planPages(message, undefined, turn.found, unstarted);
    const { attempt } = plan;
    if (plan.outcome === 'stale') return;
    if (plan.outcome === 'final') return await queueWebhook(message, plan.delivery);
    // If the start is refused, the lease of the claim is given up, and the claim does not count as a run.
    copy = { ...message, ended: attempt, unstarted: unstarted + 1 };
    const { outcome, delivery, met } = await runMachine(plan);
    copy = outcome === 'stale' ? message : { ...message, ended: attempt };
    await recordSignal(message.engine, turn, met);
    if (outcome === 'refused') return await postponeRefused(copy);
    if (outcome === 'throttled') {
      const pause = pauseSeconds(throttled + 1);
      return await postpone(
        { ...message, turn: undefined, throttled: throttled + 1 },
        Date.now() / 1000 + pause,
      );
    }
    await queueWebhook(message, delivery);
  } catch (error) {
    if (isBackPressure(error)) {
      logRefusal(error);
      if (error instanceof MayRunError) return await postponeRefused(message, runSeconds);
      return await postponeRefused(copy);
    }
    if (receives >= crawlReceives) await failTask({ user_id, id }, failures.broken);
    throw error;
  }
};

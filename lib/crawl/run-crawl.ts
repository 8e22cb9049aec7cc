/** Claims a task and runs the crawl state machine for it. Postpones or ends the task if it cannot run. */
import { setTimeout as sleep } from 'node:timers/promises';
import { StartSyncExecutionCommand } from '@aws-sdk/client-sfn';
import { type CrawlMessage, lambdaRefusals, type TaskKey } from '../model/workflow.ts';
import { patienceSeconds, recordSignal, type TurnDecision } from '../pace/engine-turn.ts';
import { pauseSeconds } from '../pace/rest.ts';
import { sfn } from '../runtime/aws.ts';
import { isBackPressure, isRefusal, logRefusal, RefusedError } from '../runtime/back-pressure.ts';
import { preciseClock, sleepUntil } from '../runtime/clock.ts';
import { resource } from '../runtime/env.ts';
import { failTask, failures, queueBatchDelivery } from '../task/fail.ts';
import { queueDelivery } from '../task/queue.ts';
import { queueUnread } from '../task/queue-unread.ts';
import { crawlReceives, runSeconds } from '../task/timing.ts';
import type { ParsedTask } from './parse-task.ts';
import { type Plan, planPages } from './plan-pages.ts';
import { endLease, postpone, postponeRefused } from './retry-later.ts';
import { type FoundTask, takeTurn } from './take-turn.ts';

/** Back-pressure after which the machine or one of its functions may still work on the task. */
class MayRunError extends RefusedError {}

const startMachine = async (plan: Plan, signal?: AbortSignal) => {
  const start = new StartSyncExecutionCommand({
    stateMachineArn: resource('CRAWL_MACHINE_ARN'),
    input: JSON.stringify(plan),
  });
  try {
    return await sfn.send(start, signal && { abortSignal: signal });
  } catch (error) {
    if (signal?.aborted) return null;
    // A refused start was not begun. After any other 5xx, the machine may be running.
    if (isBackPressure(error) && !isRefusal(error)) throw new MayRunError(error.message);
    throw error;
  }
};

/** Runs the machine. Returns the output of its last step; null if the signal has ended the wait for it. */
const runMachine = async (plan: Plan, signal?: AbortSignal): Promise<ParsedTask | null> => {
  const end = await startMachine(plan, signal);
  if (!end) return null;
  const { status, output, error, cause } = end;
  if (status === 'SUCCEEDED' && output) return JSON.parse(output);
  const reason = `The crawl state machine ended with ${status}: ${error} ${cause}`;
  // The name of the error in a state is that of the run, or a part of its cause.
  const isRefusedByLambda = status === 'FAILED' && lambdaRefusals.some((name) => reason.includes(name));
  throw isRefusedByLambda ? new MayRunError(reason) : new Error(reason);
};

type Ended = { delivery: string | null; batch_id?: number | undefined };

/** Queues the webhook of a task that has ended, and that of its batch if it was the last task. */
const queueWebhooks = async ({ user_id, id }: TaskKey, { delivery, batch_id }: Ended): Promise<void> => {
  if (delivery) await queueDelivery({ user_id, id, delivery, attempt: 1 });
  if (batch_id !== undefined) await queueBatchDelivery({ user_id, id: batch_id }, id);
};

type Run = {
  /** Requests a turn at the engine. */
  takeTurn: (message: CrawlMessage) => Promise<TurnDecision<FoundTask>>;
  /** Ends the wait for the machine, which runs on. The sweeper then does what is left to do. */
  signal?: AbortSignal;
  /** Handles an error of broken machinery. Back-pressure has postponed the task before. */
  onBroken: (error: unknown) => Promise<void>;
};

/**
 * Runs a task in its turn, and queues its webhook. Returns only after both, or after a copy of the message is
 * queued for later: for its engine, or because an AWS service refused a call.
 * @throws the error of the queue if it refuses the copy, and what `onBroken` throws.
 */
export const runInTurn = async (
  message: CrawlMessage,
  { takeTurn, signal, onBroken }: Run,
): Promise<void> => {
  const { throttled, unstarted = 0 } = message;
  /** The message to queue if a service refuses a call. */
  let copy = message;
  try {
    const turn = await takeTurn(message);
    if (turn.outcome === 'wait') return await postpone({ ...message, turn: turn.turn }, turn.at);
    await sleepUntil(turn.at);
    const plan = await planPages(message, undefined, turn.found, unstarted);
    const { attempt } = plan;
    if (plan.outcome === 'stale') return;
    if (plan.outcome === 'final') return await queueWebhooks(message, plan);
    // If the start is refused, the lease of the claim is given up, and the claim does not count as a run.
    copy = { ...message, ended: attempt, unstarted: unstarted + 1 };
    const end = await runMachine(plan, signal);
    if (end === null) return;
    copy = end.outcome === 'stale' ? message : { ...message, ended: attempt };
    await recordSignal(message.engine, turn, end.met);
    if (end.outcome === 'refused') return await postponeRefused(copy);
    if (end.outcome === 'throttled') {
      const pause = pauseSeconds(throttled + 1);
      return await postpone(
        { ...message, turn: undefined, throttled: throttled + 1 },
        preciseClock() + pause,
        attempt,
      );
    }
    await queueWebhooks(message, end);
  } catch (error) {
    if (!isBackPressure(error)) return await onBroken(error);
    logRefusal(error);
    if (error instanceof MayRunError) return await postponeRefused(message, runSeconds);
    await postponeRefused(copy);
  }
};

/**
 * Crawls a task when the rate of its engine allows it, and queues its webhook. Returns, so that the message
 * may be acknowledged, only after both, or after a copy of the message is queued for later: for its engine,
 * or because an AWS service refused a call.
 * @throws on broken machinery. SQS then redelivers the message. After the last receive, the task is in
 * `dead_letter` and the message in the dead-letter queue. Throws also if the queue refuses the copy. This
 * costs a receive, but never ends the task.
 */
export const runCrawl = (message: CrawlMessage, receives: number): Promise<void> =>
  runInTurn(message, {
    takeTurn: async () => {
      const secondsLeft = (message.not_before ?? 0) - preciseClock();
      if (secondsLeft <= patienceSeconds) await sleep(Math.max(0, secondsLeft * 1000));
      await endLease(message);
      return takeTurn(message);
    },
    onBroken: async (error) => {
      if (receives >= crawlReceives) await failTask(message, failures.broken);
      throw error;
    },
  });

/** Queues a message about an engine that only a later release knows again. */
export const postponeUnread = (message: Parameters<typeof queueUnread>[1]): Promise<void> =>
  queueUnread('serp', message);

/** The messages that ask the consumer of a queue for an attempt at a webhook. */
import type { PostbackMessage } from '../model/workflow.ts';
import { runAgain } from '../runtime/back-pressure.ts';
import { scope } from '../runtime/scope.ts';

/** The input of a command that sends the message, without its queue. */
export const attemptMessage = (message: PostbackMessage, delaySeconds?: number) => ({
  MessageBody: JSON.stringify({ ...message, trace: scope().trace }),
  // A fair queue: each user gets a share of the consumers.
  MessageGroupId: String(message.user_id),
  DelaySeconds: delaySeconds,
});

/**
 * The same for a copy of the message, because an AWS service refused a call. Its pause grows with the number
 * of refusals in a row.
 */
export const postponedMessage = (message: PostbackMessage) => {
  const { outcome, pause, ...again } = runAgain(message);
  return attemptMessage(again, pause);
};

/**
 * Lets the queues of fauxqs rest. While a receive waits, fauxqs looks every 20 ms for messages that become
 * visible, in each queue. This is most of what the stores do without work. A queue without delayed messages
 * and without messages in flight has none. Throws if the patch does not take effect.
 */
import { libraryPatch } from './library-patch.ts';

const rest = libraryPatch('fauxqs', 'rest without messages that become visible');

export type TimedQueue<Message> = {
  enqueue: (message: Message) => void;
  processTimers: () => void;
  startPollTimerIfNeeded: () => void;
  waitForMessages: (seconds: number) => Promise<void>;
  cancelWaiters: () => void;
  pollTimer?: NodeJS.Timeout | undefined;
  pollWaiters: unknown[];
  delayedMessages: unknown[];
  inflightMessages: unknown;
};

/**
 * A message is in flight only after a receive, and fauxqs ends all receives that wait when there is a
 * message. So only a delayed message comes while receives wait.
 */
export const restWithoutTimers = <Message>(queue: TimedQueue<Message>): void => {
  rest.requireFunctions(queue, ['enqueue', 'processTimers', 'startPollTimerIfNeeded']);
  const { enqueue, processTimers, startPollTimerIfNeeded, inflightMessages } = queue;
  if (!Array.isArray(queue.delayedMessages) || !Array.isArray(queue.pollWaiters)) {
    throw rest.failure('a queue has no array `delayedMessages` or `pollWaiters`');
  }
  if (!(inflightMessages instanceof Map)) throw rest.failure('a queue has no map `inflightMessages`');
  const isTimed = () => queue.delayedMessages.length > 0 || inflightMessages.size > 0;

  queue.startPollTimerIfNeeded = () => {
    if (isTimed()) startPollTimerIfNeeded.call(queue);
  };
  queue.processTimers = () => {
    processTimers.call(queue);
    if (isTimed()) return;
    clearInterval(queue.pollTimer);
    queue.pollTimer = undefined;
  };
  queue.enqueue = (message) => {
    enqueue.call(queue, message);
    if (queue.pollWaiters.length > 0) queue.startPollTimerIfNeeded();
  };
};

/** Throws unless the queue begins to look when it gets this delayed message, and not before. */
export const checkRest = <Message>(queue: TimedQueue<Message>, delayed: Message): void => {
  rest.requireFunctions(queue, ['waitForMessages', 'cancelWaiters']);
  void queue.waitForMessages(1);
  const before = queue.pollTimer;
  queue.enqueue(delayed);
  const after = queue.pollTimer;
  queue.cancelWaiters();
  if (before) throw rest.failure('the probe looks although it has no message');
  if (!after) throw rest.failure('the probe does not look although it has a delayed message');
};

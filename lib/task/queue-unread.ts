/** Messages that only a later release can read, after a rollback or during a deployment. */
import type { TaskKey } from '../model/workflow.ts';
import { pauseAfter } from '../runtime/back-pressure.ts';
import { clock } from '../runtime/clock.ts';
import { log } from '../runtime/log.ts';
import type { TaskKind } from '../store/task-row.ts';
import { createdAt } from './id.ts';
import { queueLater } from './queue.ts';
import { lifetimeSeconds } from './timing.ts';

/**
 * Queues a copy of such a message with all of its fields, so that it costs no receive. Its task is stored for
 * a day: after that, nothing is left to do. `kind`: any kind of the queue.
 */
export const queueUnread = async (
  kind: TaskKind,
  message: TaskKey & Record<string, unknown>,
  now = clock(),
): Promise<void> => {
  if (createdAt(message.id) + lifetimeSeconds <= now) return;
  const refused = (typeof message.refused === 'number' ? message.refused : 0) + 1;
  log.warn('A later release must continue this', { reason: 'The message has a word that is not known' });
  await queueLater(kind, { ...message, refused }, Math.ceil(pauseAfter(refused)));
};

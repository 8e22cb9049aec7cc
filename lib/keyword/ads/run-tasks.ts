/**
 * Runs the tasks of a batch of messages. One call to the source answers the keywords of a place and a
 * language of all users. A request for ideas takes one call or a few.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { KeywordMessage } from '../../model/workflow.ts';
import { isBackPressure, logRefusal } from '../../runtime/back-pressure.ts';
import { preciseClock } from '../../runtime/clock.ts';
import { inParallel } from '../../runtime/in-parallel.ts';
import { log } from '../../runtime/log.ts';
import { failTask, failures } from '../../task/fail.ts';
import { queueUnread } from '../../task/queue-unread.ts';
import { keywordReceives } from '../../task/timing.ts';
import { keysOf, postponeRefused, type Received, returnEarly } from './received.ts';
import { runIdeas } from './run-ideas.ts';
import { runVolumes } from './run-volumes.ts';

/** Calls of one batch at a time. */
const width = 4;

/** A message that came so much too early runs all the same, because SQS delays are whole seconds. */
const earlySeconds = 1;

/** Messages whose tasks one call answers. */
type Group = Received[];

const groupOf = ({ kind, place, user_id, id }: KeywordMessage): string =>
  kind === 'keyword' ? `keyword ${place}` : `ideas ${user_id}/${id}`;

/**
 * The groups in the order of their calls: first those of the users with the fewest groups. So a user with one
 * keyword does not wait for the groups of another user in the same batch.
 */
const groupsOf = (messages: readonly Received[]): Group[] => {
  const groups = [...Map.groupBy(messages, ({ message }) => groupOf(message)).values()];
  const counts = new Map<number, number>();
  const usersOf = (group: Group) => [...new Set(group.map(({ message }) => message.user_id))];
  for (const user of groups.flatMap(usersOf)) counts.set(user, (counts.get(user) ?? 0) + 1);
  const rankOf = (group: Group) => Math.min(...usersOf(group).map((user) => counts.get(user) ?? 0));
  return groups.toSorted((a, b) => rankOf(a) - rankOf(b));
};

/** Handles an error of the machinery. Returns the messages that the queue shall deliver again. */
const recover = async (group: Group, error: unknown): Promise<Group> => {
  try {
    if (isBackPressure(error)) {
      logRefusal(error);
      await postponeRefused(group);
      return [];
    }
    log.error('Keyword tasks failed', { reason: String(error), messages: group.length });
    const last = group.filter(({ receives }) => receives >= keywordReceives);
    await inParallel(keysOf(last), width, (key) => failTask(key, failures.broken));
  } catch (another) {
    log.error('Keyword tasks failed', { reason: String(another), messages: group.length });
  }
  return group;
};

/**
 * Runs all tasks of the messages. Returns the messages that the queue shall deliver again, because of broken
 * machinery. After the last receive, their tasks are in `dead_letter` and the messages in the dead-letter
 * queue.
 */
export const runTasks = async (received: readonly Received[], now = preciseClock()): Promise<Group> => {
  const isEarly = ({ message }: Received) => (message.not_before ?? 0) > now + earlySeconds;
  const failed: Group = [];
  const run = async (group: Group, work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      failed.push(...(await recover(group, error)));
    }
  };
  const early = received.filter(isEarly);
  await run(early, () => returnEarly(early, now));
  const due = received.filter((each) => !isEarly(each));
  const firstAt = Math.max(now, ...due.map(({ message }) => message.not_before ?? 0));
  await sleep(Math.max(0, (firstAt - now) * 1000));
  await inParallel(groupsOf(due), width, (group) =>
    run(group, () => (group[0]?.message.kind === 'ideas' ? runIdeas(group) : runVolumes(group))),
  );
  return failed;
};

/** Queues a message about tasks of a kind that only a later release knows again. */
export const postponeUnread = (message: Parameters<typeof queueUnread>[1]): Promise<void> =>
  queueUnread('keyword', message);

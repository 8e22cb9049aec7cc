/** What the messages in each dead-letter queue are, and how their work is started again. */
import * as v from 'valibot';
import { PostbackMessage, TaskKey } from '../../lib/model/workflow.ts';
import { listQueues, nameOfQueue } from './queues.ts';

/** The dead-letter queues, by their name in the command, with the id of each in the template. */
const templateIds = {
  crawl: 'CrawlDeadLetters',
  keyword: 'KeywordDeadLetters',
  postback: 'PostbackDeadLetters',
  schedule: 'ScheduleDeadLetters',
} as const;

export type DeadLetterQueue = keyof typeof templateIds;
export const deadLetterQueues = Object.keys(templateIds) as [DeadLetterQueue, ...DeadLetterQueue[]];

type Print = (line: string) => void;

/** The work of one message. */
type DeadWork = {
  /** The tasks of the message. */
  ids: number[];
  list: (print: Print) => Promise<void>;
  /** Starts the work again. A repeated call is harmless. */
  redrive: (print: Print) => Promise<void>;
};

/** A keyword message has several tasks: `more` are the ids of the others. */
const TaskMessage = v.object({ ...TaskKey.entries, more: v.optional(v.array(v.number()), []) });

const readAs = <const Schema extends v.GenericSchema>(
  schema: Schema,
  body: string,
): v.InferOutput<Schema> | undefined => {
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), body);
  return read.success ? read.output : undefined;
};

// The stores are imported when they are used: they read the names of the resources when they are loaded.

/** Each task that is in `dead_letter` starts over. */
const workOfTasks = (body: string): DeadWork | undefined => {
  const message = readAs(TaskMessage, body);
  if (!message) return undefined;
  const { user_id } = message;
  const ids = [message.id, ...message.more];
  const line = (id: number, state: string) => `user ${user_id}  task ${id}  ${state}`;
  return {
    ids,
    list: async (print) => {
      const { readTaskRow } = await import('../../lib/store/tasks.ts');
      for (const id of ids) print(line(id, (await readTaskRow(user_id, id))?.status ?? 'expired'));
    },
    redrive: async (print) => {
      const { redriveTask } = await import('../../lib/task/redrive.ts');
      for (const id of ids) print(line(id, await redriveTask({ user_id, id })));
    },
  };
};

/**
 * The attempt is queued again. If it was made already, by the sweeper or an earlier redrive, the message has
 * no effect.
 */
const workOfDelivery = (body: string): DeadWork | undefined => {
  const message = readAs(PostbackMessage, body);
  if (!message) return undefined;
  // The consumer decides itself which queue it belongs to.
  const { patient, refused, ...key } = message;
  const { user_id, id, delivery, attempt } = key;
  const line = `user ${user_id}  task ${id}  delivery ${delivery}  attempt ${attempt}`;
  return {
    ids: [id],
    list: async (print) => print(line),
    redrive: async (print) => {
      const { queueDeliveries } = await import('../../lib/task/queue.ts');
      await queueDeliveries([key]);
      print(`${line}  queued`);
    },
  };
};

/** Each sweep does what an earlier one missed, so there is nothing to call again. */
const workOfCall = (): DeadWork => ({
  ids: [],
  list: async (print) => print('a scheduled call that was missed'),
  redrive: async (print) => print('a scheduled call that was missed  removed: the next sweep does its work'),
});

/** Reads a message of a dead-letter queue. Undefined if it is not one of the service. */
export const readDeadWork: Record<DeadLetterQueue, (body: string) => DeadWork | undefined> = {
  crawl: workOfTasks,
  keyword: workOfTasks,
  postback: workOfDelivery,
  schedule: workOfCall,
};

/** @throws if the stack has no such queue. */
export const findDeadLetterQueue = async (name: DeadLetterQueue, stack?: string): Promise<string> => {
  const url = (await listQueues(stack)).find((each) => nameOfQueue(each).includes(templateIds[name]));
  if (!url) throw new Error(`The stack has no queue ${templateIds[name]}`);
  return url;
};

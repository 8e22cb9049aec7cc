/** Pages of a user's tasks that fit into a response of Lambda. */
import { listPage } from '../access/cursor.ts';
import { maxTaskBytes, payloadBytes } from '../model/request-limits.ts';
import type { Account } from '../model/user.ts';
import type { V1Task } from '../model/v1-task.ts';
import type { V2Task } from '../model/v2-task.ts';

/** The rest of a response, and the commas between the tasks. */
const envelopeBytes = 1000;

/**
 * A task without its result, if it would not fit into any page with it. `without`: the task's fields without
 * a result.
 */
export const fitting = <Task extends V1Task | V2Task>(task: Task, without: Partial<Task>): Task =>
  payloadBytes(task) + envelopeBytes <= maxTaskBytes
    ? task
    : {
        ...task,
        ...without,
        warnings: [
          ...task.warnings,
          'The result of this task is larger than 6 MB and is not shown here: receive it by webhook.',
        ],
      };

/** The first tasks of a page, as many as fit into a response of Lambda, at least one. */
const withinResponse = <Task>(tasks: readonly Task[]): Task[] => {
  let bytes = envelopeBytes;
  const firstTooMany = tasks.findIndex((task) => {
    bytes += payloadBytes(task);
    return bytes > maxTaskBytes;
  });
  return firstTooMany === -1 ? [...tasks] : tasks.slice(0, firstTooMany);
};

/**
 * A page of a list with the first tasks that fit. `next`: the id below which the list continues after all of
 * them; null at its end.
 */
export const fittingPage = <Task extends V1Task | V2Task>(
  user: Account,
  list: string,
  tasks: readonly Task[],
  next: number | null,
) => {
  const items = withinResponse(tasks);
  return listPage(user, list, items, items.length < tasks.length ? (items.at(-1)?.id ?? null) : next);
};

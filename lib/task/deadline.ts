/** When a task that is not final must end. */
import { setting } from '../runtime/env.ts';

/** Unix time of the deadline of a task that was created at `createdAt`. */
export const deadlineOf = (createdAt: number): number => createdAt + Number(setting('TASK_DEADLINE'));

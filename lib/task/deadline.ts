/** When a task that is not final must end. */
import { setting } from '../runtime/env.ts';
import { overdueSeconds } from './timing.ts';

/** Unix time of the deadline of a task created at `createdAt`: six hours later, unless TASK_DEADLINE says otherwise. */
export const deadlineOf = (createdAt: number): number =>
  createdAt + (Number(setting('TASK_DEADLINE')) || overdueSeconds);

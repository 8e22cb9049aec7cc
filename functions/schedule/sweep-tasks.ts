/** Runs every minute: takes up what lies unfinished too long. */
import { sweepTasks } from '../../lib/task/sweep.ts';

export const handler = () => sweepTasks();

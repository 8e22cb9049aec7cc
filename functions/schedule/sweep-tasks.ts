/** Runs every minute: takes up what lies unfinished too long. */
import { scheduled } from '../../lib/api/scheduled.ts';
import { sweepTasks } from '../../lib/task/sweep.ts';

export const handler = scheduled(() => sweepTasks());

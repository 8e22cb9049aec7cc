/** Runs every minute: queues tasks and webhooks again that have been unfinished for too long. */
import { scheduled } from '../../lib/api/scheduled.ts';
import { sweepTasks } from '../../lib/task/sweep.ts';

export const handler = scheduled(() => sweepTasks());

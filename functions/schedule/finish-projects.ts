/** Runs every minute: finishes what requests have begun with projects and not finished. */
import { scheduled } from '../../lib/api/scheduled.ts';
import { finishProjectWork } from '../../lib/reporting/finish-work.ts';

export const handler = scheduled(() => finishProjectWork());

/** Runs every five minutes: sends the alerts of projects that are due. */
import { scheduled } from '../../lib/api/scheduled.ts';
import { sendAlerts } from '../../lib/reporting/run/send-alerts.ts';

export const handler = scheduled(() => sendAlerts());

/**
 * The alerts of a project and their webhooks as its owner sees them, and as its owner has them sent again.
 */
import type { AlertDeliveries, AlertList } from '../../model/alert-deliveries.ts';
import { HttpError } from '../../model/http-error.ts';
import type { Account } from '../../model/user.ts';
import { clock } from '../../runtime/clock.ts';
import { inBatches } from '../../runtime/in-parallel.ts';
import { leaveOut } from '../../runtime/later-release.ts';
import { listSentAlerts } from '../../store/project-alerts.ts';
import type { AlertRow } from '../../store/task-row.ts';
import { readReported, readRows } from '../../store/tasks.ts';
import { deliveryOf, restart } from '../../task/deliveries.ts';
import { findProject } from '../find.ts';

/** `readRows` takes so many keys. */
const rowsPerRead = 100;

/** An alert of a project. */
type Named = { project_id: number; alert_id: number };

/**
 * The alerts of a project of the last 34 days, newest first.
 * @throws HttpError 404 if the user has no such project.
 */
export const listAlerts = async (user: Account, projectId: number, now = clock()): Promise<AlertList> => {
  await findProject(user, projectId);
  const data: AlertList['data'] = [];
  for (const alerts of inBatches(await listSentAlerts(projectId), rowsPerRead)) {
    const keys = alerts.map(({ alert_id }) => ({ user_id: user.id, id: alert_id }));
    for (const [n, row] of (await readRows(keys, now)).entries()) {
      const alert = alerts[n];
      if (row.status === 'rejected') leaveOut(row.reason);
      else if (alert) {
        const { delivery_state = null, postback_url = null } = row.value ?? {};
        data.push({ ...alert, state: delivery_state, postback_url });
      }
    }
  }
  return { data };
};

/** The row of an alert. Throws HttpError 404 if the user has no such project, or no such alert in it. */
const findAlert = async (user: Account, { project_id, alert_id }: Named, now: number): Promise<AlertRow> => {
  await findProject(user, project_id);
  const row = await readReported({ user_id: user.id, id: alert_id }, now);
  // The key of the stored alert names its project.
  if (row?.kind !== 'alert' || !row.object.startsWith(`alerts/${user.id}/${project_id}/`)) {
    throw new HttpError(404, 'Alert not found');
  }
  return row;
};

const viewOf = (row: AlertRow): AlertDeliveries => ({ alert_id: row.id, ...deliveryOf(row) });

/**
 * The webhook of an alert and its attempts.
 * @throws HttpError 404 if the user has no such project, or no such alert in it.
 */
export const readAlertDeliveries = async (
  user: Account,
  named: Named,
  now = clock(),
): Promise<AlertDeliveries> => viewOf(await findAlert(user, named, now));

/**
 * Sends the webhook of an alert again: with the same `webhook-id`, and with retries as for the first time.
 * @throws HttpError 404 as `readAlertDeliveries`; 409 if the delivery is under way, or was sent again too
 * often.
 */
export const sendAlertAgain = async (
  user: Account,
  named: Named,
  now = clock(),
): Promise<AlertDeliveries> => {
  const row = await findAlert(user, named, now);
  await restart(row, 'alert', now);
  return viewOf({ ...row, delivery_state: 'pending' });
};

/**
 * Sends the alerts of projects: at most one webhook a day and project. The alert of a day is stored before
 * its webhook is created, with the positions that the next alert compares with. So a run that repeats a day
 * sends the same webhook, and reports nothing twice.
 */
import { chartLink } from '../../access/chart-link.ts';
import type { AlertPayload, StoredAlert } from '../../model/alert.ts';
import { daysBetween, isoDay } from '../../model/day.ts';
import type { AlertRule, Project, TrackedKeyword } from '../../model/tracking.ts';
import { isBackPressure, logRefusal } from '../../runtime/back-pressure.ts';
import { calendar, clockOf } from '../../runtime/calendar.ts';
import { setting } from '../../runtime/env.ts';
import { log } from '../../runtime/log.ts';
import { timeLimit } from '../../runtime/time-limit.ts';
import { putAlertRow } from '../../store/alert-rows.ts';
import { readChunks } from '../../store/chunks.ts';
import { layouts } from '../../store/layouts.ts';
import { reserveNumbers } from '../../store/new-tasks.ts';
import { putSentAlert } from '../../store/project-alerts.ts';
import { type Check, claimCheck, dropCheck, endCheck, listDueChecks } from '../../store/project-checks.ts';
import { readProject } from '../../store/projects.ts';
import { alertObjectKey, putAlert } from '../../store/put-alert.ts';
import { readAlert } from '../../store/read-alert.ts';
import { readAccount } from '../../store/users.ts';
import { createdAt, taskId } from '../../task/id.ts';
import { queueDelivery } from '../../task/queue.ts';
import { nextAlertTime } from '../due-time.ts';
import { findChanges } from './find-changes.ts';

/** Longer than a run takes for one project. */
const claimSeconds = 600;

const ownUrl = (): string => setting('PUBLIC_URL').replace(/\/+$/, '');

/** A stored alert expires after 35 days. Its positions are stored again before. */
const freshDays = 20;

/**
 * Finds the changes of a project since its baseline. Undefined if nothing must be stored: nothing has
 * changed, and no keyword is new.
 */
const findAlert = async (
  project: Project,
  rule: AlertRule,
  { baseline }: Check,
  day: string,
  now: number,
): Promise<StoredAlert | undefined> => {
  const { user_id, project_id } = project;
  const before =
    baseline === undefined ? undefined : await readAlert(alertObjectKey(user_id, project_id, baseline));
  const chunks = await readChunks(project_id);
  const marks = before?.baseline ?? {};
  const account = await readAccount(user_id);
  if (!account) return undefined;
  const base = ownUrl();
  // A path without a host is no link in a webhook.
  const chartUrl = ({ keyword_id, chart_links_ended: ended = 0 }: TrackedKeyword): string =>
    base && chartLink(base, { keyword_id, ended }, account, clockOf(now));
  const { changes, next } = findChanges(
    chunks.flatMap(({ keywords }) => keywords),
    marks,
    rule,
    chartUrl,
  );
  const isSame = JSON.stringify(next) === JSON.stringify(marks);
  if (isSame && baseline !== undefined && daysBetween(baseline, day) < freshDays) return undefined;
  if (changes.length === 0)
    return { version: layouts['stored alert'].rowVersion, payload: null, baseline: next };
  const [number = 0] = await reserveNumbers(user_id, 1);
  const payload: AlertPayload = {
    type: 'alert',
    id: taskId(clockOf(now), number),
    project_id,
    project_name: project.name,
    alert_date: day,
    created_at: now,
    changes,
  };
  return { version: layouts['stored alert'].rowVersion, payload, baseline: next };
};

/**
 * Adds an alert to those of its project, creates its webhook and queues it. A repeated call makes no second
 * one.
 */
const deliver = async (
  { user_id, project_id }: Project,
  rule: AlertRule,
  { id, alert_date, created_at, changes }: AlertPayload,
  key: string,
): Promise<void> => {
  await putSentAlert(project_id, { alert_id: id, alert_date, created_at, changes: changes.length });
  const delivery = await putAlertRow({
    user_id,
    id,
    object: key,
    postback_url: rule.postback_url,
    base_url: ownUrl(),
    created_at: createdAt(id),
    ...(rule.format && rule.format !== 'standard' && { format: rule.format }),
  });
  // If the process dies here, the sweeper queues the webhook.
  await queueDelivery({ user_id, id, delivery, attempt: 1 });
};

/** Sends the alert of a claimed check, if there is one. Returns whether there is. */
const sendAlert = async (check: Check, now: number): Promise<boolean> => {
  const { user_id, project_id, slot } = check;
  const project = await readProject(user_id, project_id);
  if (!project?.alerts) {
    await dropCheck(check);
    return false;
  }
  const rule = project.alerts;
  const day = isoDay(slot);
  const key = alertObjectKey(user_id, project_id, day);
  const stored = await readAlert(key);
  const alert = stored ?? (await findAlert(project, rule, check, day, now));
  if (alert && !stored) await putAlert(key, alert);
  if (alert?.payload) await deliver(project, rule, alert.payload, key);
  await endCheck(check, nextAlertTime(project_id, Math.max(now, slot)), alert && day);
  return alert?.payload !== undefined && alert?.payload !== null;
};

/** Checks that one run handles. */
const checksOfRun = 1000;

/** Less than the time between two runs. */
const runSeconds = 40;

/**
 * Sends the alerts that are due. Returns their number. What AWS services refuse is left for a later run.
 * @throws the first other error, after all other alerts were sent.
 */
export const sendAlerts = async (now = calendar(), isOver = timeLimit(runSeconds)): Promise<number> => {
  const errors: unknown[] = [];
  let sent = 0;
  for (const check of await listDueChecks('alerts', now, checksOfRun)) {
    if (isOver()) break;
    try {
      const claimed = await claimCheck(check, now + claimSeconds);
      if (claimed && (await sendAlert(claimed, now))) sent += 1;
    } catch (error) {
      if (isBackPressure(error)) logRefusal(error);
      else errors.push(error);
    }
  }
  if (sent > 0) log.info('alerts sent', { alerts: sent });
  if (errors.length > 0) throw errors[0];
  return sent;
};

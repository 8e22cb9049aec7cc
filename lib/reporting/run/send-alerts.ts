/**
 * Sends the alerts of projects: at most one webhook, and one mail to each address, a day and project. The
 * alert of a day is stored before its deliveries are created, with their ids and with the positions that the
 * next alert compares with. So a run that repeats a day sends the same ones, and reports nothing twice.
 */
import { chartLink } from '../../access/chart-link.ts';
import type { AlertDelivery, AlertPayload, StoredAlert, WeekSummary } from '../../model/alert.ts';
import { daysBetween, isoDay, secondsOfDay } from '../../model/day.ts';
import { mailUrl } from '../../model/mail-url.ts';
import type { AlertRule, Project, TrackedKeyword } from '../../model/tracking.ts';
import { calendar, clockOf } from '../../runtime/calendar.ts';
import { setting } from '../../runtime/env.ts';
import { log } from '../../runtime/log.ts';
import { collectErrors } from '../../runtime/run-errors.ts';
import { timeLimit } from '../../runtime/time-limit.ts';
import { putAlertRow } from '../../store/alert-rows.ts';
import { readChunks } from '../../store/chunks.ts';
import { layouts } from '../../store/layouts.ts';
import { reserveNumbers } from '../../store/new-tasks.ts';
import { putSentAlerts } from '../../store/project-alerts.ts';
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

/** The number of the week of a day, from Monday on. The first day of Unix time was a Thursday. */
const weekOf = (day: string): number => Math.floor((Date.parse(day) / 1000 / secondsOfDay + 3) / 7);

/**
 * Whether a check is the first one of its week. `baseline`: the day of the last stored alert. A project that
 * is not crawled every day has no check on some Mondays.
 */
const isFirstOfWeek = (day: string, baseline: string | undefined): boolean =>
  baseline !== undefined && weekOf(day) > weekOf(baseline);

const summaryOf = async (
  project: Project,
  keywords: readonly TrackedKeyword[],
  day: string,
  now: number,
): Promise<WeekSummary> => {
  // Imported on demand: few checks send a summary, but its code would slow down every cold start.
  const { summaryOfWeek } = await import('../report/summary.ts');
  const { project_id, name: project_name } = project;
  return { project_id, project_name, day, markdown: summaryOfWeek(project, keywords, now) };
};

type Receiver = Omit<AlertDelivery, 'id'>;

/** Each address once. Those of the rule are as they were typed. */
const mailsTo = (rule: AlertRule, format: 'mail' | 'summary'): Receiver[] => {
  const addresses = new Map((rule.email ?? []).map((address) => [address.toLowerCase(), address]));
  return [...addresses.values()].map((address) => ({ url: mailUrl(address), format }));
};

/** The receivers of the changes: the webhook first. */
const receiversOf = (rule: AlertRule): Receiver[] => {
  const { postback_url: url, format = 'standard' } = rule;
  const webhook = url === null ? [] : [{ url, ...(format !== 'standard' && { format }) }];
  return [...webhook, ...mailsTo(rule, 'mail')];
};

/**
 * Finds the changes of a project since its baseline. Undefined if nothing must be stored: nothing has
 * changed, no keyword is new, and no summary is due.
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
  const keywords = (await readChunks(project_id)).flatMap((chunk) => chunk.keywords);
  const marks = before?.baseline ?? {};
  const account = await readAccount(user_id);
  if (!account) return undefined;
  const base = ownUrl();
  // A webhook needs a whole address: a path has no host.
  const chartUrl = ({ keyword_id, chart_links_ended: ended = 0 }: TrackedKeyword): string =>
    base && chartLink(base, { keyword_id, ended }, account, clockOf(now));
  const { changes, next } = findChanges(keywords, marks, rule, chartUrl);
  const summary =
    rule.weekly_summary && isFirstOfWeek(day, baseline)
      ? await summaryOf(project, keywords, day, now)
      : undefined;
  const isSame = JSON.stringify(next) === JSON.stringify(marks);
  if (isSame && !summary && baseline !== undefined && daysBetween(baseline, day) < freshDays)
    return undefined;
  const version = layouts['stored alert'].rowVersion;
  const receivers = [
    ...(changes.length > 0 ? receiversOf(rule) : []),
    ...(summary ? mailsTo(rule, 'summary') : []),
  ];
  if (receivers.length === 0) return { version, payload: null, baseline: next };
  const numbers = await reserveNumbers(user_id, receivers.length);
  const deliveries = receivers.map((receiver, n) => ({
    ...receiver,
    id: taskId(clockOf(now), numbers[n] ?? 0),
  }));
  const payload: AlertPayload = {
    type: 'alert',
    id: deliveries[0]?.id ?? 0,
    project_id,
    project_name: project.name,
    alert_date: day,
    created_at: now,
    changes,
  };
  return {
    version,
    payload: changes.length > 0 ? payload : null,
    baseline: next,
    deliveries,
    ...(summary && { summary }),
  };
};

/** The deliveries of a stored alert. One of a former release has the webhook of its rule. */
const deliveriesOf = ({ payload, deliveries }: StoredAlert, rule: AlertRule): AlertDelivery[] => {
  if (deliveries) return deliveries;
  return payload
    ? receiversOf(rule)
        .slice(0, 1)
        .map((receiver) => ({ ...receiver, id: payload.id }))
    : [];
};

/**
 * Adds the deliveries of an alert to those of its project, creates and queues them. A repeated call makes no
 * second ones.
 */
const deliver = async (
  { user_id, project_id }: Project,
  { payload }: StoredAlert,
  deliveries: readonly AlertDelivery[],
  key: string,
  day: string,
): Promise<void> => {
  await putSentAlerts(
    project_id,
    deliveries.map(({ id, format }) => ({
      alert_id: id,
      alert_date: day,
      created_at: payload?.created_at ?? createdAt(id),
      changes: format === 'summary' ? null : (payload?.changes.length ?? 0),
    })),
  );
  for (const { id, url, format } of deliveries) {
    const delivery = await putAlertRow({
      user_id,
      id,
      object: key,
      postback_url: url,
      base_url: ownUrl(),
      created_at: createdAt(id),
      ...(format && { format }),
    });
    // If the process dies here, the sweeper queues the delivery.
    await queueDelivery({ user_id, id, delivery, attempt: 1 });
  }
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
  const deliveries = alert ? deliveriesOf(alert, rule) : [];
  if (alert && deliveries.length > 0) await deliver(project, alert, deliveries, key, day);
  await endCheck(check, nextAlertTime(project_id, Math.max(now, slot)), alert && day);
  return deliveries.length > 0;
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
  const errors = collectErrors();
  let sent = 0;
  for (const check of await listDueChecks('alerts', now, checksOfRun)) {
    if (isOver()) break;
    await errors.attempt(async () => {
      const claimed = await claimCheck(check, now + claimSeconds);
      if (claimed && (await sendAlert(claimed, now))) sent += 1;
    });
  }
  if (sent > 0) log.info('alerts sent', { alerts: sent });
  errors.throwFirst();
  return sent;
};

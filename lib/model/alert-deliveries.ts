/** The alerts of a project and their webhooks, as their owner sees them. */
import * as v from 'valibot';
import { Deliveries } from './deliveries.ts';
import { Count, PathId, Seconds } from './scalar.ts';

const { task_id: _, ...delivery } = Deliveries.entries;

const alertId = v.pipe(Count, v.description('The id of the alert'));

export const AlertDeliveries = v.object({ alert_id: alertId, ...delivery });
export type AlertDeliveries = v.InferOutput<typeof AlertDeliveries>;

export const SentAlert = v.object({
  alert_id: alertId,
  alert_date: v.pipe(v.string(), v.description('The day of the alert, `YYYY-MM-DD`')),
  created_at: v.pipe(Seconds, v.description('When the changes were found, in Unix seconds')),
  changes: v.pipe(Count, v.description('The number of changes that the alert reports')),
  state: v.pipe(delivery.state, v.description('The state of the webhook; null if it is not known any more')),
});

export const AlertList = v.object({
  data: v.pipe(v.array(SentAlert), v.description('The alerts of the last 34 days, newest first')),
});
export type AlertList = v.InferOutput<typeof AlertList>;

export const AlertParams = v.object({
  project_id: v.pipe(PathId, v.description('The id of the project')),
  alert_id: v.pipe(PathId, v.description('The id of the alert')),
});

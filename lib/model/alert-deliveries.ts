/** The alerts of a project and their webhooks, as their owner sees them. */
import * as v from 'valibot';
import { Deliveries } from './deliveries.ts';
import { component, described } from './described.ts';
import { Count, PathId, Seconds } from './scalar.ts';

const { task_id: _, ...delivery } = Deliveries.entries;

const alertId = described(Count, 'The id of the alert', 3767392204849170);

export const AlertDeliveries = component(
  'AlertDeliveries',
  'A webhook or a mail of an alert, and its attempts',
  v.object({ alert_id: alertId, ...delivery }),
);
export type AlertDeliveries = v.InferOutput<typeof AlertDeliveries>;

export const SentAlert = v.object({
  alert_id: alertId,
  alert_date: described(v.string(), 'The day of the alert, `YYYY-MM-DD`', '2026-11-22'),
  created_at: described(Seconds, 'When the changes were found, in Unix seconds', 1795996800),
  changes: described(v.nullable(Count), 'How many changes it reports; null: the summary of a week', 3),
  postback_url: delivery.postback_url,
  state: described(delivery.state, 'Its state; null if it is not known any more', 'delivered'),
});

export const AlertList = component(
  'AlertList',
  'The alerts of a project',
  v.object({
    data: described(v.array(SentAlert), 'The alerts of the last 34 days, newest first', []),
  }),
);
export type AlertList = v.InferOutput<typeof AlertList>;

export const AlertParams = v.object({
  project_id: described(PathId, 'The id of the project', 3767392204849160),
  alert_id: described(PathId, 'The id of the alert', 3767392204849170),
});

/** The alerts of a project and their webhooks, as their owner sees them. */
import * as v from 'valibot';
import { Deliveries, deliveryStates } from './deliveries.ts';
import { component, described, withWords } from './described.ts';
import { Count, PathId, Seconds } from './scalar.ts';

const { task_id: _, ...delivery } = Deliveries.entries;

const alertId = described(Count, 'The id of the alert', 3767392204849170);

export const AlertDeliveries = component(
  'AlertDeliveries',
  'The webhook of an alert, and the attempts to deliver it',
  v.object({ alert_id: alertId, ...delivery }),
);
export type AlertDeliveries = v.InferOutput<typeof AlertDeliveries>;

export const SentAlert = v.object({
  alert_id: alertId,
  alert_date: described(v.string(), 'The day of the alert, `YYYY-MM-DD`', '2026-11-22'),
  created_at: described(Seconds, 'When the changes were found, in Unix seconds', 1795996800),
  changes: described(Count, 'The number of changes that the alert reports', 3),
  state: described(
    delivery.state,
    withWords('The state of the webhook; null if it is not known any more', deliveryStates),
    'delivered',
  ),
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

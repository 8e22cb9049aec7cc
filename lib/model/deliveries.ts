/** The webhook of a task as its owner sees it: its state and its attempts. */
import * as v from 'valibot';
import { component, described, keysOf, withWords } from './described.ts';
import { Count, Seconds } from './scalar.ts';

const Attempt = component(
  'DeliveryAttempt',
  'An attempt to deliver a webhook',
  v.object({
    time: described(Seconds, 'Unix time at which the attempt began', 1795996803),
    status: described(v.nullable(Count), 'HTTP status of the answer; null if there was none', 200),
    duration_ms: described(
      v.nullable(Count),
      'Milliseconds until the outcome was known; null if it is not known',
      120,
    ),
    error: described(v.nullable(v.string()), 'Why the attempt failed; null if it did not', null),
  }),
);
export type Attempt = v.InferOutput<typeof Attempt>;

const deliveryStates = {
  pending: 'the next attempt is due later',
  sending: 'an attempt is under way',
  delivered: 'a receiver has accepted it',
  parked: 'all attempts have failed',
};

export const Deliveries = component(
  'Deliveries',
  'The webhook of a task, and the attempts to deliver it',
  v.object({
    task_id: described(Count, 'The task that the webhook reports on', 3767392204849152),
    postback_url: described(
      v.nullable(v.string()),
      'The receiver; null if the task has none',
      'https://hooks.example.com/rankings',
    ),
    delivery_id: described(
      v.nullable(v.string()),
      'The `webhook-id` of all attempts; null before the end of the task',
      'msg_1_3767392204849152_1',
    ),
    state: described(
      v.nullable(v.picklist(keysOf(deliveryStates))),
      withWords('The state of the delivery; null before the end of the task', deliveryStates),
      'delivered',
    ),
    attempts: described(v.array(Attempt), 'All attempts so far, the first one first', []),
  }),
);
export type Deliveries = v.InferOutput<typeof Deliveries>;

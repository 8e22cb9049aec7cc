/** The webhook of a task as its owner sees it: its state and its attempts. */
import * as v from 'valibot';
import { Count, Seconds } from './scalar.ts';

const Attempt = v.object({
  time: v.pipe(Seconds, v.description('Unix time at which the attempt began')),
  status: v.pipe(v.nullable(Count), v.description('HTTP status of the answer; null if there was none')),
  duration_ms: v.pipe(
    v.nullable(Count),
    v.description('Milliseconds until the outcome was known; null if it is not known'),
  ),
  error: v.pipe(v.nullable(v.string()), v.description('Why the attempt failed; null if it did not')),
});
export type Attempt = v.InferOutput<typeof Attempt>;

export const Deliveries = v.object({
  task_id: v.pipe(Count, v.description('The task that the webhook reports on')),
  postback_url: v.pipe(v.nullable(v.string()), v.description('The receiver; null if the task has none')),
  delivery_id: v.pipe(
    v.nullable(v.string()),
    v.description('The `webhook-id` of all attempts; null before the end of the task'),
  ),
  state: v.pipe(
    v.nullable(v.picklist(['pending', 'sending', 'delivered', 'parked'])),
    v.description('The state of the delivery; null before the end of the task'),
  ),
  attempts: v.pipe(v.array(Attempt), v.description('All attempts so far, the first one first')),
});
export type Deliveries = v.InferOutput<typeof Deliveries>;

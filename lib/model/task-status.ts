/** The states of a task and of its pages, with the names of the specification. */
import * as v from 'valibot';

export const TaskStatus = v.picklist([
  'awaiting',
  'crawling',
  'awaiting_webhook',
  'parsing',
  'success',
  'completed',
  'error',
  'dead_letter',
]);
export type TaskStatus = v.InferOutput<typeof TaskStatus>;

export const PageStatus = v.picklist([
  'awaiting',
  'queued_http',
  'queued_browser',
  'in_progress_http',
  'in_progress_browser',
  'success',
  'failed',
  'parsed',
]);
export type PageStatus = v.InferOutput<typeof PageStatus>;

/** The states of a task and of its pages, with the names of the specification. */
import * as v from 'valibot';
import { component, keysOf, statesOf, withWords } from './described.ts';

const taskStatuses = {
  awaiting: 'accepted, and waiting for its turn',
  crawling: 'its pages are being fetched',
  awaiting_webhook: 'an upstream data provider fetches its pages',
  parsing: 'its pages are being read',
  success: 'final: the result is there',
  completed: 'never set; accepted as a filter',
  error: 'final: there is no result, and `error_message` says why',
  dead_letter: 'final: the service failed; an operator can start the task again',
};

export const TaskStatus = component(
  'TaskStatus',
  withWords('The state of a task', taskStatuses),
  v.picklist(keysOf(taskStatuses)),
);
export type TaskStatus = v.InferOutput<typeof TaskStatus>;

const pageStatuses = {
  awaiting: 'not fetched. In a finished task: not needed, because `stop_on_match` ended the crawl before',
  queued_http: 'to be fetched over HTTP',
  queued_browser: 'to be fetched with the browser',
  in_progress_http: 'being fetched over HTTP',
  in_progress_browser: 'being fetched with the browser',
  success: 'fetched and stored',
  failed: 'final: no readable page was fetched',
  parsed: 'final: read',
};

export const PageStatus = component(
  'PageStatus',
  withWords('The state of a result page', pageStatuses),
  statesOf('Page', pageStatuses),
);
export type PageStatus = v.InferOutput<typeof PageStatus>;

/** The fields that the tasks of both versions have, and the webhook of version 2. */
import * as v from 'valibot';
import { anyEntries, Competitor, Device } from './crawl-request.ts';
import { described, describedAs, withWords } from './described.ts';
import { defaultEngine, engines } from './engine.ts';
import { errorCauses, errorExamples } from './error-words.ts';
import { Count, Seconds } from './scalar.ts';
import { TaskStatus } from './task-status.ts';

/** Of tasks of any kind (Reading 4). */
export const ErrorMessage = v.pipe(
  v.optional(v.nullable(v.string()), null),
  v.description(
    withWords(
      'Why the task failed, or what it waits for; null: nothing to say. It begins with one of these words ' +
        'and a colon',
      errorCauses,
    ),
  ),
  v.examples(errorExamples),
);

/** Sentences about what a request contains without effect. */
const Warnings = described(
  v.optional(v.array(v.string()), []),
  'What was accepted without effect, and in which way the result is not what was asked, one sentence each. ' +
    'Empty if there is nothing to say',
  [],
);

/** The address of a page of the search that the examples show. `start`: the results before it. */
export const exampleAddress = (start: number): string =>
  `https://www.${engines[defaultEngine].domain}/search?q=coffee+grinder&hl=de&gl=de&start=${start}`;

const optionalText = v.optional(v.nullable(v.string()), null);

export const taskFields = {
  id: described(
    Count,
    'The id of the task. A task of a later second has a larger id. A JavaScript number holds it exactly',
    3767392204849152,
  ),
  user_id: described(Count, 'The id of the user who owns the task', 1),
  sharding: described(v.optional(Count, 0), 'The number of the index shard that contains the task', 0),
  status: described(
    v.optional(TaskStatus, 'awaiting'),
    'The state of the task. `success`, `error` and `dead_letter` are final',
    'success',
  ),
  keyword: describedAs(v.string(), anyEntries.keyword),
  location_name: describedAs(v.string(), anyEntries.location_name),
  iso_code: describedAs(v.string(), anyEntries.iso_code),
  language_code: describedAs(v.string(), anyEntries.language_code),
  domain: describedAs(optionalText, anyEntries.domain),
  business_name: describedAs(optionalText, anyEntries.business_name),
  competitors: describedAs(v.optional(v.nullable(v.array(Competitor)), null), anyEntries.competitors),
  device: describedAs(v.optional(Device, 'desktop'), anyEntries.device),
  keyword_id: describedAs(v.optional(v.nullable(Count), null), anyEntries.keyword_id),
  priority: describedAs(v.optional(Count, 1), anyEntries.priority),
  frequency: describedAs(v.optional(v.nullable(Count), 24), anyEntries.frequency),
  top_10: described(
    v.optional(v.nullable(v.array(v.string())), null),
    'The first ten distinct domains of the results (YouTube: channels), in order. Null before success',
    ['example.com'],
  ),
  retries_count: described(v.optional(Count, 0), 'How many runs of the task came after the first', 0),
  postback_retries_count: described(
    v.optional(Count, 0),
    'How many attempts to deliver the webhook came after the first',
    0,
  ),
  created_on: described(v.string(), 'The day of the creation, UTC', '2026-11-22'),
  created_at: described(Seconds, 'When the task was created, in Unix seconds', 1795996800),
  succeed_at: described(
    v.optional(Seconds, 0),
    'When the task succeeded, in Unix seconds. 0 before',
    1795996802,
  ),
  ttl: described(
    Seconds,
    'When the task expires, in Unix seconds: 24 hours after its creation. It then no longer exists',
    1796083200,
  ),
};

/** The fields that Reading 4 adds to those of the specification. */
export const addedTaskFields = {
  error_message: ErrorMessage,
  crawled_at: described(
    v.optional(Seconds, 0),
    'When the pages were fetched, in Unix seconds. 0 before',
    1795996801,
  ),
  reused: described(
    v.optional(v.boolean(), false),
    'Whether pages of an earlier, identical search answer the task',
    false,
  ),
  /** False if there is no result, or if it is not based on all pages. */
  complete: described(
    v.optional(v.nullable(v.boolean()), null),
    'Whether the result is based on all pages, on exactly the words that were asked, and on pages in the ' +
      'language that was asked. Null until the task is final',
    true,
  ),
  waiting_until: described(
    v.optional(v.nullable(Seconds), null),
    'Until when the task waits for its engine, in Unix seconds. Null: it does not wait',
    null,
  ),
  warnings: Warnings,
};

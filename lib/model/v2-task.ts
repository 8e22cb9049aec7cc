/** The v2 task, as the API returns it. */
import * as v from 'valibot';
import { anyEntries, postbackFields, v2OnlyEntries } from './crawl-request.ts';
import { component, described, describedAs } from './described.ts';
import { defaultEngine, engines } from './engine.ts';
import { exampleResult, RawResult, UnreadBlock } from './result.ts';
import { Count, intBetween } from './scalar.ts';
import { searchOptions } from './search-options.ts';
import { addedTaskFields, exampleAddress, taskFields } from './task-fields.ts';
import { PageStatus } from './task-status.ts';
import { aboutResult, TaskResult } from './tracking-result.ts';

export const V2TaskPage = component(
  'GoogleSerpTaskPage',
  'A result page of a task',
  v.object({
    page: described(Count, 'The number of the page, from 1', 1),
    url: described(v.string(), 'The address of the page', exampleAddress(0)),
    status: described(
      v.optional(PageStatus, 'awaiting'),
      'The state of the page. `parsed` and `failed` are final',
      'parsed',
    ),
    retry_count: described(v.optional(Count, 0), 'How many fetches of the page came after the first', 0),
    /** Under `html/`. */
    html: described(
      v.optional(v.string(), ''),
      'The storage key of the HTML of the page. Empty until it is stored',
      'html/3Rk0c8Yw2sV5xQbT/1-1.html.gz',
    ),
    results: described(
      v.optional(v.nullable(RawResult), null),
      'The items of this page alone. Null until the page is read',
      { left: [], right: [] },
    ),
    unread_blocks: described(
      v.optional(v.array(UnreadBlock), []),
      'The blocks of this page that the service could not assign to a kind, in page order. Mostly empty',
      [],
    ),
    html_url: described(
      v.optional(v.string(), ''),
      'Opens the stored HTML without a key, for 24 hours; empty until the page is stored',
      '',
    ),
  }),
);
export type V2TaskPage = v.InferOutput<typeof V2TaskPage>;

const optionalText = v.optional(v.nullable(v.string()), null);

export const V2Task = component(
  'GoogleSerpTask',
  'A task of version 2, with its result after success',
  v.object({
    id: taskFields.id,
    user_id: taskFields.user_id,
    sharding: taskFields.sharding,
    status: taskFields.status,
    keyword: taskFields.keyword,
    location_name: taskFields.location_name,
    iso_code: taskFields.iso_code,
    language_code: taskFields.language_code,
    domain: taskFields.domain,
    business_name: taskFields.business_name,
    competitors: taskFields.competitors,
    engine_domain: describedAs(
      v.optional(v.string(), engines[defaultEngine].domain),
      anyEntries.engine_domain,
    ),
    device: taskFields.device,
    postback_url: describedAs(optionalText, anyEntries.postback_url),
    post_id: describedAs(optionalText, anyEntries.post_id),
    keyword_id: taskFields.keyword_id,
    priority: taskFields.priority,
    frequency: taskFields.frequency,
    se_id: describedAs(v.optional(Count, 0), anyEntries.se_id),
    depth: describedAs(v.optional(v.pipe(Count, v.minValue(1), v.maxValue(100)), 10), v2OnlyEntries.depth),
    ...searchOptions,
    pages: described(
      v.optional(v.array(V2TaskPage), []),
      'The result pages of the task, all planned ones from the start',
      [],
    ),
    result: described(v.optional(v.nullable(TaskResult), null), aboutResult, exampleResult),
    top_10: taskFields.top_10,
    postback_retries_count: taskFields.postback_retries_count,
    retries_count: taskFields.retries_count,
    created_on: taskFields.created_on,
    created_at: taskFields.created_at,
    succeed_at: taskFields.succeed_at,
    ttl: taskFields.ttl,
    ...addedTaskFields,
    total_results: described(
      v.optional(v.string(), ''),
      'The number of results as the first page shows it; empty before success, or if the page shows none',
      'About 1,230,000 results',
    ),
    search_time: described(
      v.optional(v.number(), 0),
      'Seconds that the engine needed, as the first page shows them; 0 before success, or if the page ' +
        'shows none',
      0.42,
    ),
    html_url: described(
      v.optional(v.string(), ''),
      'Opens the stored HTML of the first page without a key, for 24 hours; empty until it is stored',
      '',
    ),
    postback_fields: described(
      v.optional(v.nullable(v.array(v.picklist(postbackFields))), null),
      'The parts of the result that the webhook has in addition, as in the request',
      ['left'],
    ),
    stop_on_match: described(
      v.optional(v.boolean(), false),
      'Whether the crawl ends after the page on which `domain` is found, as in the request',
      false,
    ),
  }),
);
export type V2Task = v.InferOutput<typeof V2Task>;

/** Reading 45. */
export const WaitQuery = v.object({
  wait: described(
    v.optional(intBetween(1, 25)),
    'Seconds to wait for the end of the task. The response is sent when the task is final, or at the end ' +
      'of the wait with the task as it is',
    10,
  ),
});

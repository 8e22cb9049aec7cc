/** The webhook payloads of tasks, batches and alerts. */
import * as v from 'valibot';
import { AlertPayload } from './alert.ts';
import { BatchPayload } from './batch.ts';
import { SlackMessage, TeamsMessage } from './chat-message.ts';
import { Device, v2OnlyEntries } from './crawl-request.ts';
import { component, described, describedAs } from './described.ts';
import { IdeasTask, KeywordDataTask } from './keyword-task.ts';
import { MailMessage } from './mail.ts';
import { RawResult, ResultItem } from './result.ts';
import { Seconds } from './scalar.ts';
import { addedTaskFields, taskFields } from './task-fields.ts';
import { TrackingResult } from './tracking-result.ts';
import { V1Task } from './v1-task.ts';
import { typesByKind, v2Type, type WebhookType } from './webhook-type.ts';

const item = ResultItem.entries;

const position = described(v.number(), 'The rank within the kind, from 1', 1);

const page = {
  title: item.title,
  url: item.url,
  domain: described(v.string(), 'The host of `url` without `www.`; empty if unknown', 'example.com'),
  description: describedAs(v.string(), item.snippet),
};

const WebItem = v.object({ position, ...page });

const Place = v.object({
  position,
  title: item.title,
  address: described(v.string(), 'The address of the place', 'Friedrichstraße 1'),
  rating: described(v.string(), 'The rating as the page shows it; empty if it shows none', '4.6'),
  reviews: described(
    v.string(),
    'The number of reviews as the page shows it; empty if it shows none',
    '1,204',
  ),
});

const FeaturedSnippet = v.object(page);

/** The payload of a v2 task: the fields of the specification, and those that Readings 4 and 33 add. */
export const V2Payload = component(
  'SerpPayload',
  'The webhook of a task of version 2',
  v.object({
    id: describedAs(v.number(), taskFields.id),
    status: described(
      v.picklist(['success', 'error']),
      '`success`, or `error` for every other end',
      'success',
    ),
    keyword: taskFields.keyword,
    location_name: taskFields.location_name,
    iso_code: taskFields.iso_code,
    device: describedAs(Device, taskFields.device),
    depth: describedAs(v.number(), v2OnlyEntries.depth),
    language_code: taskFields.language_code,
    created_at: taskFields.created_at,
    succeed_at: describedAs(Seconds, taskFields.succeed_at),
    result: described(
      v.nullable(
        v.object({
          organic: described(v.array(WebItem), 'The web results', []),
          ads: described(v.array(WebItem), 'The ads', []),
          local_pack: described(v.array(Place), 'The places of the map', []),
          featured_snippet: described(
            v.nullable(FeaturedSnippet),
            'The answer above the results. Null if there is none',
            null,
          ),
          total_results: described(
            v.string(),
            'The number of results as the page shows it; empty if it shows none',
            'About 1,230,000 results',
          ),
          search_time: described(
            v.number(),
            'Seconds that the engine took, as the page shows them; 0 if it shows none',
            0.42,
          ),
          /** Only if `postback_fields` of the request names them: the columns of the polled result. */
          left: describedAs(v.optional(RawResult.entries.left), RawResult.entries.left),
          right: describedAs(v.optional(RawResult.entries.right), RawResult.entries.right),
        }),
      ),
      'The results by kind. Null on `error`',
      {
        organic: [
          {
            position: 1,
            title: 'Coffee grinders compared',
            url: 'https://www.example.com/coffee-grinders',
            domain: 'example.com',
            description: 'Twelve grinders, one bag of beans.',
          },
        ],
        ads: [],
        local_pack: [],
        featured_snippet: null,
        total_results: 'About 1,230,000 results',
        search_time: 0.42,
      },
    ),
    tracking: described(
      v.nullable(TrackingResult),
      'The ranks of domains. Null if no domain is tracked, and on `error`',
      null,
    ),
    top_domains: described(v.array(v.string()), 'The first ten distinct domains of the results, in order', [
      'example.com',
    ]),
    html_url: described(
      v.string(),
      'A link to the stored HTML of the first page. It needs no key, and works for 24 hours. Empty if no ' +
        'page is stored',
      'https://api.example.com/pages/1.1796083200.aHRtbC9h.AAAA',
    ),
    post_id: describedAs(v.nullable(v.string()), V1Task.entries.post_id),
    keyword_id: describedAs(v.nullable(v.number()), taskFields.keyword_id),
    domain: described(v.nullable(v.string()), 'The tracked domain. Null: none', 'example.com'),
    error_message: described(
      v.nullable(v.string()),
      'Why the task failed, as in the task that GET returns; null: it did not fail',
      'captcha: the engine asked for proof that a person is searching',
    ),
    crawled_at: describedAs(v.number(), addedTaskFields.crawled_at),
    reused: describedAs(v.boolean(), addedTaskFields.reused),
    complete: describedAs(v.boolean(), addedTaskFields.complete),
    /** Absent in copies that were parked before the field existed. */
    warnings: addedTaskFields.warnings,
  }),
);
export type V2Payload = v.InferOutput<typeof V2Payload>;

/**
 * The payload of any webhook. Except for v2 searches, that of a task is the task itself (Reading 33), and
 * that of a batch the batch (Reading 46). An alert has the changes of a project. No payload has the required
 * fields of another.
 */
export const Payload = v.union([V2Payload, V1Task, IdeasTask, KeywordDataTask, BatchPayload, AlertPayload]);
export type Payload = v.InferOutput<typeof Payload>;

/** The envelope of a webhook in the form of DataForSEO. Its fields are those of that form. */
export const DataforseoPayload = v.looseObject({
  status_code: v.number(),
  tasks: v.array(v.looseObject({ id: v.string(), status_code: v.number() })),
});
export type DataforseoPayload = v.InferOutput<typeof DataforseoPayload>;

/** The payload of any webhook, also in the forms of other services and of chat programs, and of a mail. */
export const AnyPayload = v.union([Payload, DataforseoPayload, SlackMessage, TeamsMessage, MailMessage]);
export type AnyPayload = v.InferOutput<typeof AnyPayload>;

/** What a payload is. Of searches, only those of version 2 have a link to their page. */
export const webhookType = (kind: keyof typeof typesByKind, payload: AnyPayload): WebhookType =>
  kind === 'serp' && 'html_url' in payload ? v2Type : typesByKind[kind];

/** The webhook with the changes of a project's tracked keywords. */
import * as v from 'valibot';
import { Device } from './crawl-request.ts';
import { component, described } from './described.ts';
import { defaultEngine, EngineName } from './engine.ts';
import { Count, Seconds } from './scalar.ts';
import { payloadType } from './webhook-type.ts';

export const ChangeReason = v.picklist([
  'moved',
  'entered_top_3',
  'entered_top_10',
  'entered_top_100',
  'left_top_3',
  'left_top_10',
  'left_top_100',
  'lost_first',
  'cited',
  'not_cited',
]);
export type ChangeReason = v.InferOutput<typeof ChangeReason>;

const AlertChange = v.object({
  keyword_id: described(Count, 'The tracked keyword', 3767392204849161),
  keyword: described(v.string(), 'Its text', 'coffee grinder'),
  engine: described(EngineName, 'The engine that it is tracked on', defaultEngine),
  iso_code: described(v.string(), 'The country that it is tracked in', 'DE'),
  language_code: described(v.string(), 'The language that it is tracked in', 'de'),
  location_name: described(v.string(), 'The place that it is tracked in', 'Berlin,Germany'),
  device: described(Device, 'The device that it is tracked on', 'mobile'),
  domain: described(v.string(), 'The tracked domain', 'example.com'),
  reasons: described(
    v.array(ChangeReason),
    'What the rule reports: `moved` by at least its number, `entered_top_…` or `left_top_…`, `lost_first` to a named ' +
      'competitor, `cited` or `not_cited` in the AI overview',
    ['moved', 'entered_top_10'],
  ),
  previous_position: described(Count, 'The position at the check before; 1000 = not found', 6),
  position: described(Count, 'The present position; 1000 = not found', 4),
  movement: described(
    v.number(),
    'Previous minus present position: positive is up. Not found counts as 101 (Reading 38)',
    2,
  ),
  moved_from: described(
    v.nullable(Count),
    'What `moved` compares with: the position of its last report, or the first one; for `drops` the best since, for ' +
      '`rises` the worst. Null: not `moved`',
    9,
  ),
  url: described(
    v.string(),
    'The page of the domain; empty if it was not found',
    'https://www.example.com/coffee-grinders',
  ),
  cited: described(
    v.nullable(v.boolean()),
    'Whether the AI overview cites the domain; null if it is not known',
    true,
  ),
  lost_to: described(
    v.nullable(v.string()),
    'The competitor that has taken the first place; null if none has',
    null,
  ),
  crawled_at: described(Seconds, 'When the present position was crawled, in Unix seconds', 1795996801),
  chart_url: described(
    v.string(),
    'The chart of the keyword as an SVG image. It needs no key and works for 400 days; empty if it is not known',
    'https://api.example.com/charts/1.1830556800.Mzc2NzM5.AAAA.svg',
  ),
});
export type AlertChange = v.InferOutput<typeof AlertChange>;

export const AlertPayload = component(
  'AlertPayload',
  'The webhook of a rule of alerts: what has changed in a project',
  v.object({
    type: payloadType('alert'),
    id: described(Count, 'The id of the alert', 3767392204849170),
    project_id: described(Count, 'The project', 3767392204849160),
    project_name: described(v.string(), 'Its name', 'Coffee shop'),
    alert_date: described(
      v.string(),
      'The day of the alert, `YYYY-MM-DD`: a project has one alert a day at most',
      '2026-11-22',
    ),
    created_at: described(Seconds, 'When the changes were found, in Unix seconds', 1795996800),
    changes: described(
      v.array(AlertChange),
      'The changed keywords, the largest movement first; at most 1,000',
      [],
    ),
  }),
);
export type AlertPayload = v.InferOutput<typeof AlertPayload>;

/**
 * What the next alert compares with: the position of the last report of `moved`, or the first one; the last
 * known citation; the position at the last check. Marks that version 0.1.0 stored do not have the last one.
 */
export type Mark = [movedFrom: number, cited: boolean | null, before?: number];

/** By the id of the keyword. */
export type Baseline = Record<string, Mark>;

/** The summary of a week of a project, as it is sent by mail. `day`: its last one. */
export type WeekSummary = { project_id: number; project_name: string; day: string; markdown: string };

/** The form of a delivery of an alert: of a webhook other than the standard one, or of a mail. */
export type DeliveryForm = 'slack' | 'teams' | 'mail' | 'summary';

/** A delivery of an alert: its id, its receiver as a URL, and its form, if not the standard one. */
export type AlertDelivery = { id: number; url: string; format?: DeliveryForm };

/**
 * An alert as it is stored, with the baseline of the next one. `payload`: null if nothing has changed.
 * `summary`: absent if none is sent. `deliveries`: absent in alerts of former releases, with one webhook.
 */
export type StoredAlert = {
  version: number;
  payload: AlertPayload | null;
  baseline: Baseline;
  summary?: WeekSummary;
  deliveries?: AlertDelivery[];
};

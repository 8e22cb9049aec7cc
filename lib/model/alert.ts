/** The webhook with the changes of a project's tracked keywords. */
import * as v from 'valibot';
import { Device } from './crawl-request.ts';
import { EngineName } from './engine.ts';
import { Count, Seconds } from './scalar.ts';

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

const described = <const Schema extends v.GenericSchema>(schema: Schema, description: string) =>
  v.pipe(schema, v.description(description));

const AlertChange = v.object({
  keyword_id: described(Count, 'The tracked keyword'),
  keyword: described(v.string(), 'Its text'),
  engine: described(EngineName, 'The engine that it is tracked on'),
  location_name: described(v.string(), 'The place that it is tracked in'),
  device: described(Device, 'The device that it is tracked on'),
  domain: described(v.string(), 'The tracked domain'),
  reasons: described(
    v.array(ChangeReason),
    'What the rule of the project reports: `moved` by at least the number of the rule, `entered_top_…` and `left_top_…`, `lost_first` to a named ' +
      'competitor, `cited` and `not_cited` in the AI overview',
  ),
  previous_position: described(Count, 'The position that was reported last; 1000 = not found'),
  position: described(Count, 'The present position; 1000 = not found'),
  movement: described(
    v.number(),
    'Previous minus present position: positive is up. Not found counts as 101 (Reading 38)',
  ),
  url: described(v.string(), 'The page of the domain; empty if it was not found'),
  cited: described(
    v.nullable(v.boolean()),
    'Whether the AI overview cites the domain; null if it is not known',
  ),
  lost_to: described(
    v.nullable(v.string()),
    'The competitor that has taken the first place; null if none has',
  ),
  crawled_at: described(Seconds, 'When the present position was crawled, in Unix seconds'),
});
export type AlertChange = v.InferOutput<typeof AlertChange>;

export const AlertPayload = v.object({
  id: described(Count, 'The id of the alert'),
  project_id: described(Count, 'The project'),
  project_name: described(v.string(), 'Its name'),
  alert_date: described(
    v.string(),
    'The day of the alert, `YYYY-MM-DD`: a project has one alert a day at most',
  ),
  created_at: described(Seconds, 'When the changes were found, in Unix seconds'),
  changes: described(v.array(AlertChange), 'The changed keywords, the largest movement first; at most 1,000'),
});
export type AlertPayload = v.InferOutput<typeof AlertPayload>;

/** What an alert compares with: the position and the citation that were reported last, or that the keyword had when it was seen first. */
export type Mark = [position: number, cited: boolean | null];

/** By the id of the keyword. */
export type Baseline = Record<string, Mark>;

/** An alert as it is stored, with the baseline of the next one. `payload`: null if nothing has changed. */
export type StoredAlert = { version: number; payload: AlertPayload | null; baseline: Baseline };

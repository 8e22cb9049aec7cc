/**
 * The fields of a tracked keyword that both of its interfaces have: the management of projects, and the
 * reporting interface.
 */
import * as v from 'valibot';
import { Device } from './crawl-request.ts';
import { component, described, statesOf, withWords } from './described.ts';
import { Count } from './scalar.ts';

const trackingStatuses = {
  pending: 'not crawled yet',
  updating: 'its crawl is due or running',
  updated: 'the newest crawl gave the newest position',
  failed: 'the newest crawl gave no position; the older ones are kept',
};

/** Reading 39. */
export const TrackingStatus = component(
  'TrackingStatus',
  withWords('The state of a tracked keyword', trackingStatuses),
  statesOf('Tracking', trackingStatuses),
);
export type TrackingStatus = v.InferOutput<typeof TrackingStatus>;

/**
 * A position of the interface: 1000 if a complete crawl did not find the domain, null if there is none yet
 * (Reading 6).
 */
export const positionField = (meaning: string, example: number) =>
  described(v.nullable(Count), `${meaning}. 1000: not ranked. Null: not known`, example);

const figureField = (meaning: string, example: number) =>
  described(v.nullable(v.number()), `${meaning}. Null: not known`, example);

export const trackedFields = {
  keyword_id: described(Count, 'The id of the keyword', 3767392204849161),
  domain: described(v.string(), 'The domain whose position is followed', 'example.com'),
  device: described(Device, 'The device whose result page is read', 'mobile'),
  status: described(TrackingStatus, 'The state of the keyword', 'updated'),
  google_business: described(
    v.nullable(v.string()),
    'The name of the business that is tracked. Null: none',
    null,
  ),
  update_frequency: described(Count, 'Hours between two crawls', 24),
  initial_position: positionField('The first position', 12),
  current_position: positionField('The newest position', 4),
  best_position: positionField('The best position', 3),
  previous_position: positionField('The position before the newest one', 6),
  local_sv: figureField('Monthly searches in the place of the keyword', 12100),
  global_sv: figureField('Monthly searches in the whole world, in the language of the keyword', 90500),
  cpc: figureField('Cost of a click on an ad, in currency units', 1.83),
};

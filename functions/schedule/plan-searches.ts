/** Runs every minute, for each group of shards: begins the crawls of tracked searches that are due. */
import * as v from 'valibot';
import { scheduled } from '../../lib/api/scheduled.ts';
import { ShardsEvent } from '../../lib/model/workflow.ts';
import { planSearches } from '../../lib/reporting/run/plan-searches.ts';

export const handler = scheduled((event) => planSearches(v.parse(ShardsEvent, event).shards));

/** Runs every minute, for each group of shards: records the results of crawls of tracked searches. */
import * as v from 'valibot';
import { scheduled } from '../../lib/api/scheduled.ts';
import { ShardsEvent } from '../../lib/model/workflow.ts';
import { recordResults } from '../../lib/reporting/run/record-results.ts';

export const handler = scheduled((event) => recordResults(v.parse(ShardsEvent, event).shards));

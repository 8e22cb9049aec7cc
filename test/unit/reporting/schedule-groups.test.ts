/** The groups of the schedule have every shard of the index once. */
import { expect, test } from 'vitest';
import { scheduleGroups, seconds } from '../../../infra/function-limits.ts';
import { checkSeconds } from '../../../lib/reporting/run/check-time.ts';
import { allShards, runSeconds } from '../../../lib/reporting/run/waiting.ts';

test('every shard of tracked searches is in one group', () => {
  expect(scheduleGroups.flat().toSorted((a, b) => a - b)).toEqual(allShards);
});

test('no run of the planner lasts until the recorder looks at its crawls', () => {
  expect(seconds.planSearches).toBeGreaterThan(runSeconds);
  expect(checkSeconds(0)).toBeGreaterThan(seconds.planSearches);
});

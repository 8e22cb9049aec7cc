/**
 * Every alarm of both stacks, put to the test: each keeps still in a good run of the embedded stack, and rings in a bad one, by what the
 * run has logged and left in its queues. An alarm that is in no table here fails the last test.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Datapoint, rings } from './alarm-evaluation.ts';
import { clearAway, runGoodThenBroken, runWalled } from './alarm-runs.ts';
import { alarms, service } from './both-stacks.ts';

/** What rings in which of the bad runs, by the beginnings of the alarms' logical ids. */
const expected = {
  walled: [
    'ApiSlow',
    'CrawlQueueAge',
    'GoogleBlockedBrowser',
    'GoogleBlockedHttp',
    'GoogleSuccessRate',
    'ParkedDeliveriesAlarm',
    'TasksUnfinished',
    'Throttles',
    'WebhookFailures',
  ],
  broken: [
    'ApiErrors',
    'CrawlDeadLettersAlarm',
    'CrawlMachineFailed',
    'DeliverAgainFunctionErrors',
    'DeliverFunctionErrors',
    'FetchPageFunctionErrors',
    'ParkDeliveryFunctionErrors',
    'ParseTaskFunctionErrors',
    'PlanPagesFunctionErrors',
    'PostbackDeadLettersAlarm',
    'PostbackMachineFailed',
    'RenderPageFunctionErrors',
    'ResolveLinksFunctionErrors',
    'ScheduleDeadLettersAlarm',
    'SerpFunctionErrors',
    'SiteFunctionErrors',
    'StartCrawlFunctionErrors',
    'SweepTasksFunctionErrors',
  ],
};

/** The alarms that ring, by their logical ids without the hash. */
const ringing = (points: Datapoint[]): string[] =>
  alarms
    .filter(({ properties }) => rings(service, properties, points))
    .map(({ id }) => id.replace(/[0-9A-F]{8}$/, ''))
    .sort();

const runs: Record<'good' | 'walled' | 'broken', Datapoint[]> = { good: [], walled: [], broken: [] };

beforeAll(async () => {
  Object.assign(runs, await runGoodThenBroken(), { walled: await runWalled() });
}, 240_000);
afterAll(clearAway);

test('the good run has numbers for every rate, and rings nothing', () => {
  const names = new Set(runs.good.map(({ name }) => name));

  for (const name of ['TaskSucceeded', 'PageBlocked', 'DeliverySucceeded', 'OldestTaskSeconds', 'Latency']) {
    expect(names).toContain(name);
  }
  expect(ringing(runs.good)).toEqual([]);
});

test('an idle service rings nothing', () => {
  expect(ringing([])).toEqual([]);
});

test.each(['walled', 'broken'] as const)('the %s run rings its alarms, and no others', (run) => {
  expect(ringing(runs[run])).toEqual(expected[run].toSorted());
});

test('every alarm of the templates rings in one of the runs', () => {
  expect([...expected.walled, ...expected.broken].sort()).toEqual(
    alarms.map(({ id }) => id.replace(/[0-9A-F]{8}$/, '')).sort(),
  );
});

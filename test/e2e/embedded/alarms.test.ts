/**
 * Tests every alarm of both stacks with the logs and queues of runs of the embedded stack: it does not ring
 * in a good run, and rings in one of the bad runs. The last test fails for an alarm that is in neither table
 * here.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultEngine, engineNames } from '../../../lib/model/engine.ts';
import { type Datapoint, rings } from './alarm-evaluation.ts';
import { clearAway, runChanged, runGoodThenBroken, runHanging, runWalled } from './alarm-runs.ts';
import { alarms, service } from './both-stacks.ts';

/**
 * The alarms that ring in each bad run: their logical ids without the hash. Those of Google ring for each
 * engine.
 */
const expected = {
  blocked: [
    'ApiSlow',
    'AwsRefusals',
    'CrawlQueueAge',
    'KeywordQueueAge',
    'PatientPostbackQueueAge',
    'PostbackQueueAge',
    'GoogleBlockedBrowser',
    'GoogleBlockedHttp',
    'GoogleRestedBrowser',
    'GoogleRestedHttp',
    'GoogleSuccessRate',
    'ParkedDeliveriesAlarm',
    'SearchesOverdue',
    'SourceFailing',
    'TasksEndFastLong',
    'TasksEndFastShort',
    'TasksEndSlowLong',
    'TasksEndSlowShort',
    'TasksUnfinished',
    'Throttles',
    'UpstreamFailures',
    'UpstreamRefused',
    'WebhookFailures',
    'WebhooksArriveFastLong',
    'WebhooksArriveFastShort',
    'WebhooksArriveSlowLong',
    'WebhooksArriveSlowShort',
    'WebhooksUnfinished',
  ],
  broken: [
    'AccountFunctionErrors',
    'ApiErrors',
    'BrowserFailed',
    'CollectPagesFunctionErrors',
    'CompatFunctionErrors',
    'CrawlDeadLettersAlarm',
    'CrawlMachineFailed',
    'DeliverFunctionErrors',
    'FetchPageFunctionErrors',
    'FetchPagesFunctionErrors',
    'FinishProjectsFunctionErrors',
    'KeywordDeadLettersAlarm',
    'KeywordFunctionErrors',
    'LookUpVolumesFunctionErrors',
    'McpFunctionErrors',
    'ParkDeliveryFunctionErrors',
    'ParseTaskFunctionErrors',
    'PlanSearchesFunctionErrors',
    'PostSearchFunctionErrors',
    'PostbackDeadLettersAlarm',
    'PostbackMachineFailed',
    'RecordResultsFunctionErrors',
    'RenderPageFunctionErrors',
    'ReportingFunctionErrors',
    'RunTasksFunctionErrors',
    'ScheduleDeadLettersAlarm',
    'SendAlertsFunctionErrors',
    'SerpFunctionErrors',
    'SiteFunctionErrors',
    'StartCrawlFunctionErrors',
    'StatusFunctionErrors',
    'SweepTasksFunctionErrors',
  ],
  hanging: ['CrawlMachineTimedOut', 'PostbackMachineTimedOut'],
  changed: ['GoogleUnclaimed'],
};

/**
 * The runs ask one engine. The alarms of all engines are made alike, so its datapoints are used as those of
 * each engine.
 */
const ofEachEngine = (points: Datapoint[]): Datapoint[] =>
  points.flatMap((point) =>
    point.dimensions.engine === defaultEngine
      ? engineNames.map((engine) => ({ ...point, dimensions: { ...point.dimensions, engine } }))
      : [point],
  );

const forEachEngine = (names: readonly string[]): string[] =>
  names
    .flatMap((name) =>
      name.startsWith('Google')
        ? engineNames.map((engine) => name.replace('Google', engine[0]?.toUpperCase() + engine.slice(1)))
        : [name],
    )
    .sort();

/** The logical id without the hash. */
const nameOf = ({ id }: (typeof alarms)[number]): string => id.replace(/[0-9A-F]{8}$/, '');

const isHeartbeat = (alarm: (typeof alarms)[number]): boolean => nameOf(alarm).endsWith('Silent');

/** The alarms that ring, except heartbeats, by their logical ids without the hash. */
const ringing = (points: Datapoint[]): string[] =>
  alarms
    .filter((alarm) => !isHeartbeat(alarm) && rings(service, alarm.properties, ofEachEngine(points)))
    .map(nameOf)
    .sort();

const runs: Record<'good' | 'blocked' | 'broken' | 'hanging' | 'changed', Datapoint[]> = {
  good: [],
  blocked: [],
  broken: [],
  hanging: [],
  changed: [],
};

beforeAll(async () => {
  // The walled run and the hanging one record what this process prints, so they do not run at the same time.
  const printing = async () => ({ blocked: await runWalled(), hanging: await runHanging() });
  const [goodThenBroken, printed, changed] = await Promise.all([
    runGoodThenBroken(),
    printing(),
    runChanged(),
  ]);
  Object.assign(runs, goodThenBroken, printed, { changed });
}, 1_500_000);
afterAll(clearAway);

test('the good run has datapoints for every rate, and no alarm rings', () => {
  const names = new Set(runs.good.map(({ name }) => name));

  for (const name of ['TaskSucceeded', 'PageBlocked', 'DeliverySucceeded', 'OldestTaskSeconds', 'Latency']) {
    expect(names).toContain(name);
  }
  expect(ringing(runs.good)).toEqual([]);
});

test('no alarm of an idle service rings', () => {
  expect(ringing([])).toEqual([]);
});

test.each(['blocked', 'broken', 'hanging', 'changed'] as const)(
  'in the %s run, exactly its alarms ring',
  (run) => {
    expect(ringing(runs[run])).toEqual(forEachEngine(expected[run]));
  },
);

test('every alarm of the templates rings in one of the bad runs', () => {
  expect(forEachEngine(Object.values(expected).flat())).toEqual(
    alarms
      .filter((alarm) => !isHeartbeat(alarm))
      .map(nameOf)
      .sort(),
  );
});

/** What CloudWatch itself counts, and no log line says: a call of each function. */
const calls: Datapoint[] = Object.entries(service.Resources)
  .filter(([, { Type }]) => Type === 'AWS::Lambda::Function')
  .map(([FunctionName]) => ({
    namespace: 'AWS/Lambda',
    name: 'Invocations',
    dimensions: { FunctionName },
    value: 1,
    at: 0,
  }));

test('each heartbeat rings without the datapoints of its own function, and not in the good run', () => {
  const heartbeats = alarms.filter(isHeartbeat);
  const good = [...runs.good, ...calls];

  expect(heartbeats.map(nameOf)).toEqual([
    'SweepTasksFunctionSilent',
    'PlanSearchesFunctionSilent',
    'RecordResultsFunctionSilent',
    'FinishProjectsFunctionSilent',
    'SendAlertsFunctionSilent',
    'LookUpVolumesFunctionSilent',
  ]);
  for (const alarm of heartbeats) {
    const { properties } = alarm;
    const own = nameOf(alarm).replace('Silent', '');
    expect(rings(service, properties, good)).toBe(false);
    const silent = good.filter(
      ({ name, dimensions }) =>
        name !== properties?.MetricName || dimensions.FunctionName?.startsWith(own) === false,
    );
    expect(rings(service, properties, silent)).toBe(true);
  }
});

/** What the alarms see of 5,000 searches that wait for an engine with a rate of one page a second. */
import { beforeAll, expect, test, vi } from 'vitest';
import { batchSize } from '../../infra/function-limits.ts';
import { type Datapoint, rings } from '../e2e/embedded/alarm-evaluation.ts';
import { alarms as all, idOf, queues, service, serviceName } from '../e2e/embedded/both-stacks.ts';
import { start } from '../unit/keyword/fake-time.ts';
import { type Played, playLine } from '../unit/pace/play-line.ts';

vi.mock('node:timers/promises', () =>
  import('../unit/keyword/fake-time.ts').then(({ promises }) => promises),
);

/** DynamoDB's limit for one item. */
const writesOfItem = 1000;

const crawlQueue = idOf('CrawlQueue', queues);

/** The datapoints of the service's own metrics and of the queue. */
const datapointsOf = ({ writesIn, starts, longestDelay }: Played): Datapoint[] => {
  const own = (metric: string, seconds: number, value: number, dimensions = {}): Datapoint => ({
    namespace: serviceName,
    name: metric,
    dimensions,
    value,
    at: seconds * 1000,
  });
  const refused = [...writesIn].flatMap(([second, rows]) =>
    [...rows.values()].flatMap((writes) =>
      Array.from({ length: Math.max(0, writes - writesOfItem) }, () => own('AwsRefusals', second, 1)),
    ),
  );
  const ended = starts.flatMap(({ at, created, promised }) => [
    own('TaskSucceeded', at, 1, { engine: 'google' }),
    own('EndedInTime', at, 1),
    // The sweeper sees a task a quarter of an hour after the time to which it was put off.
    own('OldestTaskSeconds', at, at > Math.max(created, promised) + 900 ? at - created : 0),
  ]);
  const queued: Datapoint = {
    namespace: 'AWS/SQS',
    name: 'ApproximateAgeOfOldestMessage',
    dimensions: { QueueName: crawlQueue },
    value: longestDelay,
    at: start * 1000,
  };
  return [...refused, ...ended, queued];
};

/** The alarms on these metrics, without those that ring because data is missing. */
const alarms = all.filter(({ properties }) => {
  const text = JSON.stringify(properties);
  return (
    [`"${serviceName}"`, '"AWS/SQS"'].some((each) => text.includes(each)) && !text.includes('"breaching"')
  );
});

const ringing = (points: readonly Datapoint[]): string[] =>
  alarms.filter(({ properties }) => rings(service, properties, points)).map(({ id }) => id);

let played: Played;
beforeAll(async () => {
  played = await playLine(Array(5000).fill(1));
});

test('all 5,000 get their turns, one a second', () => {
  expect(played.starts).toHaveLength(5000);
  expect((played.starts.at(-1)?.at ?? 0) - start).toBeLessThan(5015);
  expect(played.writes / played.handled).toBeLessThanOrEqual(1.2);
});

test('no item is written more often than DynamoDB allows, although all come at once', () => {
  const busiest = Math.max(...[...played.writesIn.values()].flatMap((rows) => [...rows.values()]));

  expect(busiest).toBeLessThan(writesOfItem);
  // The messages of a batch share their writes.
  expect(busiest).toBeLessThan((2 * 5000) / batchSize);
});

test('no alarm rings', () => {
  expect(alarms.length).toBeGreaterThan(30);
  expect(ringing(datapointsOf(played))).toEqual([]);
});

test('an alarm would ring if writes were refused, if messages stayed in the queue, or if tasks waited unseen', () => {
  const one: Played = { ...played, starts: [], writesIn: new Map() };
  const rows = new Map([['google', 2000]]);

  expect(ringing(datapointsOf({ ...one, writesIn: new Map([[start, rows]]) }))).toEqual([
    expect.stringMatching(/^AwsRefusals/),
  ]);
  expect(ringing(datapointsOf({ ...one, longestDelay: 3600 }))).toEqual([
    expect.stringMatching(/^CrawlQueue/),
  ]);
  const late = { user: 1, created: start, promised: 0, at: start + 3700 };
  expect(ringing(datapointsOf({ ...one, starts: [late] }))).toEqual([
    expect.stringMatching(/^TasksUnfinished/),
  ]);
});

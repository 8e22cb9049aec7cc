/** The contents of a log line: its scope, its fields, and its metrics in the format of CloudWatch. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { log, logToStandardError } from '../../../lib/runtime/log.ts';
import { addToScope, scope, traceOf, withScope } from '../../../lib/runtime/scope.ts';

const written: string[] = [];
const lines = () => written.map((line) => JSON.parse(line));

beforeEach(() => {
  vi.stubEnv('SERVICE', 'SearchRanking-test');
  vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => written.push(String(chunk)) > 0);
});
afterEach(() => {
  written.length = 0;
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

const root = '1-65a1b2c3-0123456789abcdef01234567';

test('a log line is one JSON object on one line, with the fields of its scope', () => {
  withScope(
    { function: 'FetchPage', request_id: 'r1', user_id: 1, task_id: 2, trace: `Root=${root};Sampled=1` },
    () => log.warn('engine rested', { seconds: 10 }),
  );

  expect(written[0]?.indexOf('\n')).toBe((written[0]?.length ?? 0) - 1);
  expect(lines()).toEqual([
    {
      level: 'WARN',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      message: 'engine rested',
      service: 'SearchRanking-test',
      function: 'FetchPage',
      request_id: 'r1',
      user_id: 1,
      task_id: 2,
      trace_id: root,
      seconds: 10,
    },
  ]);
});

test.each(['info', 'warn', 'error'] as const)(
  'log.%s writes the level under the name that Lambda uses',
  (level) => {
    log[level]('task ended');

    expect(lines()).toMatchObject([{ level: level.toUpperCase() }]);
  },
);

test('concurrent scopes do not mix when fields are added', async () => {
  await withScope({ function: 'StartCrawl' }, () =>
    Promise.all(
      [1, 2, 3].map((id) =>
        withScope({}, async () => {
          addToScope({ task_id: id });
          await new Promise((resolve) => setTimeout(resolve, 10 - 3 * id));
          log.info('task put off');
        }),
      ),
    ),
  );

  expect(
    lines()
      .map(({ task_id }) => task_id)
      .sort(),
  ).toEqual([1, 2, 3]);
  expect(lines().map((line) => line.function)).toEqual(['StartCrawl', 'StartCrawl', 'StartCrawl']);
  expect(scope()).toEqual({});
});

test('a log line contains its metrics in the embedded metric format', () => {
  log.info('page fetched', { engine: 'google', route: 'http' }, { PageFetched: 1, PageMilliseconds: 40 });

  const [line] = lines();
  expect(line).toMatchObject({ engine: 'google', route: 'http', PageFetched: 1, PageMilliseconds: 40 });
  expect(line._aws).toEqual({
    Timestamp: Date.parse(line.timestamp),
    CloudWatchMetrics: [
      {
        Namespace: 'SearchRanking-test',
        Dimensions: [['engine', 'route']],
        Metrics: [{ Name: 'PageFetched' }, { Name: 'PageMilliseconds', Unit: 'Milliseconds' }],
      },
    ],
  });
});

test.each([
  [`Root=${root};Parent=53995c3f42cd8ad8;Sampled=1`, `Root=${root};Parent=53995c3f42cd8ad8;Sampled=1`],
  [
    `Root=${root};Parent=53995c3f42cd8ad8;Sampled=0;Lineage=1:a:0`,
    `Root=${root};Parent=53995c3f42cd8ad8;Sampled=0`,
  ],
  ['', undefined],
  ['Self=1-2-3', undefined],
])('traceOf(%j) is %j', (header, trace) => {
  expect(traceOf(header)).toBe(trace);
});

// The last test of this file: the other stream holds for the rest of the process.
test('the lines of a command go to standard error, because its standard output is its result', () => {
  const errors = vi.spyOn(process.stderr, 'write').mockReturnValue(true);

  logToStandardError();
  log.warn('slow AWS call');

  expect(written).toEqual([]);
  expect(errors).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('"message":"slow AWS call"'));
});

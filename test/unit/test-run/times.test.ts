/** `npm test`: its runs of vitest, and what `--times` prints. */
import { expect, test } from 'vitest';
import { timesOf } from '../../times.ts';
import { vitestRuns } from '../../vitest-arguments.ts';

test('the time and processor time of each rung, the longest first, and of the twenty slowest files', () => {
  const files = Array.from({ length: 30 }, (_, n) => ({
    rung: n < 10 ? 'unit' : 'e2e',
    file: `test/${n}.test.ts`,
    ms: n * 1000,
    processorMs: n * 100,
  }));

  const lines = timesOf(files);

  expect(lines.slice(1, 4)).toEqual([
    '   390.0 s    39.0 s  e2e, 20 files',
    '    45.0 s     4.5 s  unit, 10 files',
    '   435.0 s    43.5 s  together',
  ]);
  expect(lines.slice(6)).toEqual(
    Array.from({ length: 20 }, (_, n) => {
      const [time, processorTime] = [29 - n, (29 - n) / 10].map((each) => each.toFixed(1).padStart(8));
      return `${time} s${processorTime} s  test/${29 - n}.test.ts`;
    }),
  );
});

const projects = (...rungs: string[]) => rungs.flatMap((rung) => ['--project', rung]);
const waiting = projects('contract', 'integration', 'e2e');
const computing = projects('unit', 'corpus', 'workflow', 'simulation', 'infra');
const oneWorker = ['--maxWorkers', '1'];

test('all tests are a run of the rungs that wait, and one of those that compute beside it', () => {
  expect(vitestRuns([])).toEqual([
    ['run', ...waiting],
    ['run', ...computing, ...oneWorker],
  ]);
});

test.each([
  [['-t', 'a name']],
  [['test/unit/model']],
  [['--reporter=json']],
  [['--reporter=json', '--outputFile.junit=junit.xml']],
  [['--coverage']],
])('%j is for one run', (options) => {
  expect(vitestRuns(options)).toEqual([['run', ...waiting, ...computing, ...options]]);
});

test('each of two runs has its own report', () => {
  const options = ['--reporter=default', '--reporter=json', '--outputFile.json=.vitest/test.json'];

  expect(vitestRuns(options)).toEqual([
    ['run', ...waiting, ...options],
    [
      'run',
      ...computing,
      '--reporter=default',
      '--reporter=json',
      '--outputFile.json=.vitest/test-computing.json',
      ...oneWorker,
    ],
  ]);
  const reports = vitestRuns(['--reporter=json', '--outputFile.json=a.b/report']).map((argv) =>
    argv.find((option) => option.startsWith('--outputFile')),
  );
  expect(reports).toEqual(['--outputFile.json=a.b/report', '--outputFile.json=a.b/report-computing']);
});

test('--times is a reporter beside the default one, or beside those that are named', () => {
  const times = '--reporter=test/times-reporter.ts';

  expect(vitestRuns(['--times']).map((argv) => argv.filter((each) => each.startsWith('--rep')))).toEqual([
    ['--reporter=default', times],
    ['--reporter=default', times],
  ]);
  expect(vitestRuns(['--times', '-t', 'a name'])).toEqual([
    ['run', ...waiting, ...computing, '--reporter=default', times, '-t', 'a name'],
  ]);
  expect(vitestRuns(['--reporter=dot', '--times'])[0]).toEqual([
    'run',
    ...waiting,
    ...computing,
    times,
    '--reporter=dot',
  ]);
});

/** `npm test -- --times`: what it prints, and which options vitest gets. */
import { expect, test } from 'vitest';
import { timesOf } from '../../times.ts';
import { rungs, vitestArguments } from '../../vitest-arguments.ts';

const projects = rungs.flatMap((rung) => ['--project', rung]);

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

test('options of vitest stay as they are', () => {
  const options = ['--reporter=default', '--reporter=json', '--outputFile.json=.vitest/test.json'];

  expect(vitestArguments([])).toEqual(['run', ...projects]);
  expect(vitestArguments(options)).toEqual(['run', ...projects, ...options]);
});

test('--times is a reporter beside the default one, or beside those that are named', () => {
  const times = '--reporter=test/times-reporter.ts';

  expect(vitestArguments(['--times', '-t', 'a name'])).toEqual([
    'run',
    ...projects,
    '--reporter=default',
    times,
    '-t',
    'a name',
  ]);
  expect(vitestArguments(['--reporter=json', '--times'])).toEqual([
    'run',
    ...projects,
    times,
    '--reporter=json',
  ]);
});

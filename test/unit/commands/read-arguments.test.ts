/** What would let a command do something else than it was told is refused. */
import { afterEach, expect, test, vi } from 'vitest';
import { readArguments } from '../../../infra/commands/read-arguments.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

const read = (...args: string[]) =>
  readArguments(
    {
      args,
      allowPositionals: true,
      options: {
        stack: { type: 'string' },
        competitor: { type: 'string', multiple: true },
        queue: { type: 'string', default: 'crawl' },
        email: { type: 'string' },
        'dry-run': { type: 'boolean', default: false },
      },
    },
    'npm run tasks -- list [--stack <stack>]',
  );

test('gives the values, the defaults and the other arguments', () => {
  const { values, positionals } = read('list', '--stack', 'SearchRanking-prod', '--competitor=rival.example');

  expect(positionals).toEqual(['list']);
  expect(values).toEqual({
    stack: 'SearchRanking-prod',
    competitor: ['rival.example'],
    queue: 'crawl',
    'dry-run': false,
  });
});

test.each([
  // A variable of the shell that is not set would mean the embedded stack.
  [['list', '--stack', ''], 'The value of --stack is empty.'],
  [['list', '--stack='], 'The value of --stack is empty.'],
  [['list', '--competitor', 'rival.example', '--competitor', ''], 'The value of --competitor is empty.'],
  [['list', '--stack', 'SearchRanking-dev', '--stack=SearchRanking-prod'], '--stack is given twice.'],
  [['list', '--stack'], "Option '--stack <value>' argument missing"],
  [['list', '--stak', 'x'], "Unknown option '--stak'"],
])('%j fails with a sentence and the usage', (args, sentence) => {
  expect(() => read(...args)).toThrow(sentence);
  expect(() => read(...args)).toThrow('\nUsage: npm run tasks -- list [--stack <stack>]');
});

test('the same value twice, and several values of an option that takes them, are no fault', () => {
  const { values } = read('--stack=a', '--stack', 'a', '--competitor=b', '--competitor=c', '--', '--stack=d');

  expect(values).toMatchObject({ stack: 'a', competitor: ['b', 'c'] });
});

test.each([
  // npm run tasks list --stack=SearchRanking-prod, without -- before it.
  ['npm_config_stack', 'SearchRanking-prod', 'npm took --stack for itself. Write -- before the options'],
  // npm run project import keywords.csv --dry-run would add them.
  ['npm_config_dry_run', 'true', 'npm took --dry-run for itself.'],
])('with %s=%s, an option that npm took is refused', (variable, value, sentence) => {
  vi.stubEnv(variable, value);

  expect(() => read('list')).toThrow(sentence);
  expect(read('list', '--stack', 'SearchRanking-dev', '--dry-run').values.stack).toBe('SearchRanking-dev');
});

test.each([
  ['npm_config_email', 'me@example.com'],
  ['npm_config_dry_run', ''],
  ['npm_config_user_agent', 'npm/11'],
])('%s=%s is a setting of npm', (variable, value) => {
  vi.stubEnv(variable, value);

  expect(read('list').positionals).toEqual(['list']);
});

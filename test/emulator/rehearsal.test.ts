/**
 * The stage for AWS on the sandbox, deployed beside the stage of the other tests and checked by
 * `npm run verify`.
 */
import { expect, test } from 'vitest';
import { command, deploy } from './commands.ts';

test('verify passes every check of a rehearsal but the webhook, for which it needs a public receiver', async () => {
  await deploy(['--stage', 'rehearsal']);

  const { code, printed } = await command('verify', ['--stack', 'SearchRanking-rehearsal']);

  expect(code, printed).toBe(0);
  expect([...printed.matchAll(/^(\w+) +(pass|skip) /gm)].map(([, name, result]) => [name, result])).toEqual([
    ['search', 'pass'],
    ['batch', 'pass'],
    ['webhook', 'skip'],
    ['browser', 'pass'],
    ['misfortune', 'pass'],
  ]);
});

test.each([
  [['--stage', 'prod']],
  [['--stage=dev']],
  [['--stage']],
  [['--stage', 'rehearsal', '--stage=localstack']],
])('%s is refused', async (args) => {
  expect(await command('deploy-localstack', args)).toEqual({
    code: 1,
    printed: '--stage must be localstack or rehearsal\n',
  });
});

/** The operator's commands on a deployed stack. */
import { expect, test } from 'vitest';
import { clientOf } from '../e2e/client.ts';
import { sharedService } from '../e2e/injected-service.ts';
import { command } from './commands.ts';

const { url } = sharedService();
const stack = ['--stack', 'SearchRanking-localstack'];

test('creates a user whose key works', async () => {
  const { code, printed } = await command('user', ['create', '--admin', '--name', 'Ada', ...stack]);

  expect(code, printed).toBe(0);
  const [, apiKey = ''] = /API key +(\S+)/.exec(printed) ?? [];
  expect(await clientOf({ url, apiKey }).searched({ keyword: 'a search of her own' })).toMatchObject({
    status: 'success',
  });
});

test.each([
  // Another test may have parked a delivery.
  ['deliveries', /^No deliveries are parked|user 1/],
  ['tasks', /^No tasks are in/],
  ['secret', /^PROXY_URL +empty/],
  ['user', /^user 1 {2}admin /],
])('%s list works', async (name, words) => {
  expect(await command(name, ['list', ...stack])).toEqual({
    code: 0,
    printed: expect.stringMatching(words),
  });
});

test('the settings of the fetchers are stored and shown', async () => {
  const settings = '{"google":{"rate":5}}';

  expect((await command('fetchers', ['set', ...stack], { input: settings })).code).toBe(0);
  expect((await command('fetchers', ['show', ...stack])).printed).toContain(settings);
  expect((await command('fetchers', ['set', ...stack], { input: '{}' })).code).toBe(0);
});

test('verify passes every check', async () => {
  const { code, printed } = await command('verify', stack);

  expect(code, printed).toBe(0);
  expect(printed.match(/ pass /g)).toHaveLength(5);
});

test('fails with the name of a stack that does not exist', async () => {
  const { code, printed } = await command('user', ['create', '--stack', 'SearchRanking-nowhere']);

  expect(code).toBe(1);
  expect(printed).toContain('SearchRanking-nowhere');
});

test('a deployment fails with a clear message if nothing listens at the address', async () => {
  const ended = await command('deploy-localstack', [], { env: { AWS_ENDPOINT_URL: 'http://127.0.0.1:1' } });

  expect(ended).toEqual({
    code: 1,
    printed: expect.stringContaining('Nothing answers at http://127.0.0.1:1. Start LocalStack'),
  });
});

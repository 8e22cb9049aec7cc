/** The operator's commands on a deployed stack, as on the embedded one. */
import { expect, inject, test } from 'vitest';
import { clientOf } from '../e2e/client.ts';
import { command } from './commands.ts';

const { url } = inject('service');
const stack = ['--stack', 'SearchRanking-localstack'];

test('a user is made whose key opens the interface', async () => {
  const { code, printed } = await command('user', ['create', '--admin', '--name', 'Ada', ...stack]);

  expect(code, printed).toBe(0);
  const [, apiKey = ''] = /API key +(\S+)/.exec(printed) ?? [];
  expect(await clientOf({ url, apiKey }).searched({ keyword: 'a search of her own' })).toMatchObject({
    status: 'success',
  });
});

test.each([
  // Another test may have parked one.
  ['deliveries', /^No deliveries are parked|user 1/],
  ['tasks', /^No tasks are in/],
  ['secret', /^PROXY_URL +empty/],
])('%s are listed', async (name, words) => {
  expect(await command(name, ['list', ...stack])).toEqual({
    code: 0,
    printed: expect.stringMatching(words),
  });
});

test('a stack that is not there is an error', async () => {
  const { code, printed } = await command('user', ['create', '--stack', 'SearchRanking-nowhere']);

  expect(code).toBe(1);
  expect(printed).toContain('SearchRanking-nowhere');
});

test('a deployment to where nothing listens says so, and deploys nothing', async () => {
  const ended = await command('deploy-localstack', [], { env: { AWS_ENDPOINT_URL: 'http://127.0.0.1:1' } });

  expect(ended).toEqual({
    code: 1,
    printed: expect.stringContaining('Nothing answers at http://127.0.0.1:1. Start LocalStack'),
  });
});

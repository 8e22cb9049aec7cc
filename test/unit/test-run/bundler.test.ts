/** What is said if npm has left out the binary of the bundler. */
import { afterEach, expect, test, vi } from 'vitest';
import { bundlerFault } from '../../../infra/bundler.ts';

afterEach(() => {
  vi.doUnmock('rolldown');
  vi.unstubAllEnvs();
});

const leaveOutBinary = () =>
  vi.doMock('rolldown', () => {
    throw new Error('Cannot find native binding.');
  });

test('nothing is said of a bundler that works', async () => {
  expect(await bundlerFault()).toBeUndefined();
});

test('without its binary, it says which Node npm runs on, and what to do', async () => {
  leaveOutBinary();
  vi.stubEnv('npm_config_user_agent', 'npm/10.8.2 node/v18.20.8 linux x64 workspaces/false');

  expect(await bundlerFault()).toBe(
    'npm has left out the binary of rolldown, as it does with a Node before 20.19, or from 21 to 22.11 (this npm runs on Node 18.20.8). Run "npm install" again with Node 20.19, 22.12 or newer.',
  );
});

test('without npm, it says what to do', async () => {
  leaveOutBinary();
  vi.stubEnv('npm_config_user_agent', undefined);

  expect(await bundlerFault()).toMatch(
    /22\.11\. Run "npm install" again with Node 20\.19, 22\.12 or newer\.$/,
  );
});

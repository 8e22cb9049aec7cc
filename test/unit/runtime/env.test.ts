/** Defaults of the settings. The setup of the tests sets STAGE, so these tests remove it. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { checkAddress, webhookPolicy } from '../../../lib/net/guard.ts';
import { setting } from '../../../lib/runtime/env.ts';

beforeEach(() => {
  vi.stubEnv('STAGE', undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

test('the stage is prod when nothing sets it', () => {
  expect(process.env).not.toHaveProperty('STAGE');
  expect(setting('STAGE')).toBe('prod');
});

test('an empty value counts as unset', () => {
  vi.stubEnv('STAGE', '');

  expect(setting('STAGE')).toBe('prod');
});

test('a value overrides the default', () => {
  vi.stubEnv('STAGE', 'dev');

  expect(setting('STAGE')).toBe('dev');
});

test('no webhook reaches loopback when nothing sets the stage', async () => {
  expect(webhookPolicy()).toEqual({ 'http:': [], 'https:': ['public'] });
  expect(await checkAddress('https://127.0.0.1/hook')).toBe('address is loopback');
  expect(await checkAddress('http://127.0.0.1/hook')).toBe("URL scheme should be 'https'");
});

test('results come from the sandbox when nothing sets their source', () => {
  vi.stubEnv('SEARCH_SOURCE', undefined);

  expect(setting('SEARCH_SOURCE')).toBe('sandbox');
});

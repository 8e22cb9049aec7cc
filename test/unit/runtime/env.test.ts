/** What the functions read from their environment. */
import { afterEach, expect, test, vi } from 'vitest';
import { checkAddress, webhookPolicy } from '../../../lib/net/guard.ts';
import { programEnvironment, resource, setting } from '../../../lib/runtime/env.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

test.each([
  ['STAGE', 'prod'],
  ['SERVICE', 'SearchRanking'],
  ['AWS_ENDPOINT_URL', ''],
] as const)('%s of the stack is "%s" if it is not set', (name, value) => {
  vi.stubEnv(name, undefined);

  expect(setting(name)).toBe(value);
});

test.each([
  ['RESOLVE_LINKS', '', 'always'],
  ['RESOLVE_LINKS', undefined, 'always'],
  ['RESOLVE_LINKS', 'never', 'never'],
  ['GOOGLE_RATE', '', ''],
  ['GOOGLE_RATE', '5', '5'],
] as const)('%s=%s is read as "%s"', (name, given, value) => {
  vi.stubEnv(name, given);

  expect(setting(name)).toBe(value);
});

test('a malformed setting is an error that says what it must be', () => {
  vi.stubEnv('SANDBOX_MISFORTUNE', 'rain');

  expect(() => setting('SANDBOX_MISFORTUNE')).toThrow('SANDBOX_MISFORTUNE must be one of captcha');
});

test('a resource that is not bound is an error', () => {
  vi.stubEnv('BUCKET', '');

  expect(() => resource('BUCKET')).toThrow('BUCKET is not set: bind the resource to this function in infra');
});

test('a program that we start does not get credentials', () => {
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
  vi.stubEnv('PATH', '/bin');

  expect(programEnvironment()).toMatchObject({ PATH: '/bin' });
  expect(JSON.stringify(programEnvironment())).not.toContain('secret');
});

test('no webhook reaches loopback when nothing sets the stage', async () => {
  vi.stubEnv('STAGE', undefined);
  expect(webhookPolicy()).toEqual({ 'http:': [], 'https:': ['public'] });
  expect(await checkAddress('https://127.0.0.1/hook')).toBe('address is loopback');
  expect(await checkAddress('http://127.0.0.1/hook')).toBe("URL scheme should be 'https'");
});

test('results come from the sandbox when nothing sets their source', () => {
  vi.stubEnv('SEARCH_SOURCE', undefined);

  expect(setting('SEARCH_SOURCE')).toBe('sandbox');
});

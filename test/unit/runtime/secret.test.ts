/** Secrets, from a stand-in for Secrets Manager: read rarely, and never told. */
import {
  GetSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keepSecret } from '../../../lib/runtime/secret.ts';

const secretsManager = mockClient(SecretsManagerClient);
const written: string[] = [];
beforeEach(() => {
  secretsManager.reset();
  written.length = 0;
  vi.spyOn(process.stdout, 'write').mockImplementation((line) => written.push(String(line)) > 0);
});
afterEach(() => {
  vi.restoreAllMocks();
});

const asked = () => secretsManager.commandCalls(GetSecretValueCommand).length;
const none = () => new ResourceNotFoundException({ message: 'no value', $metadata: {} });

test('a secret is read once in five minutes, however many ask at once', async () => {
  secretsManager.on(GetSecretValueCommand, { SecretId: 'arn' }).resolves({ SecretString: ' first\n' });
  const secret = keepSecret('arn', 'off');

  expect(await Promise.all([secret(1000), secret(1000), secret(1299)])).toEqual(['first', 'first', 'first']);
  expect(asked()).toBe(1);

  secretsManager.on(GetSecretValueCommand).resolves({ SecretString: 'second' });
  expect(await secret(1300)).toBe('second');
  expect(written).toEqual([]);
});

test.each([
  ['never set', () => secretsManager.on(GetSecretValueCommand).rejects(none())],
  ['blank', () => secretsManager.on(GetSecretValueCommand).resolves({ SecretString: ' ' })],
  ['made by an emulator', () => secretsManager.on(GetSecretValueCommand).resolves({ SecretString: '' })],
])('a secret that is %s is empty, which one line of the log says', async (_, given) => {
  given();
  const secret = keepSecret('arn', 'the feature is off');

  expect([await secret(1000), await secret(1000), await secret(2000)]).toEqual(['', '', '']);
  expect(written.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'info', message: 'the feature is off' },
  ]);
});

test('a secret that cannot be read is an error, and is asked for again', async () => {
  secretsManager.on(GetSecretValueCommand).rejectsOnce(new Error('denied')).resolves({ SecretString: 'it' });
  const secret = keepSecret('arn', 'off');

  await expect(secret(1000)).rejects.toThrow('denied');
  expect(await secret(1000)).toBe('it');
});

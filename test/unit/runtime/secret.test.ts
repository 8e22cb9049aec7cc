/** Secrets from a mock of Secrets Manager: cached, and never logged. */
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

const readCount = () => secretsManager.commandCalls(GetSecretValueCommand).length;
const none = () => new ResourceNotFoundException({ message: 'no value', $metadata: {} });

test('reads a secret once in five minutes, even for concurrent calls', async () => {
  secretsManager.on(GetSecretValueCommand, { SecretId: 'arn' }).resolves({ SecretString: ' first\n' });
  const secret = keepSecret('arn', 'off');

  expect(await Promise.all([secret(1000), secret(1000), secret(1299)])).toEqual(['first', 'first', 'first']);
  expect(readCount()).toBe(1);

  secretsManager.on(GetSecretValueCommand).resolves({ SecretString: 'second' });
  expect(await secret(1300)).toBe('second');
  expect(written).toEqual([]);
});

test.each([
  ['never set', () => secretsManager.on(GetSecretValueCommand).rejects(none())],
  ['blank', () => secretsManager.on(GetSecretValueCommand).resolves({ SecretString: ' ' })],
  [
    'created empty by an emulator',
    () => secretsManager.on(GetSecretValueCommand).resolves({ SecretString: '' }),
  ],
])('gives an empty string for a secret that is %s, and logs it once', async (_, mockSecret) => {
  mockSecret();
  const secret = keepSecret('arn', 'the feature is off');

  expect([await secret(1000), await secret(1000), await secret(2000)]).toEqual(['', '', '']);
  expect(written.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'INFO', message: 'the feature is off' },
  ]);
});

test('throws if a secret cannot be read, and reads it again at the next call', async () => {
  secretsManager.on(GetSecretValueCommand).rejectsOnce(new Error('denied')).resolves({ SecretString: 'it' });
  const secret = keepSecret('arn', 'off');

  await expect(secret(1000)).rejects.toThrow('denied');
  expect(await secret(1000)).toBe('it');
});

/** The placeholders in the URL of a proxy. */
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { mockClient } from 'aws-sdk-client-mock';
import { expect, test } from 'vitest';
import { proxyFor } from '../../../lib/fetcher/proxy.ts';

mockClient(SecretsManagerClient)
  .on(GetSecretValueCommand, { SecretId: 'proxy-url-secret' })
  .resolves({ SecretString: 'http://user-{country}-{session}:word@{country}.proxy.example:8080' });

test.each([
  ['US', 'us'],
  ['UK', 'gb'],
])('the country and the session replace the placeholders (%s)', async (iso_code, country) => {
  const search = { url: '', device: 'desktop', language_code: 'en', iso_code } as const;

  expect(await proxyFor(search, '7-1')).toBe(`http://user-${country}-7-1:word@${country}.proxy.example:8080`);
});

/** The proxy of a fetcher: its choice, and the placeholders in its address. */
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, expect, test, vi } from 'vitest';

const secrets = mockClient(SecretsManagerClient);
const parameters = mockClient(SSMClient);

const address = 'http://user-{country}-{session}:word@{country}.proxy.example:8080';

/** The proxy of a fetcher in a new process, with this secret and these settings of Google's fetchers. */
const proxyOf = async (
  { secret = address, google = {} }: { secret?: string; google?: object },
  fetcher: 'http' | 'browser' = 'http',
  iso_code = 'US',
) => {
  secrets.on(GetSecretValueCommand, { SecretId: 'proxy-url-secret' }).resolves({ SecretString: secret });
  parameters
    .on(GetParameterCommand, { Name: 'fetchers-parameter' })
    .resolves({ Parameter: { Value: JSON.stringify({ google }) } });
  const { proxyFor } = await import('../../../lib/fetcher/proxy.ts');
  return proxyFor({ engine: 'google', iso_code }, { fetcher, session: '7-1' });
};

beforeEach(() => vi.resetModules());

test.each([
  ['US', 'us'],
  ['UK', 'gb'],
])('the country and the session replace the placeholders (%s)', async (iso_code, country) => {
  expect(await proxyOf({}, 'http', iso_code)).toBe(
    `http://user-${country}-7-1:word@${country}.proxy.example:8080`,
  );
});

const named = JSON.stringify({ default: 'http://first.example', homes: 'http://homes.example/{country}' });

test.each<[google: object, fetcher: 'http' | 'browser', proxy: string]>([
  [{}, 'http', 'http://first.example'],
  [{ proxies: { browser: 'homes' } }, 'http', 'http://first.example'],
  [{ proxies: { browser: 'homes' } }, 'browser', 'http://homes.example/us'],
  [{ proxies: { http: 'none' } }, 'http', ''],
  [{ proxies: { http: 'none' } }, 'browser', 'http://first.example'],
])('with the settings %j, %s has the proxy "%s"', async (google, fetcher, proxy) => {
  expect(await proxyOf({ secret: named, google }, fetcher)).toBe(proxy);
});

test('without a secret there is no proxy', async () => {
  expect(await proxyOf({ secret: ' ' })).toBe('');
});

test.each([
  [named, { proxies: { http: 'offices' } }, 'offices'],
  [' ', { proxies: { http: 'homes' } }, 'homes'],
  [' ', { proxies: { http: 'default' } }, 'default'],
  ['{"homes":"http://homes.example"}', {}, 'default'],
])('a page is not fetched in another way if its proxy is missing (%s, %j)', async (secret, google, name) => {
  await expect(proxyOf({ secret, google })).rejects.toThrow(
    `The secret PROXY_URL has no proxy with the name ${name}`,
  );
});

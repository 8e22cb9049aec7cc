/** The order of the fetchers of an engine, from the operator's choice and the source of the pages. */
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { orderOf } from '../../../lib/fetcher/order.ts';
import type { EngineName } from '../../../lib/model/engine.ts';
import type { FetcherName } from '../../../lib/model/fetchers.ts';

afterEach(() => {
  for (const name of ['SEARCH_SOURCE', 'GOOGLE_ORIGIN', 'UPSTREAM_ORIGIN']) delete process.env[name];
});

test.each<[Record<string, string>, FetcherName[] | undefined, FetcherName[], hasUpstream?: boolean]>([
  [{ SEARCH_SOURCE: 'live' }, undefined, ['http', 'browser']],
  [{ GOOGLE_ORIGIN: 'http://127.0.0.1:1' }, undefined, ['http', 'browser']],
  [{}, undefined, ['sandbox', 'browser']],
  [{ SEARCH_SOURCE: 'live' }, ['browser'], ['browser']],
  [{ SEARCH_SOURCE: 'live' }, ['browser', 'http'], ['browser', 'http']],
  [{ SEARCH_SOURCE: 'live' }, ['sandbox', 'http'], ['http']],
  [{ SEARCH_SOURCE: 'live' }, ['sandbox'], []],
  [{}, ['browser', 'http'], ['browser', 'sandbox']],
  [{}, ['http', 'sandbox'], ['sandbox']],
  [{ SEARCH_SOURCE: 'live' }, ['upstream', 'http'], ['http']],
  [{ SEARCH_SOURCE: 'live' }, ['upstream'], []],
  [{ SEARCH_SOURCE: 'live' }, ['http', 'upstream'], ['http', 'upstream'], true],
  [{}, ['upstream', 'http'], ['upstream', 'sandbox'], true],
])('with %j and the order %j it is %j', (settings, chosen, order, hasUpstream) => {
  Object.assign(process.env, settings);

  expect(orderOf('google', chosen, hasUpstream)).toEqual(order);
});

describe('the upstream provider', () => {
  const secrets = mockClient(SecretsManagerClient);
  const offered = async (engine: EngineName, given: string, settings: Record<string, string>) => {
    Object.assign(process.env, settings);
    secrets.on(GetSecretValueCommand).resolves({ SecretString: given });
    // The module keeps the secret.
    vi.resetModules();
    const { isUpstreamOffered } = await import('../../../lib/fetcher/upstream-offer.ts');
    return isUpstreamOffered(engine);
  };
  const live = { SEARCH_SOURCE: 'live' };

  test.each<[engine: EngineName, secret: string, settings: Record<string, string>, isOffered: boolean]>([
    ['google', 'clerk:sesame', live, true],
    ['google', '', live, false],
    ['google', '  ', live, false],
    ['youtube', 'clerk:sesame', live, false],
    ['bing', 'clerk:sesame', {}, false],
    ['bing', 'clerk:sesame', { UPSTREAM_ORIGIN: 'http://127.0.0.1:1' }, true],
    ['bing', '', { UPSTREAM_ORIGIN: 'http://127.0.0.1:1' }, false],
  ])(
    'of %s, with the credentials %j and the settings %j, is offered: %s',
    async (engine, secret, settings, isOffered) => {
      expect(await offered(engine, secret, settings)).toBe(isOffered);
    },
  );
});

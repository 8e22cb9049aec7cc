/**
 * What authorizes a call: the operator's secret, and a token that is kept until two minutes before its end.
 */
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { authorize, dropToken } from '../../../../lib/keyword/ads/token.ts';
import { googleAds } from '../../../../lib/provider/google-ads/source.ts';
import { volumeSources } from '../../../../lib/provider/sources/volumes.ts';
import { settled, start } from '../fake-time.ts';
import { begin, fault, scripted } from '../given.ts';

vi.mock('node:timers/promises', () => import('../fake-time.ts').then(({ promises }) => promises));

const secrets = mockClient(SecretsManagerClient);

/** The credentials with which tokens were asked for. */
const tokens: string[] = [];
let lifeSeconds: number;

const authorization = {
  secret: 'GOOGLE_ADS_CREDENTIALS' as const,
  isReadable: (credentials: string) => credentials.startsWith('good'),
  placeholder: 'placeholder',
  token: {
    data: 'token',
    request: (credentials: string) => {
      tokens.push(credentials);
      return { method: 'POST' as const, url: 'https://source.example/token', headers: {} };
    },
    read: () => ({ ok: true as const, value: { token: `token ${tokens.length}`, seconds: lifeSeconds } }),
  },
};

/** Secrets are kept for five minutes, so each test has its own time. */
let test0 = start;

beforeEach(() => {
  begin();
  test0 += 10_000;
  vi.setSystemTime(test0 * 1000);
  dropToken();
  tokens.length = 0;
  lifeSeconds = 3600;
  volumeSources.scripted = { ...scripted, authorization };
  secrets.reset();
});

const given = (SecretString: string) => secrets.on(GetSecretValueCommand).resolves({ SecretString });
const authorizedAfter = (seconds: number) => settled(authorize(test0 + seconds));
const tokenAfter = async (seconds: number) => {
  const read = await authorizedAfter(seconds);
  return read.ok && [read.value.token, read.value.isKept];
};

describe('a token', () => {
  test('is kept until 120 s before its end', async () => {
    expect(await tokenAfter(0)).toEqual(['token 1', false]);
    expect(await tokenAfter(3479)).toEqual(['token 1', true]);
    expect(await tokenAfter(3480)).toEqual(['token 2', false]);
    expect(await tokenAfter(3481)).toEqual(['token 2', true]);
  });

  test('that lives for less than 120 s is never kept', async () => {
    lifeSeconds = 120;
    await authorizedAfter(0);

    expect(await tokenAfter(0)).toEqual(['token 2', false]);
  });

  test('is not kept after it was dropped', async () => {
    await authorizedAfter(0);
    dropToken();

    expect(await tokenAfter(1)).toEqual(['token 2', false]);
  });

  test('counts from the present time', async () => {
    await settled(authorize());
    vi.setSystemTime((test0 + 3479) * 1000);
    expect(await settled(authorize())).toMatchObject({ value: { isKept: true } });
    vi.setSystemTime((test0 + 3480) * 1000);

    expect(await settled(authorize())).toMatchObject({ value: { isKept: false } });
  });

  test('of one source is not used for another', async () => {
    await authorizedAfter(0);
    volumeSources.scripted = { ...scripted, name: 'other', authorization };

    expect(await tokenAfter(1)).toEqual(['token 2', false]);
  });

  test('that the service does not give is a fault', async () => {
    const refusing = { ...authorization.token, read: () => fault('down', { reason: 'no token today' }) };
    volumeSources.scripted = { ...scripted, authorization: { ...authorization, token: refusing } };

    expect(await authorizedAfter(0)).toMatchObject({ ok: false, reason: 'no token today' });
  });
});

describe('live', () => {
  beforeEach(() => {
    process.env.SEARCH_SOURCE = 'live';
  });

  test('without credentials, the operator reads what to set', async () => {
    given('');

    expect(await authorizedAfter(0)).toEqual({
      ok: false,
      problem: 'credentials',
      word: 'upstream',
      reason:
        'the service has no credentials of The scripted source: the operator must set GOOGLE_ADS_CREDENTIALS',
    });
  });

  test('credentials that cannot be read are a fault', async () => {
    given('bad');

    expect(await authorizedAfter(0)).toMatchObject({
      problem: 'credentials',
      reason: 'the credentials of The scripted source cannot be read: see GOOGLE_ADS_CREDENTIALS',
    });
  });

  test('the secret alone authorizes a source without tokens', async () => {
    given('good ones');
    const { token: _, ...withoutToken } = authorization;
    volumeSources.scripted = { ...scripted, authorization: withoutToken };

    expect(await authorizedAfter(0)).toEqual({
      ok: true,
      value: { credentials: 'good ones', token: '', version: 'v26', isKept: false },
    });
  });
});

test('an origin of the operator gets the credentials if there are any, otherwise placeholders', async () => {
  process.env.ADS_ORIGIN = 'http://127.0.0.1:1';
  const { token: _, ...withoutToken } = authorization;
  volumeSources.scripted = { ...scripted, authorization: withoutToken };
  given('');
  const without = await authorizedAfter(0);
  vi.setSystemTime((test0 + 400) * 1000);
  given('good ones');

  expect(without).toMatchObject({ value: { credentials: 'placeholder' } });
  expect(await authorizedAfter(400)).toMatchObject({ value: { credentials: 'good ones' } });
});

test('a source without authorization gets nothing, and nothing is kept', async () => {
  volumeSources.scripted = scripted;

  expect(await authorizedAfter(0)).toEqual({
    ok: true,
    value: { credentials: '', token: '', version: 'v26', isKept: false },
  });
});

test('the sandbox gets placeholders, and the secret is not read', async () => {
  expect(await authorizedAfter(0)).toMatchObject({ value: { credentials: 'placeholder' } });
  expect(secrets.commandCalls(GetSecretValueCommand)).toEqual([]);
});

test('Google Ads reads its own credentials and placeholders', () => {
  const { isReadable, placeholder } = googleAds.authorization ?? authorization;

  expect([isReadable(placeholder), isReadable('{}'), isReadable('')]).toEqual([true, false, false]);
});

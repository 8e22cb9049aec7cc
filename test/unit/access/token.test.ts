/** Tokens: what they say, which are accepted, and the two keys of a rotation (Reading 24). */
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { mockClient } from 'aws-sdk-client-mock';
import { decodeJwt, decodeProtectedHeader, SignJWT, UnsecuredJWT } from 'jose';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { TokenKeys } from '../../../lib/model/token.ts';

const now = 1_790_000_000;
const keyHash = 'ab12'.repeat(16);
const otherHash = 'cd34'.repeat(16);
const first = { kid: '1', key: 'a'.repeat(64) };
const second = { kid: '2', key: 'b'.repeat(64) };

const secrets = mockClient(SecretsManagerClient);
const setSecret = (value: TokenKeys | string) =>
  secrets
    .on(GetSecretValueCommand)
    .resolves({ SecretString: typeof value === 'string' ? value : JSON.stringify(value) });
const readCount = () => secrets.commandCalls(GetSecretValueCommand).length;

/** A function that starts anew: it has read no secret yet. */
const start = async () => {
  vi.resetModules();
  return import('../../../lib/access/token.ts');
};

beforeEach(() => {
  secrets.reset();
  setSecret(first);
});

const bytes = (key: string) => new TextEncoder().encode(key);
const claims = () => ({ key: keyHash.slice(0, 16), sub: '7', iat: now, exp: now + 3600 });
const signed = (payload: Record<string, unknown>, key = first.key, header = {}) =>
  new SignJWT(payload).setProtectedHeader({ alg: 'HS256', kid: '1', ...header }).sign(bytes(key));

test('a token names its user and its API key, and is valid for an hour', async () => {
  const { makeToken, verifyToken } = await start();

  const token = await makeToken(7, keyHash, now);

  expect(decodeProtectedHeader(token)).toEqual({ alg: 'HS256', typ: 'JWT', kid: '1' });
  expect(decodeJwt(token)).toEqual({ sub: '7', key: keyHash.slice(0, 16), iat: now, exp: now + 3600 });
  const found = await verifyToken(token, now + 3599);
  expect([found?.id, found?.isMadeWith(keyHash), found?.isMadeWith(otherHash)]).toEqual([7, true, false]);
  expect(await verifyToken(token, now + 3600)).toBeUndefined();
});

describe('a token is refused', () => {
  test.each<[string, () => Promise<string> | string]>([
    ['that another key signed', () => signed(claims(), second.key)],
    ['with the id of a key that does not exist', () => signed(claims(), first.key, { kid: 'x' })],
    ['without the id of a key', () => signed(claims(), first.key, { kid: undefined })],
    ['of another algorithm', () => signed(claims(), first.key, { alg: 'HS512' })],
    ['that is not signed', () => new UnsecuredJWT(claims()).encode()],
    ['without an end', () => signed({ ...claims(), exp: undefined })],
    ['without a user', () => signed({ ...claims(), sub: undefined })],
    ['whose user is no number', () => signed({ ...claims(), sub: '07' })],
    ['whose user is more than a number', () => signed({ ...claims(), sub: '7a' })],
    ['without an API key', () => signed({ ...claims(), key: undefined })],
    ['that is not valid yet', () => signed({ ...claims(), nbf: now + 60 })],
    [
      'that was changed',
      async () => (await signed(claims())).replace(/\.(.)/, (_, c) => `.${c === 'e' ? 'f' : 'e'}`),
    ],
    ['that is no token', () => 'a.b.c'],
  ])('%s', async (_, make) => {
    const { verifyToken } = await start();

    expect(await verifyToken(await make(), now)).toBeUndefined();
  });

  test('with valid claims it is accepted: the cases above differ from it in one part each', async () => {
    const { verifyToken } = await start();

    expect(await verifyToken(await signed(claims()), now)).toMatchObject({ id: 7 });
    expect(await verifyToken(await signed({ ...claims(), sub: '17' }), now)).toMatchObject({ id: 17 });
  });
});

describe('during a rotation', () => {
  const rotated: TokenKeys = { ...second, former: { ...first, until: now + 3900 } };

  test('the new key signs, and tokens of both keys are accepted until the end of the former one', async () => {
    const former = await (await start()).makeToken(7, keyHash, now);
    setSecret(rotated);
    const { makeToken, verifyToken } = await start();

    const token = await makeToken(7, keyHash, now + 3000);

    expect(decodeProtectedHeader(token).kid).toBe('2');
    expect(await verifyToken(token, now + 3000)).toMatchObject({ id: 7 });
    expect(await verifyToken(former, now + 3000)).toMatchObject({ id: 7 });
    const late = await signed({ ...claims(), iat: now + 3000, exp: now + 6600 });
    expect(await verifyToken(late, now + 3899)).toMatchObject({ id: 7 });
    expect(await verifyToken(late, now + 3900)).toBeUndefined();
  });

  test('a token of the former key names it', async () => {
    setSecret(rotated);
    const { verifyToken } = await start();

    expect(await verifyToken(await signed(claims()), now)).toMatchObject({ id: 7 });
    expect(await verifyToken(await signed(claims(), first.key, { kid: 'x' }), now)).toBeUndefined();
  });

  test('a function that has the former secret reads it again for a token of the new key', async () => {
    const { verifyToken } = await start();
    expect(await verifyToken(await signed(claims()), now)).toMatchObject({ id: 7 });
    setSecret(rotated);
    const token = await signed(claims(), second.key, { kid: '2' });

    expect(await verifyToken(token, now + 10)).toMatchObject({ id: 7 });
    expect(readCount()).toBe(2);
  });

  test('tokens with invented ids of keys read the secret once in ten seconds', async () => {
    const { verifyToken } = await start();
    const forged = await signed(claims(), second.key, { kid: 'forged' });

    for (let second = 0; second < 20; second++) await verifyToken(forged, now + second);

    expect(readCount()).toBe(2);
  });
});

test('without a key, no token is made (503 with Retry-After) and none is accepted', async () => {
  const token = await (await start()).makeToken(7, keyHash, now);
  setSecret('');
  const { makeToken, verifyToken } = await start();

  await expect(makeToken(7, keyHash, now)).rejects.toMatchObject({
    statusCode: 503,
    detail: 'The service has no key to sign tokens with',
    headers: { 'Retry-After': '300' },
  });
  expect(await verifyToken(token, now)).toBeUndefined();
  const withoutKid = await signed(claims(), first.key, { kid: undefined });
  expect(await verifyToken(withoutKid, now)).toBeUndefined();
});

test.each(['open-sesame', '{"kid":"1","key":"open-sesame"}', '{"kid":"1"}', '[]'])(
  'a malformed secret is an error that does not show it: %s',
  async (secret) => {
    setSecret(secret);
    const { makeToken, verifyToken } = await start();

    const error = await makeToken(7, keyHash, now).catch((reason) => reason);
    await expect(signed(claims()).then((token) => verifyToken(token, now))).rejects.toThrow(error.message);

    expect(error.message).toMatch(
      /^The key of the tokens is malformed: npm run secret -- rotate TOKEN_KEY --lost/,
    );
    expect(JSON.stringify(error.message)).not.toContain('open-sesame');
  },
);

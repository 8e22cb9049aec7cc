/** Who is let in, with a key, a token, or a name and a key. The table and the secret are replaced. */
import { GetSecretValueCommand, PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { hashApiKey, makeApiKey } from '../../../lib/access/api-key.ts';
import { apiKeyIn, authenticate, refuse } from '../../../lib/access/authenticate.ts';
import { logIn } from '../../../lib/access/log-in.ts';
import { rotateTokenKey } from '../../../lib/access/rotate-token-key.ts';
import { makeToken } from '../../../lib/access/token.ts';
import { readSecret } from '../../../lib/runtime/secret.ts';
import { secretsManager } from '../../../lib/runtime/secrets-manager.ts';
import { countInWindow } from '../../../lib/store/limits.ts';
import { findAccount, readAccount } from '../../../lib/store/users.ts';

vi.mock(import('../../../lib/store/users.ts'), () => ({
  findAccount: vi.fn(),
  readAccount: vi.fn(),
}));
vi.mock(import('../../../lib/store/limits.ts'), () => ({
  countInWindow: vi.fn(),
}));
vi.mock(import('../../../lib/runtime/secret.ts'), async (original) => ({
  ...(await original()),
  readSecret: vi.fn(),
}));

const secrets = mockClient(secretsManager);
const now = 1_800_000_000;
const key = makeApiKey();
const account = {
  id: 7,
  email: ' Ada@example.com ',
  enabled: true,
  ttl: 0,
  rate_limit: 100,
  permissions: ['serp', 'keyword'],
  key_hash: hashApiKey(key),
  key_until: 0,
};

beforeEach(() => {
  vi.resetAllMocks();
  secrets.reset();
  vi.mocked(findAccount).mockImplementation(async (hash) =>
    hash === hashApiKey(key) ? (account as never) : undefined,
  );
  vi.mocked(readAccount).mockResolvedValue(account as never);
  vi.mocked(countInWindow).mockResolvedValue(1);
  secrets
    .on(GetSecretValueCommand)
    .resolves({ SecretString: JSON.stringify({ kid: 'a1', key: 'k'.repeat(64) }) });
});

const refused = expect.objectContaining({ statusCode: 401, detail: 'Could not validate credentials' });

describe('a name and a key', () => {
  test.each(['7', 'Ada@example.com', ' ADA@EXAMPLE.COM '])(
    'with the name %j give a token',
    async (username) => {
      const token = await logIn({ username, password: key }, '1.2.3.4', now);

      expect(token).toEqual({
        access_token: expect.stringMatching(/^eyJ/),
        token_type: 'bearer',
        expires_in: 3600,
        scope: 'serp keyword',
      });
      expect(await authenticate(`Bearer ${token.access_token}`, '1.2.3.4', now)).toBe(account);
      expect(countInWindow).toHaveBeenCalledExactlyOnceWith('user#7', now + 60 - (now % 60));
    },
  );

  test.each(['8', '', ' 7', 'bob@example.com'])('with the name %j are refused', async (username) => {
    await expect(logIn({ username, password: key }, '1.2.3.4', now)).rejects.toThrow(refused);
    expect(countInWindow).toHaveBeenCalledExactlyOnceWith('failed-key#1.2.3.4', expect.any(Number));
  });

  test('of a user without an e-mail address need the id', async () => {
    vi.mocked(findAccount).mockResolvedValue({ ...account, email: ' ' } as never);

    for (const username of ['', ' ']) {
      await expect(logIn({ username, password: key }, '1.2.3.4', now)).rejects.toThrow(refused);
    }
  });

  test('with an unknown key are refused', async () => {
    await expect(logIn({ username: '7', password: makeApiKey() }, '1.2.3.4', now)).rejects.toThrow(refused);
    await expect(logIn({ username: '7', password: 'x' }, '1.2.3.4', now)).rejects.toThrow(refused);
  });
});

describe('a token', () => {
  const bearer = async (hash = hashApiKey(key)) => `Bearer ${await makeToken(7, hash, now)}`;

  test.each<[string, object | undefined]>([
    ['whose user is deleted', undefined],
    ['whose user is disabled', { ...account, enabled: false }],
    ['whose user has expired', { ...account, ttl: now }],
    ['whose key was replaced', { ...account, key_hash: hashApiKey(makeApiKey()) }],
  ])('%s is refused', async (_, found) => {
    vi.mocked(readAccount).mockResolvedValue(found as never);

    await expect(authenticate(await bearer(), '1.2.3.4', now)).rejects.toThrow(refused);
  });

  test('with more around it is refused', async () => {
    const token = await bearer();

    await expect(authenticate(`${token}A`, '1.2.3.4', now)).rejects.toThrow(refused);
    await expect(authenticate(token.replace('eyJ', 'AeyJ'), '1.2.3.4', now)).rejects.toThrow(refused);
    await expect(authenticate(token, '1.2.3.4', now + 3600)).rejects.toThrow(refused);
  });
});

test.each([
  [`Bearer ${key}`, key],
  [`bearer  ${key} `, key],
  ['Bearer x', null],
  ['', null],
  [key, null],
])('the key in %j is %j', (authorization, expected) => {
  expect(apiKeyIn(authorization)).toBe(expected);
});

test.each([
  ['', false],
  ['  ', false],
  ['Bearer', false],
  [' bearer ', false],
  ['Bearer x', false],
  ['Bearers x', true],
  ['Basic Bearer x', true],
  [key, true],
])('a refusal of %j has a hint: %s', async (authorization, hasHint) => {
  const error = await refuse('1.2.3.4', now, authorization).catch((thrown: unknown) => thrown);

  const hint = hasHint ? 'Send the header "Authorization: Bearer <API key or token>"' : undefined;
  expect(error).toMatchObject({ statusCode: 401, hint });
  expect((error as { headers: object }).headers).toEqual({
    'WWW-Authenticate': 'Bearer',
    ...(hint && { 'x-auth-hint': hint }),
  });
});

describe('a new key for tokens', () => {
  const present = { kid: 'a1', key: 'k'.repeat(64) };
  const given = (keys: object | null) =>
    vi.mocked(readSecret).mockResolvedValue(keys ? JSON.stringify(keys) : '');
  const written = () => {
    const [call] = secrets.commandCalls(PutSecretValueCommand);
    const { SecretId, SecretString = '' } = call?.args[0].input ?? {};
    return { SecretId, keys: JSON.parse(SecretString) };
  };
  const until = now + 300 + 3600;

  test('keeps the former one until its tokens have expired', async () => {
    given(present);

    expect(await rotateTokenKey(false, now)).toBe(until);
    expect(readSecret).toHaveBeenCalledExactlyOnceWith(process.env.TOKEN_KEY_SECRET);
    expect(written()).toEqual({
      SecretId: process.env.TOKEN_KEY_SECRET,
      keys: {
        kid: expect.stringMatching(/^[0-9a-f]{12}$/),
        key: expect.stringMatching(/^[\w-]{64}$/),
        former: { ...present, until },
      },
    });
  });

  test('keeps none if there is none, or if it is lost', async () => {
    given(null);
    expect(await rotateTokenKey(false, now)).toBeNull();
    expect(written().keys).not.toHaveProperty('former');

    secrets.resetHistory();
    given(present);
    expect(await rotateTokenKey(true, now)).toBeNull();
    expect(written().keys).not.toHaveProperty('former');
  });

  test.each([
    [now + 1, false],
    [now, true],
  ])('after a former one until %i is made: %s', async (end, isMade) => {
    given({ ...present, former: { ...present, kid: 'b2', until: end } });
    const rotated = rotateTokenKey(false, now);

    await (isMade
      ? expect(rotated).resolves.toBe(until)
      : expect(rotated).rejects.toThrow(
          `Tokens of the former key are accepted until ${new Date(end * 1000).toISOString()}. Rotate again after that, or with --lost`,
        ));
    expect(secrets.commandCalls(PutSecretValueCommand)).toHaveLength(isMade ? 1 : 0);
  });
});

test('a token is valid while the key that it was made with works, beside another key', async () => {
  const rotated = { ...account, key_until: now + 100, other_key_hash: 'ab'.repeat(32), other_key_until: 0 };
  vi.mocked(readAccount).mockResolvedValue(rotated as never);
  const token = await makeToken(7, account.key_hash, now);

  expect(await authenticate(`Bearer ${token}`, '1.2.3.4', now + 99)).toBe(rotated);
  await expect(authenticate(`Bearer ${token}`, '1.2.3.4', now + 100)).rejects.toThrow(refused);
});

test('a refused pair of a name and a key has no hint about headers', async () => {
  await expect(logIn({ username: '7', password: 'guess' }, '1.2.3.4', now)).rejects.toMatchObject({
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
  const error: unknown = await logIn({ username: '8', password: key }, '1.2.3.4', now).catch(
    (thrown) => thrown,
  );
  expect(error).not.toHaveProperty('headers.x-auth-hint');
});
